hpfracc equation 1
# Chemical Langevin equation of a bacterial stress response
# A sigma factor s that activates itself, and a chain of three components that represses it; each of
# the eight reactions has a noise of its own.
# Source: Utkarsh et al., Comput. Methods Appl. Mech. Eng. (2024), arXiv 2304.06835
# Solve: euler-maruyama, 10000 steps
ds = (production - s) dt + eta sqrt(pos(production)) dW1 - eta sqrt(pos(s)) dW2
da1 = (s - a1)/tau*dt + eta sqrt(pos(s)/tau) dW3 - eta sqrt(pos(a1)/tau) dW4
da2 = (a1 - a2)/tau*dt + eta sqrt(pos(a1)/tau) dW5 - eta sqrt(pos(a2)/tau) dW6
da3 = (a2 - a3)/tau*dt + eta sqrt(pos(a2)/tau) dW7 - eta sqrt(pos(a3)/tau) dW8
production = v0 + drive/(drive + (repression pos(a3))^3 + 1)
drive = (stress pos(s))^3
stress = 2.3 in [0, inf)
repression = 5 in [0, inf)
tau = 10 in (0, inf)
v0 = 0.1 in [0, inf)
eta = 0.1 in [0, inf)
s(0) = v0
a1(0) = v0
a2(0) = v0
a3(0) = v0
t in [0, 1000]
