hpfracc equation 1
# Liu system
# Three quadratic terms and a butterfly-shaped attractor.
# Source: Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 10000 steps
D^alpha x = -a x - e y^2
D^alpha y = b y - k x z
D^alpha z = -c z + m x y
a = 1
b = 2.5
c = 5
e = 1
k = 4
m = 4
x0 = 0.2
y0 = 0
z0 = 0.5
alpha = 0.95 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 100]
