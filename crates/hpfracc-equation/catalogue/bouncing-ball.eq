hpfracc equation 1
# Bouncing ball
# Each impact reverses the velocity and takes a part of it.
# Source: Guckenheimer and Holmes, Nonlinear Oscillations, Dynamical Systems, and Bifurcations of Vector Fields (1983), DOI 10.1007/978-1-4612-1140-2
# Solve: collocation, 600 steps
y' = v
v' = -g
when y = 0 falling: v = -restitution v
g = 9.81 in (0, inf) [m/s^2]
restitution = 0.8 in (0, 1]
height = 1 in (0, inf) [m]
y(0) = height
v(0) = 0
t in [0, 3]
