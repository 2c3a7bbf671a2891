hpfracc equation 1
# Brusselator
# Chemical oscillator: limit cycle for b > 1 + a^2 at orders close enough to 1.
# Source: Prigogine and Lefever, J. Chem. Phys. 48 (1968) 1695, DOI 10.1063/1.1668896
# Solve: pece, 10000 steps
D^alpha x = a - (b + 1) x + x^2 y
D^alpha y = b x - x^2 y
a = 1
b = 3
x0 = 1.2
y0 = 2.8
alpha = 0.8 in (0, 1]
x(0) = x0
y(0) = y0
t in [0, 50]
