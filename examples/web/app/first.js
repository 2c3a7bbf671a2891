// The first equation and how it is solved, as the catalogue has it under `relaxation`: it is shown before the catalogue is read.

export const FIRST = `D^alpha y = -rate y
rate = 1
y0 = 1
alpha = 0.6 in (0, 1]
y(0) = y0
t in [0, 10]
show exact_y = y0 E(alpha, -rate t^alpha)`;

export const FIRST_RECIPE = { scheme: "pece", steps: 1000, grading: 1 };
