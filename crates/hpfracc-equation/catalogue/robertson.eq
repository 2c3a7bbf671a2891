hpfracc equation 1
# Robertson's reactions
# Stiff kinetics of three reactions whose rates span nine orders of magnitude.
# Source: Robertson, in Numerical Analysis: An Introduction, Academic Press (1966) 178
# Solve: collocation, 1000 steps, grading 5
D^alpha y1 = -k1 y1 + k3 y2 y3
D^alpha y2 = k1 y1 - k3 y2 y3 - k2 y2^2
D^alpha y3 = k2 y2^2
k1 = 0.04
k2 = 3e7
k3 = 1e4
alpha = 0.9 in (0, 1]
y1(0) = 1
y2(0) = 0
y3(0) = 0
t in [0, 1e6]
