hpfracc equation 1
# Van der Pol oscillator
# Relaxation oscillator with nonlinear damping, stiff for large mu.
# Source: Barbosa, Tenreiro Machado, Vinagre and Calderon, J. Vib. Control 13 (2007) 1291, DOI 10.1177/1077546307077463
# Solve: trapezoid, 5000 steps
D^alpha x = y
D^alpha y = mu (1 - x^2) y - x
mu = 1 in [0, inf)
x0 = 2
y0 = 0
alpha = 0.95 in (0, 1]
x(0) = x0
y(0) = y0
t in [0, 50]
