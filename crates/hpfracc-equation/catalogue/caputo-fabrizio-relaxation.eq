hpfracc equation 1
# Relaxation with the derivative of Caputo and Fabrizio
# The kernel is an exponential, and so is the solution.
# Source: Losada and Nieto, Progr. Fract. Differ. Appl. 1 (2015) 87, DOI 10.12785/pfda/010202
# Solve: pece, 1000 steps
CF D^alpha y = -rate y
rate = 1 in [0, inf)
y0 = 1
alpha = 0.6 in (0, 1]
y(0) = y0
t in [0, 10]
show exact_y = y0 exp(-alpha rate t/(1 + (1 - alpha) rate))
