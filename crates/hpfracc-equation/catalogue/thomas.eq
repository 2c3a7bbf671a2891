hpfracc equation 1
# Thomas's labyrinth
# Cyclically symmetric system of sines: for small b a walk in a lattice of equilibria.
# Source: Thomas, Int. J. Bifurcation Chaos 9 (1999) 1889
# Solve: pece, 20000 steps
D^alpha x = sin(y) - b x
D^alpha y = sin(z) - b y
D^alpha z = sin(x) - b z
b = 0.1
x0 = -1
y0 = 1
z0 = 1
alpha = 0.98 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 400]
