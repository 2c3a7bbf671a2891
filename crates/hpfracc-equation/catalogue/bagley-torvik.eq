hpfracc equation 1
# Bagley-Torvik equation
# Plate in a viscous fluid, released at y0: the fluid acts as a derivative of order 3/2.
# Source: Torvik and Bagley, J. Appl. Mech. 51 (1984) 294, DOI 10.1115/1.3167615
# Solve: trapezoid, 3000 steps
a y'' + b D^alpha y + c y = 0
a = 1    # mass
b = 0.5  # friction
c = 1    # stiffness
y0 = 1
alpha = 1.5 in (0, 2)
y(0) = y0
y'(0) = 0
t in [0, 30]
