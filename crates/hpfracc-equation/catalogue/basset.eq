hpfracc equation 1
# Basset's equation
# Velocity of a sphere that sinks in a viscous fluid: the history force is a half derivative.
# Source: Mainardi, in Fractals and Fractional Calculus in Continuum Mechanics (1997) 291, DOI 10.1007/978-3-7091-2664-6_7
# Solve: trapezoid, 2000 steps
v' + a D^alpha v + v = 1
a = 1 in [0, inf)  # strength of the history force
alpha = 0.5 in (0, 1)
v(0) = 0
t in [0, 20]
