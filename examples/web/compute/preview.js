// How much is computed while a slider moves: what takes no longer than a frame, and all of it afterwards.

const FRAME = 25; // milliseconds of computing between two pictures

/**
 * Amount of work (steps, or paths) while a slider moves, at most `wanted`. `last` = {amount, milliseconds} is what the
 * previous request took; the time is taken as proportional to the amount. Not below `least`.
 */
export function reduced(wanted, last, least) {
  if (last === null || !(last.milliseconds > FRAME) || !(last.amount > 0)) {
    // A short request tells that there is room: grow at most fourfold at a time.
    if (last === null || last.amount >= wanted) return wanted;
    const room = last.milliseconds > 0 ? Math.min(4, FRAME / last.milliseconds) : 4;
    return Math.round(Math.min(wanted, Math.max(least, last.amount * room)));
  }
  const fitting = (last.amount * FRAME) / last.milliseconds;
  return Math.round(Math.min(wanted, Math.max(least, fitting)));
}
