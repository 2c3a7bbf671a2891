hpfracc equation 1
# Logistic growth with a delay
# Growth limited by the delayed population. At order 1 the equilibrium y = capacity loses stability
# to a cycle at rate tau = pi/2.
# Source: Hutchinson, Ann. N.Y. Acad. Sci. 50 (1948) 221, DOI 10.1111/j.1749-6632.1948.tb39854.x
# Solve: pece, 6000 steps
D^alpha y = rate y (1 - y(t - tau)/capacity)
rate = 1
capacity = 1
tau = 2 in (0, inf)
y0 = 0.5
alpha = 0.95 in (0, 1]
y(t) = y0 for t <= 0
t in [0, 60]
