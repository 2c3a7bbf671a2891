hpfracc equation 1
# Geometric Brownian motion
# Price with independent relative changes, as in the model of Black and Scholes.
# Source: Samuelson, Ind. Manage. Rev. 6 (1965) 13
# Solve: euler-maruyama, 250 steps
dS = mu S dt + sigma S dW
mu = 0.05                # rate of growth of the mean
sigma = 0.2 in [0, inf)  # volatility
s0 = 1 in (0, inf)
S(0) = s0
t in [0, 1]
show mean_S = s0 exp(mu t)
