hpfracc equation 1
# Financial system
# Interest rate x, investment y and price index z: chaotic at orders above about 0.85.
# Source: Chen, Chaos Solitons Fractals 36 (2008) 1305, DOI 10.1016/j.chaos.2006.07.051
# Solve: pece, 10000 steps
D^alpha x = z + (y - a) x
D^alpha y = 1 - b y - x^2
D^alpha z = -x - c z
a = 3    # savings
b = 0.1  # cost of an investment
c = 1    # elasticity of the demand
x0 = 2
y0 = 3
z0 = 2
alpha = 0.9 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 200]
