hpfracc equation 1
# Enzyme kinetics with a delay
# Chain of reactions whose end product inhibits the first step a time tau later: a cycle.
# Source: Okamoto and Hayashi, J. Theor. Biol. 108 (1984) 529; Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I (1993), DOI 10.1007/978-3-540-78862-1
# Solve: pece, 16000 steps
D^alpha y1 = feed - first
D^alpha y2 = first - y2
D^alpha y3 = y2 - y3
D^alpha y4 = y3 - 0.5y4
first = y1/(1 + inhibition y4(t - tau)^3)
feed = 10.5
inhibition = 0.0005
tau = 4 in (0, inf)
alpha = 1 in (0, 1]
y1(t) = 60 for t <= 0
y2(t) = 10 for t <= 0
y3(t) = 10 for t <= 0
y4(t) = 20 for t <= 0
t in [0, 160]
