hpfracc equation 1
# Hodgkin-Huxley neuron
# Action potentials of the squid's giant axon; V is the deviation from rest, and n, m, h are the gates of
# potassium and sodium channels.
# Source: Hodgkin and Huxley, J. Physiol. 117 (1952) 500, DOI 10.1113/jphysiol.1952.sp004764; with fractional orders Nagy and Sweilam, Phys. Lett. A 378 (2014) 1980, DOI 10.1016/j.physleta.2014.06.012
# Solve: pece, 20000 steps
D^alpha V = (current - g_Na m^3 h (V - V_Na) - g_K n^4 (V - V_K) - g_L (V - V_L))/C
D^alpha n = alpha_n (1 - n) - beta_n n
D^alpha m = alpha_m (1 - m) - beta_m m
D^alpha h = alpha_h (1 - h) - beta_h h
alpha_n = 0.01 (10 - V)/expm1((10 - V)/10)
beta_n = 0.125 exp(-V/80)
alpha_m = 0.1 (25 - V)/expm1((25 - V)/10)
beta_m = 4 exp(-V/18)
alpha_h = 0.07 exp(-V/20)
beta_h = 1/(exp((30 - V)/10) + 1)
current = 15 [uA/cm^2]
C = 1 in (0, inf) [uF/cm^2]
g_Na = 120 in [0, inf) [mS/cm^2]
g_K = 36 in [0, inf) [mS/cm^2]
g_L = 0.3 in [0, inf) [mS/cm^2]
V_Na = 115 [mV]
V_K = -12 [mV]
V_L = 10.613 [mV]
alpha = 0.95 in (0, 1]
V(0) = 0
n(0) = 0.3177
m(0) = 0.0529
h(0) = 0.5961
t in [0, 100]
