hpfracc equation 1
# Rabinovich-Fabrikant system
# Modulation of waves in a dissipative medium.
# Source: Rabinovich and Fabrikant, Sov. Phys. JETP 50 (1979) 311
# Solve: pece, 20000 steps
D^alpha x = y (z - 1 + x^2) + gamma x
D^alpha y = x (3z + 1 - x^2) + gamma y
D^alpha z = -2z (a + x y)
a = 0.14
gamma = 0.1
x0 = -1
y0 = 0
z0 = 0.5
alpha = 0.999 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 50]
