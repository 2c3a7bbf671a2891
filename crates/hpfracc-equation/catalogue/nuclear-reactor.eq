hpfracc equation 1
# Point kinetics of a nuclear reactor
# Neutrons n with one group of delayed precursors C, after a step of the reactivity: stiff.
# Source: Hetrick, Dynamics of Nuclear Reactors (1971); with fractional orders, in another form, Espinosa-Paredes et al., Ann. Nucl. Energy 38 (2011) 307
# Solve: l1, 4000 steps, grading 3
D^alpha n = (reactivity - beta)/generation*n + lambda C
D^alpha C = beta/generation*n - lambda C
reactivity = 0.003
beta = 0.0065 in [0, 1]           # share of the delayed neutrons
lambda = 0.08 in (0, inf) [1/s]   # decay of the precursors
generation = 1e-3 in (0, inf) [s] # time between two generations of neutrons
alpha = 0.98 in (0, 1]
n(0) = 1
C(0) = beta/(generation lambda)
t in [0, 20]
