hpfracc equation 1
# Duffing oscillator
# Forced oscillator between two wells.
# Source: Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 20000 steps
D^alpha1 x = y
D^alpha2 y = x - x^3 - damping y + amplitude cos(omega t)
damping = 0.15
amplitude = 0.3
omega = 1
x0 = 0.21
y0 = 0.13
alpha1 = 0.9 in (0, 1]
alpha2 = 1 in (0, 1]
x(0) = x0
y(0) = y0
t in [0, 200]
