hpfracc equation 1
# Lorenz system
# Convection in three modes: chaotic down to orders of about 0.99 at the default parameters.
# Source: Grigorenko and Grigorenko, Phys. Rev. Lett. 91 (2003) 034101, DOI 10.1103/PhysRevLett.91.034101
# Solve: pece, 10000 steps
D^alpha x = sigma (y - x)
D^alpha y = x (rho - z) - y
D^alpha z = x y - beta z
sigma = 10  # Prandtl number
rho = 28    # Rayleigh number over its critical value
beta = 8/3  # shape of the convection cells
x0 = 1
y0 = 1
z0 = 1
alpha = 0.995 in (0, 1]
x(0) = x0
y(0) = y0
z(0) = z0
t in [0, 50]
