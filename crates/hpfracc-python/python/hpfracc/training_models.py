"""Networks and neural equations, which are trained."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _hpfracc
from ._training_config import as_written
from .errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ControlledEquation", "LatentEquation", "Network", "NeuralEquation"]


class Network:
    """A network: layers by name with their settings.

    Parameters
    ----------
    layers : Mapping or Network
        A table with one entry, kind: settings. Kinds are ``dense`` (inputs, outputs, activation, weight), ``conv1d``,
        ``fractional-conv1d``, ``fractional-dense``, ``fractional-derivative``, ``fractional-rnn``, ``dropout``,
        ``layer-norm``, ``rms-norm``, ``multi-head-attention``, ``softmax``, ``swiglu``, ``residual`` (inner) and
        ``sequential`` (a list). Activations are identity, relu, tanh, sigmoid, softplus, silu, gelu and gelu-tanh.

    Attributes
    ----------
    layers : dict
        The table.
    inputs, outputs, size : int
        Rows of the input and of the output, and number of parameters.
    blocks : tuple
        Names and shapes of the blocks of parameters, in their order.

    Raises
    ------
    InputError
        For unknown kinds and settings, and sizes that do not match.

    Examples
    --------
    >>> from hpfracc.training import Network
    >>> net = Network.perceptron([2, 16, 2], activation="tanh")
    >>> net.size
    82
    >>> Network.sequential(Network.layer("dense", inputs=2, outputs=3), Network.layer("softmax", features=3)).outputs
    3
    """

    def __init__(self, layers: Mapping[str, Any] | Network) -> None:
        self.layers: dict[str, Any] = as_written(layers)
        self._text = json.dumps(self.layers)
        self.inputs, self.outputs, self.size, blocks = _hpfracc.network_facts(self._text)
        self.blocks = tuple((name, tuple(shape)) for name, shape in blocks)

    @classmethod
    def layer(cls, kind: str, **settings: Any) -> Network:
        """One layer, by kind and settings; an inner network may be a :class:`Network`."""
        return cls({kind.replace("_", "-"): settings})

    @classmethod
    def sequential(cls, *layers: Network | Mapping[str, Any]) -> Network:
        """Layers one after the other."""
        return cls({"sequential": list(layers)})

    @classmethod
    def perceptron(cls, sizes: Sequence[int], activation: str = "tanh") -> Network:
        """Dense layers between these numbers of rows, all but the last with an activation."""
        if len(sizes) < 2:
            raise InputError(f"sizes is {list(sizes)!r}, expected at least 2 numbers of rows")
        last = len(sizes) - 2
        return cls.sequential(
            *(
                {"dense": {"inputs": a, "outputs": b, "activation": "identity" if i == last else activation}}
                for i, (a, b) in enumerate(zip(sizes, sizes[1:]))
            )
        )

    def __call__(self, parameters: npt.ArrayLike, x: npt.ArrayLike) -> npt.NDArray[Any]:
        """Outputs, shape (samples, outputs), for x of shape (samples, inputs), in evaluation mode (no dropout)."""
        return _hpfracc.network_outputs(self._text, parameters, x)

    def _spec(self) -> dict[str, Any]:
        return self.layers

    def __repr__(self) -> str:
        return f"Network({self.layers!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Network) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Network, (self.layers,)


@dataclass(frozen=True)
class NeuralEquation:
    """Neural fractional differential equation, stochastic or not: D^alpha X = f(X) + g(X) dW/dt.

    Parameters
    ----------
    drift : Network, sequence of int, or Mapping
        The network f. A list has the widths of the hidden layers of a perceptron with tanh; a table is
        ``{"perceptron": {"hidden": [32], "activation": "tanh", "time": False}}``, where ``time`` makes the time an
        input, or a network. A network with one input more than there are components receives the time as its last.
    diffusion : str, float or Mapping
        ``"none"``, the initial value of an additive one, ``{"additive": {"start": 0.1}}``, ``{"diagonal": {"of": network, "floor": 0.01}}`` or
        ``{"general": {"of": network, "noises": 3}}``.
    orders : float, sequence of float, str or Mapping
        Orders alpha of the Caputo derivatives in (0, 1], with noise above 1/2: ``"one"``, one number for all
        components, one for each, or ``{"learned": {"lower": 0.5, "upper": 1.0, "start": 0.8, "each": False}}``, of which
        ``"learned"`` has the defaults.

    Notes
    -----
    Sources: Chen, Rubanova, Bettencourt and Duvenaud, NeurIPS (2018), arXiv:1806.07366; Li, Wong, Chen and Duvenaud,
    AISTATS (2020), arXiv:2001.01328.
    """

    drift: Any
    diffusion: Any = "none"
    orders: Any = "one"

    def _spec(self) -> dict[str, Any]:
        return {"drift": self.drift, "diffusion": self.diffusion, "orders": self.orders}


@dataclass(frozen=True)
class ControlledEquation:
    """Neural controlled differential equation: a hidden state z that a control X drives, and a readout.

    z(0) = encoder(X(0)), D^alpha z = F(z) dX/dt, y(t) = readout(z(t)).

    Parameters
    ----------
    components : int
        Components of z.
    field : Network, sequence of int, or Mapping
        The network F, from z to a matrix of components by channels, as in :class:`NeuralEquation`.
    encoder, readout : Network, sequence of int, or Mapping, optional
        Dense layers by default.
    orders : float, sequence of float, str or Mapping
        Orders alpha of z in (0, 1], as in :class:`NeuralEquation`.

    Notes
    -----
    With the time as a channel of X the equation has a drift. X is linear between its rows.

    Source: Kidger, Morrill, Foster and Lyons, NeurIPS (2020), arXiv:2005.08926.
    """

    components: int
    field: Any
    encoder: Any = ()
    readout: Any = ()
    orders: Any = "one"

    def _spec(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("components", "field", "encoder", "readout", "orders")}


@dataclass(frozen=True)
class LatentEquation:
    """Latent stochastic differential equation: a generative model of sequences, trained by the evidence lower bound.

    The prior is D^alpha z = f(z) + sigma(z) dW/dt from a normal z(0), the posterior of a sequence y has the drift h(z, c)
    and a z(0) whose moments, with the context c, the encoder computes from y. The decoder gives the observations.

    Parameters
    ----------
    components : int
        Components of z.
    encoder, posterior, prior : Network, sequence of int, or Mapping
        The networks, of which posterior and prior are h and f, as in :class:`NeuralEquation`. The encoder receives a whole
        sequence, with 0 for missing values.
    diffusion : float or Mapping
        sigma: the initial value of an additive one, or ``{"diagonal": {"of": network, "floor": 0.01}}``.
    decoder : Network, sequence of int, or Mapping, optional
        A dense layer by default.
    context : int
        Numbers of c.
    mask : bool
        Whether the encoder receives which values are present, too.
    orders : float, sequence of float, str or Mapping
        Orders alpha of z above 1/2, as in :class:`NeuralEquation`.

    Notes
    -----
    Source: Li, Wong, Chen and Duvenaud, AISTATS (2020), arXiv:2001.01328.
    """

    components: int
    encoder: Any
    posterior: Any
    prior: Any
    diffusion: Any = 0.1
    decoder: Any = ()
    context: int = 0
    mask: bool = False
    orders: Any = "one"

    def _spec(self) -> dict[str, Any]:
        names = ("components", "encoder", "posterior", "prior", "diffusion", "decoder", "context", "mask", "orders")
        return {name: getattr(self, name) for name in names}
