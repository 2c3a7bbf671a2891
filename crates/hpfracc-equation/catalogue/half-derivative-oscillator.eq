hpfracc equation 1
# Oscillator damped by a half-derivative
# A constant force that begins at t = 0 acts on a spring with fractional damping.
# Source: Arikoglu and Ozkol, Chaos Solitons Fractals 34 (2007) 1473, DOI 10.1016/j.chaos.2006.09.004
# Solve: trapezoid, 2000 steps
y'' + damping D^alpha y + stiffness y = force
damping = 1
stiffness = 1
force = 8
alpha = 0.5 in (0, 2)
y(0) = 0
y'(0) = 0
t in [0, 20]
