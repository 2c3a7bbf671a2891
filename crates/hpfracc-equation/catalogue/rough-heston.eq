hpfracc equation 1
# Rough Heston model
# Price X = ln S whose variance V returns to its mean with a rough kernel. The coefficients see the
# positive part of V (full truncation).
# Source: El Euch and Rosenbaum, Math. Finance 29 (2019) 3, DOI 10.1111/mafi.12173
# Solve: fractional-euler-maruyama, 500 steps
dX = -pos(V)/2 dt + sqrt(pos(V)) (rho dW + sqrt(1 - rho^2) dB)
D^(hurst + 1/2) V = kappa (theta - pos(V)) + nu sqrt(pos(V)) dW/dt
s0 = 1 in (0, inf)
v0 = 0.04 in [0, inf)
kappa = 1.5 in [0, inf)   # rate of return to the mean
theta = 0.04 in [0, inf)  # mean variance
nu = 0.2 in [0, inf)      # volatility of the variance
hurst = 0.12 in (0, 1/2]  # exponent H
rho = -0.7 in [-1, 1]     # correlation of price and variance
X(0) = ln(s0)
V(0) = v0
t in [0, 1]
show S = exp(X)
show positive_V = pos(V)
