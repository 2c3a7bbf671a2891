hpfracc equation 1
# Volta system
# Chaotic system with two products, of a short time scale.
# Source: Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 40000 steps
D^alpha x = -x - a y - y z
D^alpha y = -y - b x - x z
D^alpha z = 1 + c z + x y
a = 19
b = 11
c = 0.73
x0 = 8
y0 = 2
z0 = 1
alpha = 0.98 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 20]
