hpfracc equation 1
# SEIR epidemic
# An epidemic with a latent period, births and deaths, in shares of the population.
# Source: Hethcote, SIAM Rev. 42 (2000) 599, DOI 10.1137/S0036144500371907
# Solve: pece, 4000 steps
D^alpha S = mu - beta S I - mu S
D^alpha E = beta S I - (sigma + mu) E
D^alpha I = sigma E - (gamma + mu) I
D^alpha R = gamma I - mu R
beta = 0.5      # rate of transmission
sigma = 0.2     # one over the latent period
gamma = 0.1     # rate of recovery
mu = 4e-5       # births and deaths
i0 = 1e-3
alpha = 0.95 in (0, 1]
S(0) = 1 - i0
E(0) = 0
I(0) = i0
R(0) = 0
t in [0, 200]
