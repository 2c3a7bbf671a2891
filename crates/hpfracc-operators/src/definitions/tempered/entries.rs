//! Tempered operators in the catalogue.

use super::{Tempered, TemperedIntegral};
use crate::definitions::entry::{Definition, Entry, Parameter, Range, arc, outside};

const LAMBDA: Parameter = Parameter {
    name: "lambda",
    meaning: "decay of the memory, in 1/time; 0 is the plain operator",
    range: "lambda >= 0",
    default: None,
    example: 0.5,
};

const SOURCE: &str = "Meerschaert, Zhang and Baeumer, Geophys. Res. Lett. 35 (2008) L17403, DOI 10.1029/2008GL034899";

const RIEMANN: &Definition = &Definition {
    name: "tempered-riemann-liouville",
    title: "tempered Riemann-Liouville derivative",
    formula: "exp(-lambda t) D^alpha (exp(lambda t) f), D^alpha of Riemann and Liouville",
    of_constants: "c -> c lambda^alpha, once they have been there for long",
    of_powers: "exp(-lambda t) t^q -> exp(-lambda t) Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha), q > -1",
    relation: "lambda = 0: Riemann-Liouville; left inverse of the tempered integral",
    source: SOURCE,
    parameters: &[LAMBDA],
};

const CAPUTO: &Definition = &Definition {
    name: "tempered-caputo",
    title: "tempered Caputo derivative",
    formula: "exp(-lambda t) D^alpha (exp(lambda t) f), D^alpha of Caputo",
    of_constants: "c -> c lambda^alpha P(1-alpha, lambda t)",
    of_powers: "exp(-lambda t) t^q -> exp(-lambda t) Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha); 0 for q = 0",
    relation: "lambda = 0: Caputo; the tempered Riemann-Liouville derivative of f - f(0) exp(-lambda t)",
    source: "Sabzikar, Meerschaert and Chen, J. Comput. Phys. 293 (2015) 14, DOI 10.1016/j.jcp.2014.04.024",
    parameters: &[LAMBDA],
};

const NORMALISED: &Definition = &Definition {
    name: "tempered-normalised",
    title: "normalised tempered derivative",
    formula: "exp(-lambda t) D^alpha (exp(lambda t) f) - lambda^alpha f, less alpha lambda^(alpha-1) f' for alpha > 1",
    of_constants: "0, once they have been there for long",
    of_powers: "as the tempered Riemann-Liouville derivative, less the terms of the formula",
    relation: "generator of tempered stable random walks",
    source: "Baeumer and Meerschaert, J. Comput. Appl. Math. 233 (2010) 2438, DOI 10.1016/j.cam.2009.10.027",
    parameters: &[LAMBDA],
};

const INTEGRAL: &Definition = &Definition {
    name: "tempered-integral",
    title: "tempered Riemann-Liouville integral",
    formula: "1/Gamma(alpha) int_0^t exp(-lambda (t-s)) (t-s)^(alpha-1) f(s) ds",
    of_constants: "c -> c lambda^-alpha P(alpha, lambda t)",
    of_powers: "exp(-lambda t) t^q -> exp(-lambda t) Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha)",
    relation: "lambda = 0: Riemann-Liouville; integrals of one lambda compose",
    source: SOURCE,
    parameters: &[LAMBDA],
};

pub(crate) const RIEMANN_ENTRIES: &[Entry] = &[
    RIEMANN.scheme("l1", Range::UNIT, "2 - alpha", |order, v| {
        arc(Tempered::riemann_liouville_l1(order, v[0])?)
    }),
    RIEMANN
        .scheme("grunwald-letnikov", Range::BELOW_TWO, "1", |order, v| {
            arc(Tempered::riemann_liouville_gl(order, v[0])?)
        })
        .outside(outside::ZERO),
];

pub(crate) const CAPUTO_ENTRIES: &[Entry] = &[
    CAPUTO
        .scheme("l1", Range::UNIT, "2 - alpha", |order, v| arc(Tempered::caputo_l1(order, v[0])?)),
    CAPUTO.scheme("grunwald-letnikov", Range::UNIT, "1", |order, v| {
        arc(Tempered::caputo_gl(order, v[0])?)
    }),
];

pub(crate) const NORMALISED_ENTRIES: &[Entry] = &[
    NORMALISED.scheme("l1", Range::UNIT, "2 - alpha", |order, v| {
        arc(Tempered::normalised_l1(order, v[0])?)
    }),
    NORMALISED
        .scheme("grunwald-letnikov", Range::BELOW_TWO, "1", |order, v| {
            arc(Tempered::normalised_gl(order, v[0])?)
        })
        .outside(outside::ZERO),
];

pub(crate) const INTEGRAL_ENTRIES: &[Entry] =
    &[INTEGRAL.scheme("trapezoid", Range::POSITIVE_TO_TWENTY, "2", |order, v| {
        arc(TemperedIntegral::trapezoid(order, v[0])?)
    })];
