hpfracc equation 1
# Lu system
# Between the systems of Lorenz and of Chen, with an order for each component.
# Source: Lu and Chen, Int. J. Bifurcation Chaos 12 (2002) 659, DOI 10.1142/S0218127402004620; orders of Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 12000 steps
D^alpha1 x = a (y - x)
D^alpha2 y = -x z + c y
D^alpha3 z = x y - b z
a = 36
b = 3
c = 20
x0 = 0.2
y0 = 0.5
z0 = 0.3
alpha1 = 0.985 in (0, 1]
alpha2 = 0.99 in (0, 1]
alpha3 = 0.98 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 60]
