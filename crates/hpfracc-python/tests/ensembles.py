"""What the tests of ensembles share."""

import numpy as np

OU = "dX = theta (mu - X) dt + sigma dW; theta = 1; mu = 0; sigma = 0.5; X(0) = 1; t in [0, 1]"


def assert_same(a, b):
    for name in ("t", "mean", "covariance", "quantiles", "least", "greatest", "paths"):
        x, y = getattr(a, name), getattr(b, name)
        assert (x is None) == (y is None), name
        if x is not None:
            np.testing.assert_array_equal(x, y, err_msg=name)
