"""The transformer, with scikit-learn where it is installed."""

import pickle

import numpy as np
import pytest

import hpfracc
from hpfracc.sklearn import FractionalDifference

X = np.cumsum(np.random.default_rng(1).normal(size=(60, 3)), axis=0)


def test_it_is_the_difference_along_rows():
    transformer = FractionalDifference(d=0.4)
    y = transformer.fit_transform(X)
    assert np.array_equal(y, hpfracc.difference(X, 0.4, axis=0))
    assert transformer.inverse_transform(y) == pytest.approx(X, abs=1e-11)
    assert transformer.n_features_in_ == 3
    assert list(transformer.get_feature_names_out()) == ["x0", "x1", "x2"]
    assert transformer.transform(X.astype(np.float32)).dtype == np.float32
    assert np.array_equal(pickle.loads(pickle.dumps(transformer)).transform(X), y)


def test_parameters():
    transformer = FractionalDifference()
    assert transformer.get_params() == {"d": 0.5}
    assert transformer.set_params(d=0.3) is transformer and transformer.d == 0.3
    assert "0.3" in repr(transformer)
    with pytest.raises(ValueError):
        transformer.set_params(alpha=1.0)


def test_refusals():
    transformer = FractionalDifference()
    with pytest.raises(ValueError, match="not fitted"):
        transformer.transform(X)
    transformer.fit(X)
    with pytest.raises(ValueError, match="2 features"):
        transformer.transform(X[:, :2])
    with pytest.raises(ValueError):
        transformer.fit(X[:, 0])


def test_with_scikit_learn():
    base = pytest.importorskip("sklearn.base")
    pipeline = pytest.importorskip("sklearn.pipeline")
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    transformer = FractionalDifference(d=0.25)
    assert base.clone(transformer).d == 0.25
    assert np.array_equal(pipeline.make_pipeline(transformer).fit_transform(X), hpfracc.difference(X, 0.25, axis=0))
    reason = "rows are steps of time, on which the result depends in their order"
    ordered = {name: reason for name in ("check_methods_sample_order_invariance", "check_methods_subset_invariance")}
    checks.check_estimator(FractionalDifference(), expected_failed_checks=ordered, on_skip=None)
