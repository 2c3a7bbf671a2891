hpfracc equation 1
# Morris-Lecar neuron
# Bursting of a membrane potential V with a potassium gate w and a slow current I.
# Source: Shi and Wang, Commun. Nonlinear Sci. Numer. Simul. 19 (2014) 1956, DOI 10.1016/j.cnsns.2013.10.032
# Solve: l1, 13000 steps
D^alpha V = (g_Ca m (V_Ca - V) + g_K w (V_K - V) + g_L (V_L - V) + I)/C
D^alpha w = (w_rest - w)*phi cosh((V - V3)/(2 V4))
D^alpha I = -epsilon (V0 + V)
m = (1 + tanh((V - V1)/V2))/2
w_rest = (1 + tanh((V - V3)/V4))/2
C = 1
g_Ca = 1.36
g_K = 2
g_L = 0.5
V_Ca = 1
V_K = -0.725
V_L = -0.5
V0 = 0.1
V1 = -0.01
V2 = 0.15
V3 = 0.1
V4 = 0.16
phi = 1/3
epsilon = 0.003
alpha = 0.995 in (0, 1]
V(0) = -0.5
w(0) = 0
I(0) = -V0
t in [0, 1000]
