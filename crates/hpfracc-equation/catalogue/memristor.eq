hpfracc equation 1
# Memristor oscillator
# Chua's circuit with a memristor, whose conductance depends on the flux w through it.
# Source: Itoh and Chua, Int. J. Bifurcation Chaos 18 (2008) 3183, DOI 10.1142/S0218127408022354; with fractional orders Petras, IEEE Trans. Circuits Syst. II 57 (2010) 975, DOI 10.1109/TCSII.2010.2083150
# Solve: pece, 20000 steps
D^alpha x = a (y - x + xi x - conductance x)
D^alpha y = x - y + z
D^alpha z = -b y - c z
D^alpha w = x
conductance = if(abs(w) < 1, inner, outer)
a = 10
b = 13
c = 0.35
xi = 1.5
inner = 0.3
outer = 0.8
alpha = 0.97 in (0, 1]
x(0) = 0.8
y(0) = 0.05
z(0) = 0.007
w(0) = 0.6
t in [0, 100]
