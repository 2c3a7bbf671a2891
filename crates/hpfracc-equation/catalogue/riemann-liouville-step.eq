hpfracc equation 1
# Step response with the derivative of Riemann and Liouville
# Answer of a viscoelastic element to a constant load that begins at t = 0.
# Source: Podlubny, Fractional Differential Equations (1999), section 8.4, ISBN 978-0-12-558840-9
# Solve: pece, 1000 steps
RL D^alpha y = load - rate y
load = 1
rate = 1
alpha = 0.6 in (0, 1]
y(0) = 0
t in [0, 10]
show exact_y = load t^alpha E(alpha, alpha + 1, -rate t^alpha)
