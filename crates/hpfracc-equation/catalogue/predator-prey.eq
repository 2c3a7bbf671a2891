hpfracc equation 1
# Predator-prey system with saturation
# The predators' appetite is limited (functional response of type II): a cycle for large capacities.
# Source: Rosenzweig and MacArthur, Am. Nat. 97 (1963) 209, DOI 10.1086/282272
# Solve: pece, 10000 steps
D^alpha x = r x (1 - x/capacity) - predation
D^alpha y = efficiency predation - mortality y
predation = a x y/(1 + a h x)
r = 1
capacity = 4 in (0, inf)
a = 1              # rate of attack
h = 1              # time to handle one prey
efficiency = 0.8
mortality = 0.4
x0 = 1
y0 = 0.5
alpha = 0.95 in (0, 1]
x(0) = x0
y(0) = y0
t in [0, 200]
