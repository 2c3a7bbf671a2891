hpfracc equation 1
# Rough Bergomi model
# Price X = ln S whose variance V is the exponential of a rough Gaussian process Y of exponent H.
# Source: Bayer, Friz and Gatheral, Quant. Finance 16 (2016) 887, DOI 10.1080/14697688.2015.1099717
# Solve: fractional-euler-maruyama, 500 steps
dX = -V/2 dt + sqrt(V) (rho dW + sqrt(1 - rho^2) dB)
D^(hurst + 1/2) Y = eta sqrt(2 hurst) Gamma(hurst + 1/2) dW/dt
V = xi0 exp(Y - eta^2/2 t^(2 hurst))
s0 = 1 in (0, inf)
xi0 = 0.055225 in (0, inf)  # mean variance
eta = 1.9 in [0, inf)       # volatility of the variance
hurst = 0.07 in (0, 1/2]    # exponent H
rho = -0.9 in [-1, 1]       # correlation of price and variance
X(0) = ln(s0)
Y(0) = 0
t in [0, 1]
show S = exp(X)
show variance = V
