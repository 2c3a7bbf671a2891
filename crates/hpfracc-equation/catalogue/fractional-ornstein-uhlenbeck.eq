hpfracc equation 1
# Fractional Ornstein-Uhlenbeck process
# Return to the mean under fractional Brownian noise: persistent for H > 1/2, antipersistent below.
# Source: Cheridito, Kawaguchi and Maejima, Electron. J. Probab. 8 (2003) 3, DOI 10.1214/EJP.v8-125
# Solve: euler-maruyama, 500 steps
dX = theta (mu - X) dt + sigma dB
B = fbm(hurst)
theta = 1 in (0, inf)    # rate of return to the mean
mu = 0                   # mean
sigma = 0.5 in [0, inf)  # strength of the noise
hurst = 0.7 in (0, 1)    # Hurst exponent
x0 = 1
X(0) = x0
t in [0, 5]
