hpfracc equation 1
# Fractional Brownian motion
# Self-similar Gaussian process with stationary increments: persistent for H > 1/2, antipersistent below.
# Source: Mandelbrot and Van Ness, SIAM Rev. 10 (1968) 422, DOI 10.1137/1010093
# Solve: euler-maruyama, 500 steps
dX = sigma dB
B = fbm(hurst)
hurst = 0.7 in (0, 1)  # Hurst exponent
sigma = 1 in [0, inf)  # standard deviation at t = 1
X(0) = 0
t in [0, 1]
