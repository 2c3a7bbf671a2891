hpfracc equation 1
# HIV in the blood
# Healthy T cells, infected T cells and virus during the primary infection.
# Source: Perelson and Nelson, SIAM Rev. 41 (1999) 3, DOI 10.1137/S0036144598335107
# Solve: l1, 4000 steps
D^alpha T = s - d T - k T V
D^alpha I = k T V - delta I
D^alpha V = burst delta I - c V
s = 10 in [0, inf)        # new T cells [per mm^3 and day]
d = 0.01 in (0, inf)      # death of healthy cells [1/day]
k = 2.4e-5 in [0, inf)    # infection [mm^3/day]
delta = 0.5 in (0, inf)   # death of infected cells [1/day]
burst = 800 in [0, inf)   # virus from one cell
c = 3 in (0, inf)         # clearance of the virus [1/day]
v0 = 1e-3 in [0, inf)
alpha = 0.95 in (0, 1]
T(0) = s/d
I(0) = 0
V(0) = v0
t in [0, 200]
