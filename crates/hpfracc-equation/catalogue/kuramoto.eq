hpfracc equation 1
# Kuramoto oscillators
# Four phases with frequencies of their own: they lock for strong coupling.
# Source: Kuramoto, Chemical Oscillations, Waves, and Turbulence (1984), DOI 10.1007/978-3-642-69689-3
# Solve: pece, 5000 steps
D^alpha p1 = w1 + k/4*(sin(p2 - p1) + sin(p3 - p1) + sin(p4 - p1))
D^alpha p2 = w2 + k/4*(sin(p1 - p2) + sin(p3 - p2) + sin(p4 - p2))
D^alpha p3 = w3 + k/4*(sin(p1 - p3) + sin(p2 - p3) + sin(p4 - p3))
D^alpha p4 = w4 + k/4*(sin(p1 - p4) + sin(p2 - p4) + sin(p3 - p4))
w1 = 0.8
w2 = 0.9
w3 = 1.1
w4 = 1.2
k = 0.8  # coupling
alpha = 0.95 in (0, 1]
p1(0) = 0
p2(0) = 1
p3(0) = 2
p4(0) = 4
t in [0, 50]
show order = sqrt((cos(p1) + cos(p2) + cos(p3) + cos(p4))^2 + (sin(p1) + sin(p2) + sin(p3) + sin(p4))^2)/4
