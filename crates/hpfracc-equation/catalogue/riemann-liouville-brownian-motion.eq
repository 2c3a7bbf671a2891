hpfracc equation 1
# Brownian motion of Riemann and Liouville
# Fractional integral of white noise (type II fractional Brownian motion): its memory begins at t = 0.
# Source: Bennedsen, Lunde and Pakkanen, Finance Stoch. 21 (2017) 931, DOI 10.1007/s00780-017-0335-5
# Solve: fractional-euler-maruyama, 500 steps
D^(hurst + 1/2) X = sigma sqrt(2 hurst) Gamma(hurst + 1/2) dW/dt
hurst = 0.3 in (0, 1/2]  # Hurst exponent
sigma = 1 in [0, inf)    # standard deviation at t = 1
X(0) = 0
t in [0, 1]
