hpfracc equation 1
# Cellular neural network of three cells
# Cells whose outputs saturate: chaotic near order 1.
# Source: Arena, Caponetto, Fortuna and Porto, Int. J. Bifurcation Chaos 8 (1998) 1527, DOI 10.1142/S0218127498001170; parameters of Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 20000 steps
D^alpha x = -x + p1 f - s g - s h
D^alpha y = -y - s f + p2 g - r h
D^alpha z = -z - s f + r g + p3 h
f = (abs(x + 1) - abs(x - 1))/2  # outputs
g = (abs(y + 1) - abs(y - 1))/2
h = (abs(z + 1) - abs(z - 1))/2
p1 = 1.24
p2 = 1.1
p3 = 1
r = 4.4
s = 3.21
alpha = 0.99 in (0, 1]
x(0) = 0.1
y(0) = 0.1
z(0) = 0.1
t in [0, 100]
