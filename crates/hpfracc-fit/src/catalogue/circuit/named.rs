/// Circuit with a name of its own.
pub(in crate::catalogue) struct NamedCircuit {
    pub(in crate::catalogue) name: &'static str,
    pub(in crate::catalogue) circuit: &'static str,
    pub(in crate::catalogue) title: &'static str,
    pub(in crate::catalogue) about: &'static str,
    pub(in crate::catalogue) source: &'static str,
}

const fn named(
    name: &'static str,
    circuit: &'static str,
    title: &'static str,
    about: &'static str,
    source: &'static str,
) -> NamedCircuit {
    NamedCircuit { name, circuit, title, about, source }
}

const WARBURG: &str = "Warburg, Ann. Phys. 303 (1899) 493, DOI 10.1002/andp.18993030302";
const BOUNDED: &str = "Franceschetti and Macdonald, J. Electroanal. Chem. 101 (1979) 307, DOI 10.1016/S0022-0728(79)80042-X";
const RANDLES: &str = "Randles, Discuss. Faraday Soc. 1 (1947) 11, DOI 10.1039/DF9470100011";
const COLE: &str = "Cole and Cole, J. Chem. Phys. 9 (1941) 341, DOI 10.1063/1.1750906";

/// Circuits in the list of models.
pub(in crate::catalogue) const NAMED: [NamedCircuit; 9] = [
    named(
        "constant-phase-element",
        "R0-CPE1",
        "Resistance and constant phase element",
        "A blocking electrode with the phase -90 n degrees: n = 1 is a capacitance, n = 1/2 a diffusion.",
        COLE,
    ),
    named(
        "zarc",
        "R0-ZARC1",
        "Resistance and constant phase element in parallel",
        "A depressed semicircle, the impedance of a Cole-Cole relaxation.",
        COLE,
    ),
    named(
        "warburg",
        "R0-W1",
        "Warburg impedance, semi-infinite",
        "Diffusion from a half-space: a line of 45 degrees.",
        WARBURG,
    ),
    named(
        "warburg-open",
        "R0-Wo1",
        "Warburg impedance, open end",
        "Diffusion in a layer with a blocking end (finite space): a line of 45 degrees, then a capacitance.",
        BOUNDED,
    ),
    named(
        "warburg-short",
        "R0-Ws1",
        "Warburg impedance, shorted end",
        "Diffusion through a layer to a reservoir (finite length): a line of 45 degrees, then an arc.",
        BOUNDED,
    ),
    named(
        "gerischer",
        "R0-G1",
        "Gerischer impedance",
        "Diffusion with a chemical reaction before it.",
        "Gerischer, Z. Phys. Chem. 198 (1951) 286",
    ),
    named(
        "randles",
        "R0-p(R1-W1,C1)",
        "Randles circuit",
        "Charge transfer and diffusion beside the capacitance of the double layer.",
        RANDLES,
    ),
    named(
        "randles-cpe",
        "R0-p(R1-W1,CPE1)",
        "Randles circuit with a constant phase element",
        "Charge transfer and diffusion beside the double layer of a rough electrode.",
        RANDLES,
    ),
    named(
        "randles-two-arcs",
        "R0-p(R1,CPE1)-p(R2-Wo1,CPE2)",
        "Randles circuit of two arcs with constant phase elements",
        "A film and a charge transfer with diffusion in particles: a battery.",
        RANDLES,
    ),
];
