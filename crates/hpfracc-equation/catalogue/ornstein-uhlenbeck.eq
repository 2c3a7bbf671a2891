hpfracc equation 1
# Ornstein-Uhlenbeck process
# Noise that returns to its mean at an exponential rate.
# Source: Uhlenbeck and Ornstein, Phys. Rev. 36 (1930) 823, DOI 10.1103/PhysRev.36.823
# Solve: euler-maruyama, 500 steps
dX = theta (mu - X) dt + sigma dW
theta = 1 in (0, inf)    # rate of return to the mean
mu = 0                   # mean
sigma = 0.5 in [0, inf)  # strength of the noise
x0 = 1
X(0) = x0
t in [0, 5]
