hpfracc equation 1
# Qi system
# Three products in three equations, and an attractor of two wings.
# Source: Qi, Chen, Du, Chen and Yuan, Physica A 352 (2005) 295, DOI 10.1016/j.physa.2004.12.040
# Solve: pece, 20000 steps
D^alpha x = a (y - x) + y z
D^alpha y = c x - y - x z
D^alpha z = x y - b z
a = 35
b = 8/3
c = 80
x0 = 0.1
y0 = 0.2
z0 = 0.3
alpha = 0.98 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 20]
