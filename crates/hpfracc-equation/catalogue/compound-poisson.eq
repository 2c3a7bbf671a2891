hpfracc equation 1
# Compound Poisson process with normal jumps
# Jumps at independent times, as in Merton's model of a price.
# Source: Merton, J. Financ. Econ. 3 (1976) 125, DOI 10.1016/0304-405X(76)90022-2
# Solve: euler-maruyama, 500 steps
dX = dN
N = poisson(intensity, normal(jump_mean, jump_standard_deviation))
intensity = 5 in [0, inf)  # jumps per unit of time
jump_mean = 0
jump_standard_deviation = 1 in [0, inf)
X(0) = 0
t in [0, 2]
