hpfracc equation 1
# Ebola epidemic
# SEIR model with deaths, with the rates estimated for Guinea in 2014; D counts the deaths.
# Source: Althaus, PLoS Curr. Outbreaks (2014), DOI 10.1371/currents.outbreaks.91afb5e0f279e7f29e7056095255b288
# Solve: pece, 4000 steps
D^alpha S = -infections
D^alpha E = infections - sigma E
D^alpha I = sigma E - gamma I
D^alpha R = (1 - fatality) gamma I
D^alpha deaths = fatality gamma I
infections = beta S I/population
population = 1e6
beta = 0.27 [1/day]
sigma = 1/5.3 [1/day]   # incubation of 5.3 days
gamma = 1/5.61 [1/day]  # infectious for 5.61 days
fatality = 0.74 in [0, 1]
alpha = 1 in (0, 1]
S(0) = population - 1
E(0) = 0
I(0) = 1
R(0) = 0
deaths(0) = 0
t in [0, 365]
