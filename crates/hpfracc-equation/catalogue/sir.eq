hpfracc equation 1
# SIR epidemic
# An epidemic with memory, in shares of the population. The sum stays 1 for any order, because a
# constant has the derivative 0.
# Source: Kermack and McKendrick, Proc. R. Soc. A 115 (1927) 700, DOI 10.1098/rspa.1927.0118
# Solve: pece, 2000 steps
D^alpha susceptible = -beta susceptible infected
D^alpha infected = beta susceptible infected - gamma infected
D^alpha recovered = gamma infected
beta = 0.4   # rate of transmission
gamma = 0.1  # rate of recovery
i0 = 0.01
alpha = 0.9 in (0, 1]
susceptible(0) = 1 - i0
infected(0) = i0
recovered(0) = 0
t in [0, 120]
