hpfracc equation 1
# Chua circuit
# Circuit with a piecewise linear resistor (Chua's diode) and a double scroll.
# Source: Petras, Chaos Solitons Fractals 38 (2008) 140
# Solve: pece, 10000 steps
D^alpha1 x = a (y - x - f)
D^alpha2 y = x - y + z
D^alpha3 z = -b y - c z
f = m1 x + (m0 - m1)/2*(abs(x + 1) - abs(x - 1))  # current through the diode
a = 10.725
b = 10.593
c = 0.268
m0 = -1.1726  # inner slope
m1 = -0.7872  # outer slope
x0 = 0.2
y0 = -0.1
z0 = 0.1
alpha1 = 0.93 in (0, 1]
alpha2 = 0.99 in (0, 1]
alpha3 = 0.92 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 100]
