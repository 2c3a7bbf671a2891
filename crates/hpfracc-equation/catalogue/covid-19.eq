hpfracc equation 1
# COVID-19 with super-spreaders
# SEIR model with super-spreaders P, asymptomatic A, hospitalised H, and deaths F. At order 1 the reproduction number is
# 4.375 with these rates, those of Wuhan.
# Source: Ndairou, Area, Nieto, Silva and Torres, Chaos Solitons Fractals 144 (2021) 110652, DOI 10.1016/j.chaos.2021.110652; rates: 135 (2020) 109846, DOI 10.1016/j.chaos.2020.109846
# Solve: pece, 4000 steps
D^alpha S = -infections
D^alpha E = infections - kappa E
D^alpha I = kappa rho1 E - (gamma_a + gamma_i + delta_i) I
D^alpha P = kappa rho2 E - (gamma_a + gamma_i + delta_p) P
D^alpha A = kappa (1 - rho1 - rho2) E
D^alpha H = gamma_a (I + P) - (gamma_r + delta_h) H
D^alpha R = gamma_i (I + P) + gamma_r H
D^alpha F = delta_i I + delta_p P + delta_h H
infections = S/population*(beta I + l beta H + beta_p P)
population = 44000 in (0, inf)
beta = 2.55 [1/day]
l = 1.56                   # transmissibility of patients in hospital over that of others
beta_p = 7.65 [1/day]      # of super-spreaders
kappa = 0.25 [1/day]       # one over the latent period
rho1 = 0.58 in [0, 1]      # shares of the exposed that become infected
rho2 = 0.001 in [0, 1]     # and super-spreaders
gamma_a = 0.94 [1/day]     # hospitalisation
gamma_i = 0.27 [1/day]     # recovery at home
gamma_r = 0.5 [1/day]      # and in hospital
delta_i = 1/23 [1/day]     # deaths
delta_p = 1/23 [1/day]
delta_h = 1/23 [1/day]
alpha = 0.85 in (0, 1]
S(0) = population - 6
E(0) = 0
I(0) = 1
P(0) = 5
A(0) = 0
H(0) = 0
R(0) = 0
F(0) = 0
t in [0, 66]
