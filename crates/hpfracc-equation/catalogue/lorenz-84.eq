hpfracc equation 1
# Lorenz system of 1984
# Circulation of the atmosphere: a westerly current x that exchanges energy with eddies y and z.
# Source: Lorenz, Tellus A 36 (1984) 98, DOI 10.1111/j.1600-0870.1984.tb00230.x
# Solve: pece, 10000 steps
D^alpha x = -y^2 - z^2 - a x + a F
D^alpha y = x y - b x z - y + G
D^alpha z = b x y + x z - z
a = 0.25
b = 4
F = 8  # thermal contrast between equator and pole
G = 1  # thermal contrast between oceans and continents
x0 = -0.1
y0 = -0.1
z0 = -0.1
alpha = 0.95 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 100]
