hpfracc equation 1
# Stable Levy motion
# Sum of independent stable increments, with jumps of all sizes: the variance is infinite for alpha < 2.
# Source: Nolan, Univariate Stable Distributions (2020), DOI 10.1007/978-3-030-52915-4
# Solve: euler-maruyama, 500 steps
dX = scale dL
L = stable(alpha, beta)
alpha = 1.7 in [1/2, 2]  # index of stability
beta = 0 in [-1, 1]      # skewness
scale = 1 in (0, inf)
X(0) = 0
t in [0, 1]
