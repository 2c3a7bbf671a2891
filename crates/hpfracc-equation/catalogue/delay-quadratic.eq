hpfracc equation 1
# Linear delay equation with a known solution
# Test equation with y = t^2 - t for any order and delay.
# Source: Wang, J. Appl. Math. (2013) 256071, DOI 10.1155/2013/256071
# Solve: pece, 2000 steps
D^alpha y = 2/Gamma(3 - alpha)*t^(2 - alpha) - t^(1 - alpha)/Gamma(2 - alpha) + 2 tau t - tau^2 - tau - y + y(t - tau)
tau = 0.5 in (0, inf)
alpha = 0.7 in (0, 1]
y(t) = t^2 - t for t <= 0
t in [0, 5]
show exact_y = t^2 - t
