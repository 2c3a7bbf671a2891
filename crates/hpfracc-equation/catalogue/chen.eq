hpfracc equation 1
# Chen system
# Relative of the Lorenz system with a double scroll.
# Source: Li and Chen, Chaos Solitons Fractals 22 (2004) 549, DOI 10.1016/j.chaos.2004.02.035; initial values of Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 10000 steps
D^alpha x = a (y - x)
D^alpha y = (c - a) x - x z + c y
D^alpha z = x y - b z
a = 35
b = 3
c = 28
x0 = -9
y0 = -5
z0 = 14
alpha = 0.9 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 30]
