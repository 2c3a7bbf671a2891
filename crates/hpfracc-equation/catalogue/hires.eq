hpfracc equation 1
# High irradiance response
# Eight stiff reactions by which light steers the growth of plants.
# Source: Schaefer, J. Math. Biol. 2 (1975) 41; Mazzia and Magherini, Test Set for Initial Value Problem Solvers (2008)
# Solve: collocation, 1000 steps
D^alpha y1 = -1.71y1 + 0.43y2 + 8.32y3 + 0.0007
D^alpha y2 = 1.71y1 - 8.75y2
D^alpha y3 = -10.03y3 + 0.43y4 + 0.035y5
D^alpha y4 = 8.32y2 + 1.71y3 - 1.12y4
D^alpha y5 = -1.745y5 + 0.43y6 + 0.43y7
D^alpha y6 = -k y6 y8 + 0.69y4 + 1.71y5 - 0.43y6 + 0.69y7
D^alpha y7 = k y6 y8 - 1.81y7
D^alpha y8 = -k y6 y8 + 1.81y7
k = 280
alpha = 1 in (0, 1]
y1(0) = 1
y2(0) = 0
y3(0) = 0
y4(0) = 0
y5(0) = 0
y6(0) = 0
y7(0) = 0
y8(0) = 0.0057
t in [0, 321.8122]
