hpfracc equation 1
# Fractional Langevin equation
# Particle in a viscoelastic bath without inertia, with thermal noise that balances the friction.
# Source: Lutz, Phys. Rev. E 64 (2001) 051106, DOI 10.1103/PhysRevE.64.051106
# Solve: fractional-euler-maruyama, 500 steps
gamma D^alpha x = -k x + strength dB/dt
B = fbm(1 - alpha/2)
strength = sqrt(2 gamma kt/Gamma(3 - alpha))  # fluctuation-dissipation theorem
alpha = 0.6 in (0, 1]
gamma = 1 in (0, inf)  # friction
k = 0 in [0, inf)      # stiffness of the spring
kt = 1 in [0, inf)     # temperature as an energy
x0 = 0
x(0) = x0
t in [0, 10]
