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
    # Their names are written in full: hpfracc.pde.solve, hpfracc.spatial.Laplacian.
    "pde": (),
    "spatial": (),
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
    "field_model": ("FieldModel",),
    "fitting": ("ModelEntry", "fit", "fit_batch", "fit_file", "fit_models", "model_entry"),
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
    "backends": ("Device", "Explanation", "Machine", "devices", "machine"),
    "training": (
        "ControlledEquation",
        "Forecast",
        "LatentEquation",
        "Network",
        "NeuralEquation",
        "Trained",
        "Training",
        "read_parameters",
        "train",
        "train_controlled",
        "train_network",
    ),
}

_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_MODULE_OF)

if TYPE_CHECKING:
    # Under its own name each is exported.
    from . import pde as pde, spatial as spatial
    from .backends import (
        Device as Device,
        Explanation as Explanation,
        Machine as Machine,
        devices as devices,
        machine as machine,
    )
    from .equation import (
        CatalogueEntry as CatalogueEntry,
        Equation as Equation,
        catalogue as catalogue,
    )
    from .errors import (
        DeviceError as DeviceError,
        EquationError as EquationError,
        Error as Error,
        InputError as InputError,
        MemoryLimitError as MemoryLimitError,
        SolverError as SolverError,
    )
    from .fit_result import (
        BatchFit as BatchFit,
        Bootstrap as Bootstrap,
        Fit as Fit,
        FitPlan as FitPlan,
        Posterior as Posterior,
        Profile as Profile,
    )
    from .field_model import FieldModel as FieldModel
    from .fitting import (
        ModelEntry as ModelEntry,
        fit as fit,
        fit_batch as fit_batch,
        fit_file as fit_file,
        fit_models as fit_models,
        model_entry as model_entry,
    )
    from .noise import (
        NoiseProcess as NoiseProcess,
        brownian as brownian,
        coloured_noise as coloured_noise,
        compound_poisson as compound_poisson,
        correlated_brownian as correlated_brownian,
        fbm as fbm,
        fbm_covariance as fbm_covariance,
        fgn as fgn,
        fgn_covariance as fgn_covariance,
        riemann_liouville_fbm as riemann_liouville_fbm,
        stable_levy as stable_levy,
    )
    from .ode import (
        ode_schemes as ode_schemes,
        solve as solve,
    )
    from .operators import (
        Operator as Operator,
        Stream as Stream,
        atangana_baleanu_caputo as atangana_baleanu_caputo,
        atangana_baleanu_integral as atangana_baleanu_integral,
        atangana_baleanu_riemann as atangana_baleanu_riemann,
        caputo as caputo,
        caputo_fabrizio as caputo_fabrizio,
        caputo_fabrizio_integral as caputo_fabrizio_integral,
        dirichlet_laplacian as dirichlet_laplacian,
        distributed_order as distributed_order,
        erdelyi_kober as erdelyi_kober,
        fractional_laplacian as fractional_laplacian,
        grunwald_letnikov as grunwald_letnikov,
        hadamard as hadamard,
        hadamard_caputo as hadamard_caputo,
        hadamard_integral as hadamard_integral,
        katugampola as katugampola,
        katugampola_caputo as katugampola_caputo,
        katugampola_integral as katugampola_integral,
        marchaud as marchaud,
        miller_ross as miller_ross,
        neumann_laplacian as neumann_laplacian,
        prabhakar_caputo as prabhakar_caputo,
        prabhakar_integral as prabhakar_integral,
        prabhakar_riemann_liouville as prabhakar_riemann_liouville,
        riemann_liouville as riemann_liouville,
        riesz as riesz,
        riesz_feller as riesz_feller,
        rl_integral as rl_integral,
        tempered_caputo as tempered_caputo,
        tempered_integral as tempered_integral,
        tempered_normalised as tempered_normalised,
        tempered_riemann_liouville as tempered_riemann_liouville,
        variable_order_lag as variable_order_lag,
        variable_order_sample as variable_order_sample,
        variable_order_time as variable_order_time,
        weyl as weyl,
    )
    from .sde import (
        Ensemble as Ensemble,
        EnsembleGradient as EnsembleGradient,
        Expectation as Expectation,
        Level as Level,
        Model as Model,
        ModelParameter as ModelParameter,
        ensemble_gradient as ensemble_gradient,
        exact_moments as exact_moments,
        models as models,
        multilevel as multilevel,
        sde_schemes as sde_schemes,
        simulate as simulate,
    )
    from .series import (
        DifferenceStream as DifferenceStream,
        MemoryFit as MemoryFit,
        ScalingDescription as ScalingDescription,
        arfima as arfima,
        arfima_autocovariance as arfima_autocovariance,
        detrended_fluctuations as detrended_fluctuations,
        difference as difference,
        fgn_autocovariance as fgn_autocovariance,
        fgn_density as fgn_density,
        hurst as hurst,
        integrate as integrate,
        rescaled_range as rescaled_range,
        track_diffusion as track_diffusion,
    )
    from .solution import (
        Solution as Solution,
        Statistics as Statistics,
    )
    from .special import (
        MittagLefflerGradient as MittagLefflerGradient,
        m_wright as m_wright,
        mittag_leffler as mittag_leffler,
        mittag_leffler_beta_derivative as mittag_leffler_beta_derivative,
        mittag_leffler_derivative as mittag_leffler_derivative,
        mittag_leffler_gradient as mittag_leffler_gradient,
        mittag_leffler_matrix as mittag_leffler_matrix,
        wright as wright,
    )
    from .training import (
        ControlledEquation as ControlledEquation,
        Forecast as Forecast,
        LatentEquation as LatentEquation,
        Network as Network,
        NeuralEquation as NeuralEquation,
        Trained as Trained,
        Training as Training,
        read_parameters as read_parameters,
        train as train,
        train_controlled as train_controlled,
        train_network as train_network,
    )
    from .transforms import (
        DiscreteFractionalFourier as DiscreteFractionalFourier,
        FractionalDft as FractionalDft,
        FractionalFourier as FractionalFourier,
        dfrft as dfrft,
        fractional_dft as fractional_dft,
        frft as frft,
    )


if not TYPE_CHECKING:  # Type checkers find the names above, and refuse others.

    def __getattr__(name: str) -> object:
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
