hpfracc equation 1
# Tumour and immune cells
# Immune cells x that respond to a tumour y: dormant or escaping tumours.
# Source: Kuznetsov, Makalkin, Taylor and Perelson, Bull. Math. Biol. 56 (1994) 295, DOI 10.1007/BF02460644
# Solve: pece, 5000 steps
D^alpha x = sigma + rho x y/(eta + y) - mu x y - delta x
D^alpha y = a y (1 - b y) - x y
sigma = 0.1181
rho = 1.131
eta = 20.19
mu = 0.00311
delta = 0.3743
a = 1.636
b = 0.002
x0 = 0.5
y0 = 50
alpha = 0.98 in (0, 1]
x(0) = x0
y(0) = y0
t in [0, 100]
