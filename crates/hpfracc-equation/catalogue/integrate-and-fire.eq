hpfracc equation 1
# Leaky integrate-and-fire neuron
# Membrane potential that returns to its reset value at each spike; the memory of earlier spikes adapts
# the times between them.
# Source: Teka, Marinov and Santamaria, PLoS Comput. Biol. 10 (2014) e1003526, DOI 10.1371/journal.pcbi.1003526
# Solve: collocation, 1000 steps
D^alpha V = (current - conductance (V - V_leak))/capacity
when V = V_threshold rising: V = V_reset
current = 0.6 [nA]
conductance = 0.025 in (0, inf) [uS]
capacity = 0.5 in (0, inf) [nF]
V_leak = -70 [mV]
V_threshold = -50 [mV]
V_reset = -70 [mV]
alpha = 0.9 in (0, 1]
V(0) = V_leak
t in [0, 1000]
