hpfracc equation 1
# Oregonator
# The Belousov-Zhabotinskii reaction: a stiff chemical oscillator.
# Source: Field and Noyes, J. Chem. Phys. 60 (1974) 1877, DOI 10.1063/1.1681288; parameters of Mazzia and Magherini, Test Set for Initial Value Problem Solvers (2008)
# Solve: collocation, 1000 steps
D^alpha x = s (y + x (1 - q x - y))
D^alpha y = (z - (1 + x) y)/s
D^alpha z = w (x - z)
s = 77.27
w = 0.161
q = 8.375e-6
alpha = 1 in (0, 1]
x(0) = 1
y(0) = 2
z(0) = 3
t in [0, 360]
