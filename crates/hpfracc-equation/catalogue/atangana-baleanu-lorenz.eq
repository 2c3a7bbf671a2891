hpfracc equation 1
# Lorenz system with the derivative of Atangana and Baleanu
# The kernel is bounded: a part of the right-hand side acts without delay.
# Source: Atangana and Seda Araz, New Numerical Scheme with Newton Polynomial (2021), ISBN 978-0-323-85448-1
# Solve: pece, 10000 steps
AB D^alpha x = sigma (y - x)
AB D^alpha y = x (rho - z) - y
AB D^alpha z = x y - beta z
sigma = 10
rho = 28
beta = 8/3
alpha = 0.998 in (0, 1]
x(0) = -2
y(0) = 1
z(0) = -1
t in [0, 50]
