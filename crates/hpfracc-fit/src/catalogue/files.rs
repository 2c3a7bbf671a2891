/// Names and texts of the files.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../catalogue/", $name, ".txt")))),+]
    };
}

/// All files, by family.
pub(super) const FILES: &[(&str, &str)] = &files![
    "mittag-leffler-relaxation",
    "stretched-exponential",
    "power-law-relaxation",
    "springpot-modulus",
    "springpot-relaxation",
    "springpot-creep",
    "fractional-maxwell-modulus",
    "fractional-maxwell-relaxation",
    "fractional-maxwell-creep",
    "fractional-kelvin-voigt-modulus",
    "fractional-kelvin-voigt-relaxation",
    "fractional-kelvin-voigt-creep",
    "fractional-zener-modulus",
    "fractional-zener-relaxation",
    "fractional-zener-creep",
    "fractional-poynting-thomson-modulus",
    "fractional-poynting-thomson-relaxation",
    "fractional-poynting-thomson-creep",
    "series-springpots-modulus",
    "series-springpots-relaxation",
    "series-springpots-creep",
    "parallel-springpots-modulus",
    "parallel-springpots-relaxation",
    "parallel-springpots-creep",
    "debye",
    "cole-cole",
    "cole-davidson",
    "havriliak-negami",
    "ohmic-conductivity",
    "mean-squared-displacement",
    "xpcs-g1",
    "xpcs-g2",
    "xpcs-g2-mittag-leffler",
    "xpcs-two-time",
    "xpcs-two-time-mittag-leffler",
    "xpcs-two-time-laminar-flow",
    "fractional-transfer-function",
];
