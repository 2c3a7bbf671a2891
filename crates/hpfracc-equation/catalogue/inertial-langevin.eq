hpfracc equation 1
# Fractional Langevin equation with inertia
# Particle of mass m in a viscoelastic bath: m x'' = -gamma D^alpha x and thermal noise that balances
# the friction. Here u is D^alpha x, the derivative of order alpha - 1 of the velocity.
# Source: Lutz, Phys. Rev. E 64 (2001) 051106, DOI 10.1103/PhysRevE.64.051106
# Solve: euler-maruyama, 1000 steps
dx = v dt
dv = -(gamma/m) u dt + (strength/m) dB
D^(1 - alpha) u = v
B = fbm(1 - alpha/2)
strength = sqrt(2 gamma kt/Gamma(3 - alpha))  # fluctuation-dissipation theorem
alpha = 0.6 in (0, 1)
m = 1 in (0, inf)      # mass
gamma = 1 in (0, inf)  # friction
kt = 1 in [0, inf)     # temperature as an energy
x0 = 0
v0 = 0
x(0) = x0
v(0) = v0
u(0) = 0
t in [0, 10]
