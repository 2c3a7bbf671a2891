"""Transformers for pipelines of scikit-learn, which need not be installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import InputError
from .series import difference, integrate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import validate_data as _validate
except ImportError:
    _validate = None

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """A transformer is used before ``fit``."""

    class TransformerMixin:  # type: ignore[no-redef]
        """What pipelines need of transformers, without scikit-learn."""

        def fit_transform(self, X: ArrayLike, y: Any = None, **_: Any) -> NDArray[Any]:
            """Fits to the data and transforms them."""
            return self.fit(X, y).transform(X)  # type: ignore[attr-defined]

    class BaseEstimator:  # type: ignore[no-redef]
        """Parameters of an estimator with the one parameter d."""

        d: float

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """Parameters by name."""
            return {"d": self.d}

        def set_params(self, **params: Any) -> BaseEstimator:
            """Sets parameters by name."""
            for name, value in params.items():
                if name != "d":
                    raise ValueError(f"no parameter is called {name!r}; the parameters are d")
                self.d = value
            return self

        def __repr__(self) -> str:
            return f"FractionalDifference(d={self.d!r})"


__all__ = ["FractionalDifference"]


class FractionalDifference(TransformerMixin, BaseEstimator):  # type: ignore[misc, unused-ignore]
    """Fractional difference of each column along the rows, which are steps of time.

    ``(1-B)^d`` of :func:`hpfracc.difference`. :meth:`inverse_transform` restores the input but for rounding.

    Parameters
    ----------
    d : float
        Order of the difference, any finite number.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns that ``fit`` has seen.

    Notes
    -----
    The result depends on the order of the rows. Of the checks of scikit-learn, those of invariance to the order and to subsets
    of the samples fail therefore.

    Examples
    --------
    >>> import numpy as np
    >>> from hpfracc.sklearn import FractionalDifference
    >>> x = np.cumsum(np.ones((4, 2)), axis=0)
    >>> FractionalDifference(d=1.0).fit_transform(x)[:, 0]
    array([1., 1., 1., 1.])
    """

    def __init__(self, d: float = 0.5):
        self.d = d

    def _checked(self, X: ArrayLike, reset: bool) -> NDArray[Any]:
        if _validate is not None:
            return _validate(self, X, reset=reset, dtype=[np.float64, np.float32])
        array = np.asarray(X)
        if array.ndim != 2:
            raise InputError(f"X has the shape {array.shape}, expected (steps, columns)")
        if reset:
            self.n_features_in_ = array.shape[1]
        elif array.shape[1] != self.n_features_in_:
            raise InputError(f"X has {array.shape[1]} features, expected {self.n_features_in_} as in fit")
        return array

    def _fitted(self) -> None:
        if not hasattr(self, "n_features_in_"):
            raise NotFittedError("this FractionalDifference is not fitted: call fit first")

    def fit(self, X: ArrayLike, y: Any = None) -> FractionalDifference:
        """Checks data of shape (steps, columns)."""
        self._checked(X, reset=True)
        return self

    def transform(self, X: ArrayLike) -> NDArray[Any]:
        """Differences of the columns."""
        self._fitted()
        return difference(self._checked(X, reset=False), self.d, axis=0)

    def inverse_transform(self, X: ArrayLike) -> NDArray[Any]:
        """Series of the differences."""
        self._fitted()
        return integrate(self._checked(X, reset=False), self.d, axis=0)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the columns: those of the input."""
        self._fitted()
        names = getattr(self, "feature_names_in_", None) if input_features is None else input_features
        if names is None:
            names = [f"x{k}" for k in range(self.n_features_in_)]
        return np.asarray(names, dtype=object)
