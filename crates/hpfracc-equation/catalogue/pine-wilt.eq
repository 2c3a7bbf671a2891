hpfracc equation 1
# Pine wilt disease
# Nematodes kill pines and travel with beetles: S, E, I are pines that are susceptible, exposed and infected, U, X, V the
# beetles. Beetles infect pines while they feed and while they lay eggs.
# Source: Khan, Ullah, Okosun and Shah, Adv. Differ. Equ. 2018 (2018) 410, DOI 10.1186/s13662-018-1868-4; rates of Lee and Kim, Appl. Math. Model. 37 (2013) 4561
# Solve: pece, 4000 steps
CF D^alpha S = births_of_pines - infections - death_of_pines S
CF D^alpha E = infections - (onset + death_of_pines) E
CF D^alpha I = onset E - death_of_pines I
CF D^alpha U = births_of_beetles - boarding U I - death_of_beetles U
CF D^alpha X = boarding U I - (emergence + death_of_beetles) X
CF D^alpha V = emergence X - death_of_beetles V
infections = (feeding + laying) S V
births_of_pines = 0.009041 [1/day]
births_of_beetles = 0.002691 [1/day]
feeding = 0.00166     # transmission by feeding on young twigs
laying = 0.0004       # transmission by laying eggs
boarding = 0.00305    # nematodes that enter a beetle in a dead tree
onset = 0.133 [1/day]
emergence = 0.057142 [1/day]
death_of_pines = 0.0000301 [1/day]
death_of_beetles = 0.011764 [1/day]
alpha = 0.95 in (0, 1]
S(0) = 300
E(0) = 30
I(0) = 20
U(0) = 65
X(0) = 20
V(0) = 10
t in [0, 100]
