hpfracc equation 1
# Lotka-Volterra system
# Prey x and predators y: closed orbits at order 1, a spiral into the equilibrium below.
# Source: Ahmed, El-Sayed and El-Saka, J. Math. Anal. Appl. 325 (2007) 542, DOI 10.1016/j.jmaa.2006.01.087; parameters of Petras, Fractional-Order Nonlinear Systems (2011), DOI 10.1007/978-3-642-18101-6
# Solve: pece, 10000 steps
D^alpha x = x (a - r x - b y)
D^alpha y = -y (c - d x)
a = 2    # growth of the prey
b = 1.25
c = 1.5  # death of the predators
d = 0.75
r = 0    # crowding of the prey
x0 = 0.43
y0 = 1.36
alpha = 0.995 in (0, 1]
x(0) = x0
y(0) = y0
t in [0, 100]
