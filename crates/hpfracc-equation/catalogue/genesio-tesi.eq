hpfracc equation 1
# Genesio-Tesi system
# Jerk system with a quadratic term: chaotic.
# Source: Genesio and Tesi, Automatica 28 (1992) 531, DOI 10.1016/0005-1098(92)90177-H; parameters of Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 20000 steps
D^alpha x = y
D^alpha y = z
D^alpha z = -b1 x - b2 y - b3 z + b4 x^2
b1 = 1.1
b2 = 1.1
b3 = 0.45
b4 = 1
x0 = -0.1
y0 = 0.5
z0 = 0.2
alpha = 0.985 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 200]
