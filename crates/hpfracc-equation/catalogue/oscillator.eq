hpfracc equation 1
# Oscillator
# Between relaxation and wave: a damped oscillation that ends as a power law.
# Source: Mainardi, Chaos Solitons Fractals 7 (1996) 1461, DOI 10.1016/0960-0779(95)00125-5
# Solve: pece, 2000 steps
D^alpha y = -omega^2 y
omega = 1
y0 = 1
v0 = 0
alpha = 1.8 in (1, 2]
y(0) = y0
y'(0) = v0
t in [0, 40]
show exact_y = y0 E(alpha, -omega^2 t^alpha) + v0 t E(alpha, 2, -omega^2 t^alpha)
