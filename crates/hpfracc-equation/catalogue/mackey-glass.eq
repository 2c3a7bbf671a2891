hpfracc equation 1
# Mackey-Glass equation
# Blood cells whose production depends on their number a time tau ago: chaotic for tau = 17 and beyond.
# Source: Mackey and Glass, Science 197 (1977) 287, DOI 10.1126/science.267326
# Solve: pece, 20000 steps
D^alpha y = beta y(t - tau)/(1 + y(t - tau)^10) - gamma y
beta = 0.2
gamma = 0.1
tau = 17 in (0, inf)
y0 = 1.2
alpha = 1 in (0, 1]
y(t) = y0 for t <= 0
t in [0, 500]
