hpfracc equation 1
# FitzHugh-Nagumo neuron
# Spiking of a membrane potential v with a recovery variable w, whose orders differ.
# Source: Brandibur and Kaslik, Math. Methods Appl. Sci. 41 (2018) 7182, DOI 10.1002/mma.4768
# Solve: l1, 10000 steps
D^alpha1 v = v - v^3/3 - w + current
D^alpha2 w = r (v + c - d w)
current = 1.24567  # stimulus
r = 0.08           # ratio of the time scales
c = 0.7
d = 0.8
v0 = 0.7
w0 = 1.775
alpha1 = 0.7 in (0, 1]
alpha2 = 0.8 in (0, 1]
v(0) = v0
w(0) = w0
t in [0, 1000]
