"""Fractional calculus: derivatives, integrals, differential equations, noise and fits of any real order.

Names are imported when they are used first, so that ``import hpfracc`` takes milliseconds.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

#: Names of this package by the module that has them.
_NAMES: dict[str, tuple[str, ...]] = {
    "errors": ("Error", "InputError", "EquationError", "SolverError", "DeviceError", "MemoryLimitError"),
    "equation": ("CatalogueEntry", "Equation", "catalogue"),
    "ode": ("ode_schemes", "solve"),
    "solution": ("Solution", "Statistics"),
    "operators": (
        "Operator",
        "Stream",
        "caputo",
        "riemann_liouville",
        "grunwald_letnikov",
        "rl_integral",
        "tempered_riemann_liouville",
        "tempered_caputo",
        "tempered_normalised",
        "tempered_integral",
        "caputo_fabrizio",
        "caputo_fabrizio_integral",
        "atangana_baleanu_caputo",
        "atangana_baleanu_riemann",
        "atangana_baleanu_integral",
        "prabhakar_integral",
        "prabhakar_caputo",
        "prabhakar_riemann_liouville",
        "marchaud",
        "miller_ross",
        "hadamard_integral",
        "hadamard",
        "hadamard_caputo",
        "katugampola_integral",
        "katugampola",
        "katugampola_caputo",
        "erdelyi_kober",
        "weyl",
        "riesz",
        "riesz_feller",
        "fractional_laplacian",
        "dirichlet_laplacian",
        "neumann_laplacian",
        "variable_order_time",
        "variable_order_sample",
        "variable_order_lag",
        "distributed_order",
    ),
    "special": (
        "MittagLefflerGradient",
        "m_wright",
        "mittag_leffler",
        "mittag_leffler_beta_derivative",
        "mittag_leffler_derivative",
        "mittag_leffler_gradient",
        "mittag_leffler_matrix",
        "wright",
    ),
    "transforms": (
        "DiscreteFractionalFourier",
        "FractionalDft",
        "FractionalFourier",
        "dfrft",
        "fractional_dft",
        "frft",
    ),
    "noise": (
        "NoiseProcess",
        "brownian",
        "coloured_noise",
        "compound_poisson",
        "correlated_brownian",
        "fbm",
        "fbm_covariance",
        "fgn",
        "fgn_covariance",
        "riemann_liouville_fbm",
        "stable_levy",
    ),
    "sde": (
        "Ensemble",
        "EnsembleGradient",
        "Expectation",
        "Level",
        "Model",
        "ModelParameter",
        "ensemble_gradient",
        "exact_moments",
        "models",
        "multilevel",
        "sde_schemes",
        "simulate",
    ),
    "fitting": ("ModelEntry", "fit", "fit_batch", "fit_models", "model_entry"),
    "fit_result": ("Bootstrap", "BatchFit", "Fit", "FitPlan", "Posterior", "Profile"),
    "series": (
        "DifferenceStream",
        "MemoryFit",
        "ScalingDescription",
        "arfima",
        "arfima_autocovariance",
        "detrended_fluctuations",
        "difference",
        "fgn_autocovariance",
        "fgn_density",
        "hurst",
        "integrate",
        "rescaled_range",
        "track_diffusion",
    ),
}

_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_MODULE_OF)

if TYPE_CHECKING:
    from .fit_result import BatchFit, Bootstrap, Fit, FitPlan, Posterior, Profile
    from .fitting import ModelEntry, fit, fit_batch, fit_models, model_entry
    from .series import (
        DifferenceStream,
        MemoryFit,
        ScalingDescription,
        arfima,
        arfima_autocovariance,
        detrended_fluctuations,
        difference,
        fgn_autocovariance,
        fgn_density,
        hurst,
        integrate,
        rescaled_range,
        track_diffusion,
    )
    from .equation import CatalogueEntry, Equation, catalogue
    from .errors import DeviceError, EquationError, Error, InputError, MemoryLimitError, SolverError
    from .ode import ode_schemes, solve
    from .operators import (
        Operator,
        Stream,
        atangana_baleanu_caputo,
        atangana_baleanu_integral,
        atangana_baleanu_riemann,
        caputo,
        caputo_fabrizio,
        caputo_fabrizio_integral,
        dirichlet_laplacian,
        distributed_order,
        erdelyi_kober,
        fractional_laplacian,
        grunwald_letnikov,
        hadamard,
        hadamard_caputo,
        hadamard_integral,
        katugampola,
        katugampola_caputo,
        katugampola_integral,
        marchaud,
        miller_ross,
        neumann_laplacian,
        prabhakar_caputo,
        prabhakar_integral,
        prabhakar_riemann_liouville,
        riemann_liouville,
        riesz,
        riesz_feller,
        rl_integral,
        tempered_caputo,
        tempered_integral,
        tempered_normalised,
        tempered_riemann_liouville,
        variable_order_lag,
        variable_order_sample,
        variable_order_time,
        weyl,
    )
    from .solution import Solution, Statistics
    from .special import (
        MittagLefflerGradient,
        m_wright,
        mittag_leffler,
        mittag_leffler_beta_derivative,
        mittag_leffler_derivative,
        mittag_leffler_gradient,
        mittag_leffler_matrix,
        wright,
    )
    from .transforms import (
        DiscreteFractionalFourier,
        FractionalDft,
        FractionalFourier,
        dfrft,
        fractional_dft,
        frft,
    )
    from .noise import (
        NoiseProcess,
        brownian,
        coloured_noise,
        compound_poisson,
        correlated_brownian,
        fbm,
        fbm_covariance,
        fgn,
        fgn_covariance,
        riemann_liouville_fbm,
        stable_levy,
    )
    from .sde import (
        Ensemble,
        EnsembleGradient,
        Expectation,
        Level,
        Model,
        ModelParameter,
        ensemble_gradient,
        exact_moments,
        models,
        multilevel,
        sde_schemes,
        simulate,
    )


def __getattr__(name: str):
    if name in _NAMES or name in ("torch", "jax", "sklearn"):
        return importlib.import_module(f".{name}", __name__)
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
