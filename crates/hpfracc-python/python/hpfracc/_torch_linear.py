"""Linear systems of implicit steps in PyTorch: with a dense Jacobian for few numbers, else by products with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .errors import SolverError

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

#: Most numbers of a state for which the Jacobian is a matrix, from as many products.
DENSE = 32
#: Most vectors of GMRES.
KRYLOV = 200


class Linearisation:
    """Derivative J of a value with respect to the state from which it was computed."""

    def __init__(self, y: Tensor, value: Tensor) -> None:
        self.y, self.value = y, value
        self.matrix: Tensor | None = None
        self.seed: Tensor | None = None
        self.pulled: Tensor | None = None

    def vjp(self, cotangent: Tensor) -> Tensor:
        """``J^T cotangent``."""
        if not self.value.requires_grad:
            return torch.zeros_like(cotangent)
        cotangent = cotangent.view(self.value.shape)
        (found,) = torch.autograd.grad(self.value, self.y, cotangent, retain_graph=True, allow_unused=True)
        return torch.zeros_like(cotangent.reshape(-1)) if found is None else found.reshape(-1)

    def jvp(self, tangent: Tensor) -> Tensor:
        """``J tangent``: the product ``J^T u`` is linear in u, and its derivative is the transpose."""
        if self.seed is None:
            with torch.enable_grad():
                self.seed = torch.zeros_like(self.value, requires_grad=True)
                if self.value.requires_grad:
                    (self.pulled,) = torch.autograd.grad(
                        self.value, self.y, self.seed, create_graph=True, allow_unused=True
                    )
        if self.pulled is None or not self.pulled.requires_grad:
            return torch.zeros_like(tangent)
        tangent = tangent.view(self.pulled.shape)
        (found,) = torch.autograd.grad(self.pulled, self.seed, tangent, retain_graph=True)
        return found.reshape(-1)

    def solve(self, weight: float | Tensor, known: Tensor, transposed: bool = False) -> Tensor:
        """The solution of ``(I - diag(weight) J) x = known``, or with the transpose of the matrix."""
        if not self.value.requires_grad:
            return known
        n = known.numel()
        if n > DENSE:
            if transposed:
                return gmres(lambda x: x - self.vjp(weight * x), known)
            return gmres(lambda x: x - weight * self.jvp(x), known)
        if self.matrix is None:
            eye = torch.eye(n, dtype=known.dtype, device=known.device)
            jacobian = torch.stack([self.vjp(row) for row in eye])
            rows = weight if isinstance(weight, float) else weight.unsqueeze(1)
            self.matrix = eye - rows * jacobian
        matrix = self.matrix.T if transposed else self.matrix
        solution, singular = torch.linalg.solve_ex(matrix, known)
        if int(singular) != 0:
            raise SolverError("the matrix of an implicit step is singular")
        return solution


def gmres(product: Callable[[Tensor], Tensor], known: Tensor) -> Tensor:
    """The solution of a linear system by the generalised minimal residual method, to rounding.

    Saad and Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856, DOI 10.1137/0907058.
    """
    size = float(known.norm())
    if size == 0.0:
        return torch.zeros_like(known)
    tolerance = 100.0 * torch.finfo(known.dtype).eps
    most = min(KRYLOV, known.numel())
    basis = torch.empty((most + 1, known.numel()), dtype=known.dtype, device=known.device)
    basis[0] = known / size
    # Entries of the upper triangle after Givens rotations, on the host.
    columns: list[list[float]] = []
    rotations: list[tuple[float, float]] = []
    rest = [size]
    for k in range(most):
        vector = product(basis[k])
        column = torch.zeros(k + 1, dtype=known.dtype, device=known.device)
        # Twice: the second pass restores the orthogonality that rounding takes away.
        for _ in range(2):
            overlap = basis[: k + 1] @ vector
            vector = vector - overlap @ basis[: k + 1]
            column += overlap
        length = float(vector.norm())
        entries = column.tolist()
        for i, (cosine, sine) in enumerate(rotations):
            here, below = entries[i], entries[i + 1]
            entries[i], entries[i + 1] = cosine * here + sine * below, cosine * below - sine * here
        radius = (entries[k] ** 2 + length**2) ** 0.5
        if radius == 0.0:
            raise SolverError("the matrix of an implicit step is singular")
        cosine, sine = entries[k] / radius, length / radius
        rotations.append((cosine, sine))
        entries[k] = radius
        columns.append(entries)
        rest[k], after = cosine * rest[k], -sine * rest[k]
        rest.append(after)
        if abs(after) <= tolerance * size:
            break
        if not abs(after) < float("inf"):
            raise SolverError("the derivative of func is not finite")
        basis[k + 1] = vector / length
    else:
        if abs(rest[-1]) > 1e3 * tolerance * size:
            raise SolverError(f"the linear system of an implicit step was not solved by {most} products with its matrix")
    factors = [0.0] * len(columns)
    for i in range(len(columns) - 1, -1, -1):
        total = rest[i] - sum(columns[j][i] * factors[j] for j in range(i + 1, len(columns)))
        factors[i] = total / columns[i][i]
    combination = torch.tensor(factors, dtype=known.dtype, device=known.device)
    return combination @ basis[: len(factors)]
