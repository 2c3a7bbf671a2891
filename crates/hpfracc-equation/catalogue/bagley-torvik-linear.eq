hpfracc equation 1
# Bagley-Torvik equation with a linear solution
# Test equation of three derivatives with y = 1 + t.
# Source: Diethelm and Ford, BIT 42 (2002) 490, DOI 10.1023/A:1021973025166
# Solve: trapezoid, 500 steps
y'' + D^(3/2) y + y = 1 + t
y(0) = 1
y'(0) = 1
t in [0, 5]
show exact_y = 1 + t
