hpfracc equation 1
# Glucose and insulin
# Minimal model of a glucose tolerance test: glucose G, insulin I and its delayed action X.
# Source: Pacini and Bergman, Comput. Methods Programs Biomed. 23 (1986) 113, DOI 10.1016/0169-2607(86)90106-9
# Solve: pece, 4000 steps
D^alpha G = -(p1 + X) G + p1 G_base
D^alpha X = -p2 X + p3 (I - I_base)
D^alpha I = -n (I - I_base) + g pos(G - h) t
p1 = 0.03082 [1/min]
p2 = 0.02093 [1/min]
p3 = 1.062e-5
n = 0.3 [1/min]
g = 0.003349
h = 89.5 [mg/dl]
G_base = 92 [mg/dl]
I_base = 7.3 [mU/l]
G0 = 287 [mg/dl]
I0 = 403.4 [mU/l]
alpha = 1 in (0, 1]
G(0) = G0
X(0) = 0
I(0) = I0
t in [0, 180]
