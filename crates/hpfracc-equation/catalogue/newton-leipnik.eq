hpfracc equation 1
# Newton-Leipnik system
# Rotation of a rigid body with feedback: two attractors.
# Source: Leipnik and Newton, Phys. Lett. A 86 (1981) 63, DOI 10.1016/0375-9601(81)90165-1; initial values of Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 20000 steps
D^alpha x = -a x + y + 10 y z
D^alpha y = -x - 0.4 y + 5 x z
D^alpha z = b z - 5 x y
a = 0.4
b = 0.175
x0 = 0.19
y0 = 0
z0 = -0.18
alpha = 0.95 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 200]
