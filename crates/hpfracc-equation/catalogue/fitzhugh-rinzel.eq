hpfracc equation 1
# FitzHugh-Rinzel neuron
# Bursts of the membrane potential v, which a slow current y begins and ends.
# Source: Mondal, Sharma, Upadhyay and Mondal, Sci. Rep. 9 (2019) 15721, DOI 10.1038/s41598-019-52061-4
# Solve: l1, 15000 steps
D^alpha v = v - v^3/3 - w + y + current
D^alpha w = delta (a + v - b w)
D^alpha y = mu (c - v - d y)
current = 0.4  # stimulus
a = 0.7
b = 0.8
c = -0.775
d = 1
delta = 0.08
mu = 1e-4         # rate of the slow current
alpha = 0.725 in (0, 1]
v(0) = 0.1
w(0) = 0.1
y(0) = 0.1
t in [0, 1500]
