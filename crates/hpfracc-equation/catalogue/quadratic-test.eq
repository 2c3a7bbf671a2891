hpfracc equation 1
# Linear test equation with a quadratic solution
# Test equation with y = t^2 - t for any order.
# Source: Diethelm, Ford and Freed, Numer. Algorithms 36 (2004) 31, DOI 10.1023/B:NUMA.0000027736.85078.be
# Solve: pece, 1000 steps
D^alpha y = 2/Gamma(3 - alpha)*t^(2 - alpha) - t^(1 - alpha)/Gamma(2 - alpha) - y + t^2 - t
alpha = 0.5 in (0, 1]
y(0) = 0
t in [0, 5]
show exact_y = t^2 - t
