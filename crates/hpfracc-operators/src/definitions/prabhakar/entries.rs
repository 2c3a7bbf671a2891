//! Prabhakar's operators in the catalogue.

use super::{Prabhakar, PrabhakarKernel};
use crate::definitions::entry::{Definition, Entry, Parameter, Range, arc};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "rho",
        meaning: "power of t in the argument of the kernel",
        range: "0 < rho <= 2",
        default: None,
        example: 0.6,
    },
    Parameter {
        name: "gamma",
        meaning: "third parameter of the Mittag-Leffler function; 0 is the plain operator",
        range: "-2 <= gamma <= 2",
        default: None,
        example: 1.5,
    },
    Parameter {
        name: "omega",
        meaning: "factor in the argument of the kernel, in time^-rho",
        range: "a finite number",
        default: Some(-1.0),
        example: -0.8,
    },
];

const SOURCE: &str = "Garra, Gorenflo, Polito and Tomovski, Appl. Math. Comput. 242 (2014) 576, DOI 10.1016/j.amc.2014.05.129";

pub(super) const INTEGRAL: &Definition = &Definition {
    name: "prabhakar-integral",
    title: "Prabhakar integral",
    formula: "int_0^t (t-s)^(alpha-1) E^gamma_{rho,alpha}(omega (t-s)^rho) f(s) ds",
    of_constants: "c -> c t^alpha E^gamma_{rho,alpha+1}(omega t^rho)",
    of_powers: "t^q -> Gamma(q+1) t^(q+alpha) E^gamma_{rho,q+1+alpha}(omega t^rho)",
    relation: "gamma = 0: Riemann-Liouville integral; orders and gammas add",
    source: "Prabhakar, Yokohama Math. J. 19 (1971) 7; Giusti et al., Fract. Calc. Appl. Anal. 23 (2020) 9, DOI 10.1515/fca-2020-0002",
    parameters: PARAMETERS,
};

pub(super) const CAPUTO: &Definition = &Definition {
    name: "prabhakar-caputo",
    title: "regularised Prabhakar derivative",
    formula: "int_0^t (t-s)^-alpha E^{-gamma}_{rho,1-alpha}(omega (t-s)^rho) f'(s) ds",
    of_constants: "0",
    of_powers: "t^q -> Gamma(q+1) t^(q-alpha) E^{-gamma}_{rho,q+1-alpha}(omega t^rho), q > 0",
    relation: "gamma = 0: Caputo; the Prabhakar derivative of f - f(0)",
    source: SOURCE,
    parameters: PARAMETERS,
};

pub(super) const RIEMANN: &Definition = &Definition {
    name: "prabhakar-riemann-liouville",
    title: "Prabhakar derivative",
    formula: "d/dt int_0^t (t-s)^-alpha E^{-gamma}_{rho,1-alpha}(omega (t-s)^rho) f(s) ds",
    of_constants: "c -> c t^-alpha E^{-gamma}_{rho,1-alpha}(omega t^rho)",
    of_powers: "t^q -> Gamma(q+1) t^(q-alpha) E^{-gamma}_{rho,q+1-alpha}(omega t^rho), q > -1",
    relation: "gamma = 0: Riemann-Liouville; left inverse of the Prabhakar integral",
    source: SOURCE,
    parameters: PARAMETERS,
};

fn kernel(values: &[f64]) -> PrabhakarKernel {
    PrabhakarKernel { rho: values[0], gamma: values[1], omega: values[2] }
}

pub(crate) const INTEGRAL_ENTRIES: &[Entry] =
    &[INTEGRAL.scheme("trapezoid", Range::TO_TWO, "2", |order, v| {
        arc(Prabhakar::integral(order, kernel(v))?)
    })];

pub(crate) const CAPUTO_ENTRIES: &[Entry] =
    &[CAPUTO.scheme("l1", Range::UNIT, "2 - alpha", |order, v| {
        arc(Prabhakar::caputo(order, kernel(v))?)
    })];

pub(crate) const RIEMANN_ENTRIES: &[Entry] =
    &[RIEMANN.scheme("l1", Range::UNIT, "2 - alpha", |order, v| {
        arc(Prabhakar::riemann_liouville(order, kernel(v))?)
    })];
