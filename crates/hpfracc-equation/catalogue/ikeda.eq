hpfracc equation 1
# Ikeda equation
# Phase of light in an optical resonator with delayed feedback: chaotic.
# Source: Ikeda and Matsumoto, Physica D 29 (1987) 223, DOI 10.1016/0167-2789(87)90058-3
# Solve: pece, 10000 steps
D^alpha y = -c y + m sin(y(t - tau))
c = 1
m = 4
tau = 2 in (0, inf)
y0 = 0.1
alpha = 0.95 in (0, 1]
y(t) = y0 for t <= 0
t in [0, 100]
