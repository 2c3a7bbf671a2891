// Reads a CSV file in a worker of its own, so that the page stays alive: {file} or {text} in, {progress}, {table} or
// {error} out.

import { CsvReader, LIMITS } from "./csv.js";

self.onmessage = async ({ data: { file, text } }) => {
  try {
    const table = file ? await fromFile(file) : fromText(text);
    const buffers = table.columns.map(({ values }) => values.buffer);
    self.postMessage({ table }, buffers);
  } catch (error) {
    const memory = error instanceof RangeError ? "The file does not fit in the memory of this page." : null;
    self.postMessage({ error: memory ?? error.message });
  }
};

function fromText(text) {
  const reader = new CsvReader();
  reader.push(text);
  return reader.finish();
}

async function fromFile(file) {
  if (file.size > LIMITS.bytes) {
    const size = Math.ceil(file.size / 1024 ** 2);
    throw new Error(`The file has ${size} MiB; this page reads ${LIMITS.bytes / 1024 ** 2} MiB at most. The command \`hpfracc diff --stream\` reads files of any size.`);
  }
  const reader = new CsvReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const stream = file.stream().getReader();
  let done = 0;
  for (let step = await stream.read(); !step.done; step = await stream.read()) {
    reader.push(decoded(decoder, step.value));
    done += step.value.length;
    self.postMessage({ progress: done / file.size });
  }
  reader.push(decoder.decode());
  return reader.finish();
}

function decoded(decoder, bytes) {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    throw new Error("The file is no text in UTF-8: save it as CSV UTF-8.");
  }
}
