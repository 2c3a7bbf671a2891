hpfracc equation 1
# Lorenz system with noise
# Convection in three modes under independent additive noises.
# Source: Lorenz, J. Atmos. Sci. 20 (1963) 130, DOI 10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2
# Solve: euler-maruyama, 10000 steps
dx = sigma (y - x) dt + noise dW1
dy = (x (rho - z) - y) dt + noise dW2
dz = (x y - beta z) dt + noise dW3
sigma = 10  # Prandtl number
rho = 28    # Rayleigh number over its critical value
beta = 8/3  # shape of the convection cells
noise = 1 in [0, inf)
x0 = 1
y0 = 1
z0 = 1
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 20]
