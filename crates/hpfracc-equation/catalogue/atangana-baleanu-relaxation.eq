hpfracc equation 1
# Relaxation with the derivative of Atangana and Baleanu
# The kernel is a Mittag-Leffler function, and so is the solution.
# Source: Atangana and Baleanu, Therm. Sci. 20 (2016) 763, DOI 10.2298/TSCI160111018A
# Solve: pece, 1000 steps
AB D^alpha y = -rate y
rate = 1 in [0, inf)
y0 = 1
alpha = 0.6 in (0, 1]
y(0) = y0
t in [0, 10]
show exact_y = y0 E(alpha, -alpha rate t^alpha/(1 + (1 - alpha) rate))
