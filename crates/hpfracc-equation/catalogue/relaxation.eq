hpfracc equation 1
# Relaxation
# Decay that begins faster and ends slower than an exponential: a power law t^-alpha for long times.
# Source: Mainardi, Chaos Solitons Fractals 7 (1996) 1461, DOI 10.1016/0960-0779(95)00125-5
# Solve: pece, 1000 steps
D^alpha y = -rate y
rate = 1
y0 = 1
alpha = 0.6 in (0, 1]
y(0) = y0
t in [0, 10]
show exact_y = y0 E(alpha, -rate t^alpha)
