hpfracc equation 1
# Jerk system of Linz and Sprott
# Chaos with one absolute value as the only nonlinearity.
# Source: Linz and Sprott, Phys. Lett. A 259 (1999) 240, DOI 10.1016/S0375-9601(99)00450-8
# Solve: pece, 20000 steps
D^alpha x = y
D^alpha y = z
D^alpha z = -a z - y + abs(x) - 1
a = 0.6
x0 = 0
y0 = 0
z0 = 0
alpha = 0.99 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 200]
