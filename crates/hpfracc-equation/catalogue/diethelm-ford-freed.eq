hpfracc equation 1
# Test equation of Diethelm, Ford and Freed
# Nonlinear test equation with a known solution that is not smooth at t = 0.
# Source: Diethelm, Ford and Freed, Numer. Algorithms 36 (2004) 31, DOI 10.1023/B:NUMA.0000027736.85078.be
# Solve: pece, 1000 steps
D^alpha y = 40320/Gamma(9 - alpha)*t^(8 - alpha) - 3 Gamma(5 + alpha/2)/Gamma(5 - alpha/2)*t^(4 - alpha/2) + 9/4 Gamma(alpha + 1) + (3/2 t^(alpha/2) - t^4)^3 - pos(y)^(3/2)
alpha = 0.5 in (0, 1]
y(0) = 0
t in [0, 1]
show exact_y = t^8 - 3 t^(4 + alpha/2) + 9/4 t^alpha
