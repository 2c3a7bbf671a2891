hpfracc equation 1
# Rossler system
# Chaotic spiral with one quadratic term and an order for each component.
# Source: Rossler, Phys. Lett. A 57 (1976) 397, DOI 10.1016/0375-9601(76)90101-8; orders of Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 12000 steps
D^alpha1 x = -y - z
D^alpha2 y = x + a y
D^alpha3 z = b + z (x - c)
a = 0.5
b = 0.2
c = 10
x0 = 0.5
y0 = 1.5
z0 = 0.1
alpha1 = 0.9 in (0, 1]
alpha2 = 0.85 in (0, 1]
alpha3 = 0.95 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 120]
