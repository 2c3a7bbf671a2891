hpfracc equation 1
# Ornstein-Uhlenbeck process with a Caputo derivative
# Return to the mean along a Mittag-Leffler function, with a noise that has the same memory.
# Source: Anh and McVinish, J. Appl. Math. Stoch. Anal. 16 (2003) 97, DOI 10.1155/S1048953303000078
# Solve: fractional-euler-maruyama, 500 steps
D^alpha X = theta (mu - X) + sigma dW/dt
alpha = 0.8 in (1/2, 1]
theta = 1 in (0, inf)    # rate of return to the mean
mu = 0                   # mean
sigma = 0.5 in [0, inf)  # strength of the noise
x0 = 1
X(0) = x0
t in [0, 5]
show mean_X = mu + (x0 - mu) E(alpha, -theta t^alpha)
