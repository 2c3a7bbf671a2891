hpfracc equation 1
# Hindmarsh-Rose neuron
# Bursts of spikes of a membrane potential x, which end by the slow adaptation z.
# Source: Kaslik, Fract. Calc. Appl. Anal. 20 (2017) 623, DOI 10.1515/fca-2017-0033
# Solve: pece, 20000 steps
D^alpha x = y - a x^3 + b x^2 - z + current
D^alpha y = c - d x^2 - y
D^alpha z = epsilon (s (x - rest) - z)
current = 3.25   # stimulus
a = 1
b = 3
c = 1
d = 5
epsilon = 0.005  # ratio of the time scales
s = 4
rest = -(1 + sqrt(5))/2  # resting potential
alpha = 0.8 in (0, 1]
x(0) = rest
y(0) = c - d rest^2
z(0) = 0
t in [0, 1000]
