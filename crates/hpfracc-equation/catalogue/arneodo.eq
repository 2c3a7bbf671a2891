hpfracc equation 1
# Arneodo system
# Jerk system with a cubic term: chaotic.
# Source: Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 10000 steps
D^alpha1 x = y
D^alpha2 y = z
D^alpha3 z = -b1 x - b2 y - b3 z + b4 x^3
b1 = -5.5
b2 = 3.5
b3 = 0.8
b4 = -1
x0 = -0.2
y0 = 0.5
z0 = 0.2
alpha1 = 0.97 in (0, 1]
alpha2 = 0.97 in (0, 1]
alpha3 = 0.96 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 100]
