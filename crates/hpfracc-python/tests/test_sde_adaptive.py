"""Adaptive steps and antithetic ensembles: accuracy, bits, and what is refused."""

import hpfracc
import numpy as np
import pytest
from ensembles import OU, assert_same
from hpfracc import InputError, SolverError

GBM = "dS = mu S dt + 0.8 S dW; mu = 0.1; S(0) = 1; t in [0, 1]"


def ends(text, **options):
    return hpfracc.simulate(text, store=True, moments=False, seed=3, paths=50, **options).paths[:, -1]


def test_errors_follow_the_tolerance():
    reference = ends(GBM, rtol=1e-4)
    coarse, fine = (np.sqrt(np.mean((ends(GBM, rtol=rtol, steps=2) - reference) ** 2)) for rtol in (1e-2, 1e-3))
    assert fine < coarse / 3 and coarse < 0.1
    # Other schemes and longest steps have the same paths.
    for options in ({"scheme": "milstein"}, {"scheme": "sric2"}, {"steps": 16}, {"steps": 256, "atol": 1e-3}):
        other = ends(GBM, **{"rtol": 1e-2, **options})
        assert np.sqrt(np.mean((other - reference) ** 2)) < 0.02, options


def test_results_of_adaptive_steps():
    options = {"rtol": 1e-2, "paths": 300, "seed": 5, "store": 2}
    ensemble = hpfracc.simulate(GBM, **options)
    assert ensemble.scheme == "sriw1" and ensemble.steps == 64 and len(ensemble.t) == 65
    assert ensemble.accepted >= 300 * 64 and ensemble.rejected >= 0
    assert_same(ensemble, hpfracc.simulate(GBM, threads=1, **options))
    assert hpfracc.simulate(OU, rtol=1e-3, paths=2).scheme == "sra1"
    assert hpfracc.simulate(GBM.replace("S dW", "S o dW"), rtol=1e-3, paths=2).scheme == "heun"
    assert hpfracc.simulate(GBM, paths=2).accepted is None
    single = hpfracc.simulate(GBM, dtype="float32", **options)
    assert np.abs(single.paths - ensemble.paths).max() < 1e-2
    options["paths"] = 10
    functions = hpfracc.simulate(lambda t, x: 0.1 * x, lambda t, x: 0.8 * x, x0=[1.0], **options)
    assert np.abs(functions.paths - ensemble.paths).max() < 1e-12


def test_adaptive_steps_refuse():
    for options, message in [
        ({"rtol": -1.0}, "a tolerance is -1"),
        ({"rtol": 1e-3, "steps": 100}, "the number of steps is 100, expected a power of two"),
        ({"min_step": 1e-3}, "only with rtol or atol"),
        ({"atol": 1e-3, "min_step": 0.0}, "min_step is 0"),
        ({"rtol": 1e-3, "scheme": "euler-maruyama"}, "has no adaptive steps; .* sriw1, sric2, milstein"),
        ({"rtol": 1e-3, "scheme": "heun"}, "for this equation are sriw1"),
        ({"rtol": 1e-3, "scheme": "other"}, "unknown scheme 'other'"),
        ({"rtol": 1e-3, "antithetic": True}, "no antithetic paths"),
        ({"rtol": "a"}, "rtol is 'a'"),
    ]:
        with pytest.raises(InputError, match=message):
            hpfracc.simulate(GBM, paths=2, **options)
    with pytest.raises(InputError, match="independent Brownian motions"):
        hpfracc.simulate("dX = dB; B = fbm(0.7); X(0) = 0; t in [0, 1]", paths=2, rtol=1e-3)
    with pytest.raises(InputError, match="has its own scheme, on equal steps"):
        hpfracc.simulate("geometric-brownian", rtol=1e-3)
    with pytest.raises(SolverError, match="min_step|step"):
        hpfracc.simulate(GBM, paths=20, rtol=1e-6, min_step=2**-8)


@pytest.mark.parametrize("subject", ["geometric-brownian", GBM])
def test_antithetic_paths_have_smaller_errors(subject):
    options = {"paths": 4000, "steps": 20, "seed": 2, "t_span": 1.0}
    pairs = hpfracc.simulate(subject, antithetic=True, store=True, **options)
    apart = hpfracc.simulate(subject, **options)
    means = pairs.paths.reshape(2000, 2, 21, 1).mean(axis=1)
    expected = means.std(axis=0, ddof=1) / np.sqrt(2000)
    np.testing.assert_allclose(pairs.standard_error, expected, rtol=1e-10, atol=1e-12)
    assert pairs.standard_error[-1, 0] < 0.8 * apart.standard_error[-1, 0]
    assert abs(pairs.variance[-1, 0] / apart.variance[-1, 0] - 1) < 0.5
    assert_same(pairs, hpfracc.simulate(subject, antithetic=True, store=True, threads=1, **options))


def test_antithetic_functions():
    drift, diffusion = (lambda t, x: -x), (lambda t, x: 0.5)
    options = {"x0": [0.0], "additive": True, "paths": 6, "steps": 10, "store": True, "seed": 1}
    pairs = hpfracc.simulate(drift, diffusion, antithetic=True, **options)
    np.testing.assert_array_equal(pairs.paths[0::2], -pairs.paths[1::2])
    assert np.abs(pairs.standard_error).max() == 0.0
    noise = hpfracc.NoiseProcess("brownian", 1, antithetic=True)
    assert_same(pairs, hpfracc.simulate(drift, diffusion, noise=noise, **options))
    rough = hpfracc.simulate(drift, diffusion, antithetic=True, hurst=0.3, **options)
    np.testing.assert_array_equal(rough.paths[0::2], -rough.paths[1::2])


def test_antithetic_ensembles_go_on_from_checkpoints(tmp_path):
    options = {"paths": 30_000, "steps": 100, "every": 50, "antithetic": True}
    expected = hpfracc.simulate(GBM, **options)

    def stops(share):
        raise RuntimeError("enough")

    file = tmp_path / "ensemble.json"
    with pytest.raises(RuntimeError):
        hpfracc.simulate(GBM, checkpoint=file, checkpoint_interval=0.001, progress=stops, threads=1, **options)
    again = hpfracc.simulate(GBM, checkpoint=file, **options)
    assert_same(again, expected)
    np.testing.assert_array_equal(again.pair_covariance, expected.pair_covariance)


def test_antithetic_ensembles_refuse():
    with pytest.raises(InputError, match="the number of paths in pairs is 7, expected an even number"):
        hpfracc.simulate(GBM, paths=7, antithetic=True)
    with pytest.raises(InputError, match="the first path of pairs is 1"):
        hpfracc.simulate(GBM, paths=8, first=1, antithetic=True)
    with pytest.raises(InputError, match="the number of paths of a tile is 3"):
        hpfracc.simulate(GBM, paths=8, tile=3, antithetic=True)
    with pytest.raises(InputError, match="distribution"):
        hpfracc.simulate("compound-poisson", jump_mean=0.5, paths=8, antithetic=True)
