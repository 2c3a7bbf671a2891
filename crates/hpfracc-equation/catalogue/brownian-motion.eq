hpfracc equation 1
# Brownian motion
# Sum of independent normal increments.
# Source: Uhlenbeck and Ornstein, Phys. Rev. 36 (1930) 823, DOI 10.1103/PhysRev.36.823
# Solve: euler-maruyama, 500 steps
dX = sigma dW
sigma = 1 in [0, inf)  # standard deviation at t = 1
X(0) = 0
t in [0, 1]
