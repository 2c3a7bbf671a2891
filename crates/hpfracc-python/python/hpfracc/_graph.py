"""Weighted graphs and their Laplacians."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from ._ode_method import count_of
from ._spatial_operator import OperatorFunction, SpatialOperator, Way
from .equation import _floats, _number
from .errors import InputError

__all__ = ["Graph", "GraphLaplacian"]

Normalisation = Literal["combinatorial", "normalised", "random-walk"]


class Graph:
    """Weighted graph of numbered nodes.

    Weights of edges that are given again are added, edges of weight 0 are left out, and loops count once in the degree
    of their node; :attr:`report` has their numbers.

    Parameters
    ----------
    start, end : array_like of int, shape (edges,)
        Nodes of each edge, from 0; an undirected edge once, in either direction.
    weight : array_like, optional
        Weights of at least 0: a number, or one for each edge; 1 by default.
    nodes : int, optional
        Number of nodes; by default one more than the largest of the edges.
    directed : bool
        Whether edges have a direction; Laplacians are those of undirected graphs.

    Raises
    ------
    InputError
        For nodes and weights that are none, with the number of the edge.

    Examples
    --------
    >>> from hpfracc import spatial
    >>> graph = spatial.Graph([0, 1, 2], [1, 2, 3], [1.0, 2.0, 1.0])
    >>> graph
    Graph(4 nodes, 3 edges)
    >>> graph.laplacian().apply([1.0, 0.0, 0.0, 0.0])
    array([ 1., -1.,  0.,  0.])
    """

    def __init__(
        self,
        start: npt.ArrayLike,
        end: npt.ArrayLike,
        weight: npt.ArrayLike = 1.0,
        *,
        nodes: int | None = None,
        directed: bool = False,
    ) -> None:
        ends = [_nodes("start", start), _nodes("end", end)]
        if len(ends[0]) != len(ends[1]):
            raise InputError(f"start has {len(ends[0])} nodes and end {len(ends[1])}, expected as many")
        weights = _floats("weight", weight)
        if weights.shape not in ((), ends[0].shape):
            count = len(ends[0])
            raise InputError(f"weight has the shape {weights.shape}, expected a number or one for each of {count} edges")
        weights = np.ascontiguousarray(np.broadcast_to(weights, ends[0].shape))
        count = max((int(each.max()) + 1 for each in ends if len(each)), default=0) if nodes is None else (
            count_of("nodes", nodes)
        )
        self._core = _hpfracc.GraphCore(count, ends[0], ends[1], weights, bool(directed))

    @classmethod
    def _of(cls, core: _hpfracc.GraphCore) -> Graph:
        graph = cls.__new__(cls)
        graph._core = core
        return graph

    @classmethod
    def path(cls, n: int) -> Graph:
        """Path of n nodes with weights 1."""
        return cls._of(_hpfracc.GraphCore.path(count_of("n", n)))

    @classmethod
    def ring(cls, n: int) -> Graph:
        """Ring of n nodes, at least 3, with weights 1."""
        return cls._of(_hpfracc.GraphCore.ring(count_of("n", n)))

    @classmethod
    def torus(cls, sides: Sequence[int]) -> Graph:
        """Lattice with periodic ends and these numbers of nodes along its sides; the last one is the fastest."""
        return cls._of(_hpfracc.GraphCore.torus([count_of("a side", side) for side in sides]))

    @classmethod
    def small_world(cls, n: int, reach: int, rewired: float, *, seed: int = 0) -> Graph:
        """Graph of Watts and Strogatz: a ring of nodes with `reach` neighbours on each side, a share of them rewired."""
        numbers = count_of("n", n), count_of("reach", reach)
        return cls._of(_hpfracc.GraphCore.small_world(*numbers, _number("rewired", rewired), count_of("seed", seed, 0)))

    @classmethod
    def preferential_attachment(cls, n: int, attached: int, *, seed: int = 0) -> Graph:
        """Graph of Barabasi and Albert: each new node has this number of edges, to nodes of high degree."""
        numbers = count_of("n", n), count_of("attached", attached), count_of("seed", seed, 0)
        return cls._of(_hpfracc.GraphCore.preferential_attachment(*numbers))

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self._core.nodes()

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""
        return self._core.is_directed()

    @property
    def edges(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
        """Arrays of both nodes and the weight of each edge, without loops, sorted and merged."""
        return self._core.edges()

    @property
    def degrees(self) -> npt.NDArray[np.float64]:
        """Sum of the weights of the edges of each node."""
        return self._core.degrees()

    @property
    def components(self) -> tuple[npt.NDArray[np.uint64], int]:
        """Number of the connected component of each node, and the number of components."""
        return self._core.components()

    @property
    def report(self) -> dict[str, int]:
        """Numbers of edges of the list that deserve a look: duplicates, loops, zero weights; and of isolated nodes."""
        return dict(zip(("duplicates", "loops", "zero_weights", "isolated"), self._core.report()))

    def laplacian(self, normalisation: Normalisation = "combinatorial") -> GraphLaplacian:
        """Laplacian with the weights W and the degrees D.

        Parameters
        ----------
        normalisation : {"combinatorial", "normalised", "random-walk"}
            D - W, D^(-1/2) (D - W) D^(-1/2), or D^(-1) (D - W).

        Returns
        -------
        GraphLaplacian

        Raises
        ------
        InputError
            For a directed graph.
        """
        return GraphLaplacian(self, normalisation)

    def __repr__(self) -> str:
        directed = "directed, " if self.directed else ""
        return f"Graph({directed}{self.nodes} nodes, {len(self.edges[0])} edges)"


def _nodes(name: str, given: Any) -> npt.NDArray[np.uint32]:
    array = np.asarray(given)
    if array.size == 0:
        return np.zeros(0, np.uint32)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        found = f"an array of {array.dtype} of the shape {array.shape}"
        raise InputError(f"{name} is {found}, expected whole numbers along one axis")
    (wrong,) = np.nonzero((array < 0) | (array >= 2**32 - 1))
    if len(wrong):
        node, edge = int(array[wrong[0]]), int(wrong[0])
        raise InputError(f"{name} has the node {node} at edge {edge}, expected one of at least 0 and below 2**32 - 1")
    return np.ascontiguousarray(array, np.uint32)


class GraphLaplacian(SpatialOperator):
    """Laplacian of an undirected graph, made by :meth:`Graph.laplacian`.

    A field has a value for each node. The random-walk Laplacian is self-adjoint in its :attr:`weights`, the degrees.
    Functions are those of :class:`SpatialOperator`; shifted solves are conjugate gradients.

    Attributes
    ----------
    graph : Graph
        The graph.
    normalisation : str
        ``"combinatorial"``, ``"normalised"`` or ``"random-walk"``.

    Examples
    --------
    >>> import numpy as np
    >>> from hpfracc import spatial
    >>> laplacian = spatial.Graph.ring(6).laplacian()
    >>> half = laplacian.power(0.5)
    >>> u = np.array([1.0, 0, 0, 0, 0, 0])
    >>> bool(np.allclose(half(half(u)), laplacian @ u))
    True
    """

    def __init__(self, graph: Graph, normalisation: Normalisation = "combinatorial") -> None:
        if not isinstance(graph, Graph):
            raise InputError(f"graph is {type(graph).__name__}, expected Graph")
        super().__init__(graph._core.laplacian(str(normalisation)))
        self.graph, self.normalisation = graph, str(normalisation)

    def apply_columns(self, x: npt.ArrayLike) -> npt.NDArray[Any]:
        """Product with many columns, the features of each node.

        Parameters
        ----------
        x : array_like, shape (nodes, columns)
            Columns in either precision.

        Returns
        -------
        ndarray
            An array of the shape and type of x.
        """
        return _hpfracc.GraphCore.apply_columns(self._core, x)

    def walk(self, gamma: float, node: int, *, tolerance: float = 1e-10) -> npt.NDArray[np.float64]:
        r"""Transition probabilities of the fractional random walk from a node.

        :math:`p_{ij} = \delta_{ij} - (L^\gamma)_{ij}/(L^\gamma)_{ii}` with the combinatorial Laplacian L: long jumps
        for gamma below 1.

        Parameters
        ----------
        gamma : float
            Exponent, above 0 and at most 1.
        node : int
            Node i.
        tolerance : float
            Relative error.

        Returns
        -------
        ndarray, shape (nodes,)

        Notes
        -----
        Source: Riascos and Mateos, Phys. Rev. E 90 (2014) 032809, doi:10.1103/PhysRevE.90.032809.
        """
        numbers = _number("gamma", gamma), count_of("node", node, 0), _number("tolerance", tolerance)
        return _hpfracc.GraphCore.walk(self._core, *numbers)

    def weight_gradient(
        self,
        function: OperatorFunction,
        x: npt.ArrayLike,
        cotangents: npt.ArrayLike,
        *,
        way: Way = "auto",
        tolerance: float = 1e-10,
    ) -> npt.NDArray[np.float64]:
        """Gradient of a loss with respect to the weights of the edges, degrees and all.

        Parameters
        ----------
        function : OperatorFunction
            Function f(A) of this Laplacian, such as ``laplacian.power(0.5)``.
        x : array_like, shape (nodes,)
            Field.
        cotangents : array_like, shape (nodes,)
            Derivatives of the loss with respect to ``function(x)``.
        way : {"auto", "chebyshev", "rational"}
            Method.
        tolerance : float
            Relative error.

        Returns
        -------
        ndarray
            A derivative for each of the :attr:`Graph.edges`.
        """
        if function.operator is not self:
            raise InputError("function is one of another operator")
        accuracy = str(way), _number("tolerance", tolerance)
        return _hpfracc.GraphCore.weight_gradient(self._core, *function._recipe, accuracy, x, cotangents)

    def __repr__(self) -> str:
        return f"GraphLaplacian({self.graph!r}, {self.normalisation!r})"
