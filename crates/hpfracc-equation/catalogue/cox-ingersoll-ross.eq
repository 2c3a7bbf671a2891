hpfracc equation 1
# Cox-Ingersoll-Ross process
# Interest rate or variance that returns to its mean. Drift and noise see the positive part of X (full
# truncation), which is the quantity to look at.
# Source: Cox, Ingersoll and Ross, Econometrica 53 (1985) 385, DOI 10.2307/1911242
# Solve: euler-maruyama, 500 steps
dX = kappa (theta - pos(X)) dt + sigma sqrt(pos(X)) dW
kappa = 1.5 in (0, inf)   # rate of return to the mean
theta = 0.04 in [0, inf)  # mean
sigma = 0.3 in [0, inf)   # strength of the noise
x0 = 0.04 in [0, inf)
X(0) = x0
t in [0, 5]
show positive_X = pos(X)
