"""`D^1/2 y = -y`, y(0) = 1, to t = 10 in N steps; the error at the end, exactly `exp(t) erfc(sqrt t)`.

Adams-Bashforth-Moulton method with one correction (PECE): predicted by product rectangles, corrected by the
product trapezoid, with direct sums over the whole past.
"""

from math import erfc, exp, gamma, sqrt

import numpy as np

from row import rows

ALPHA, END = 0.5, 10.0
EXACT = exp(END) * erfc(sqrt(END))


def error(y):
    return abs(y - EXACT) / EXACT


def numpy_sums(n):
    h = END / n

    def call():
        k = np.arange(n + 1, dtype=float)
        b = (k[1:] ** ALPHA - k[:-1] ** ALPHA) * (h**ALPHA / gamma(ALPHA + 1))
        p = np.arange(n + 2, dtype=float) ** (ALPHA + 1)
        scale = h**ALPHA / gamma(ALPHA + 2)
        c = np.concatenate(([1.0], p[2:] - 2 * p[1:-1] + p[:-2])) * scale
        # Reversed, so that each sum is a product of two contiguous slices.
        b, c = b[::-1].copy(), c[::-1].copy()
        f = np.empty(n + 1)
        y, f[0] = 1.0, -1.0
        for i in range(1, n + 1):
            start = ((i - 1) ** (ALPHA + 1) - (i - 1 - ALPHA) * i**ALPHA) * scale
            predicted = 1.0 + b[n - i :] @ f[:i]
            y = 1.0 + start * f[0] + c[n + 1 - i : n] @ f[1:i] - scale * predicted
            f[i] = -y
        return y

    return call, error


def pycaputo_pece(n):
    from pycaputo.controller import make_fixed_controller
    from pycaputo.derivatives import CaputoDerivative
    from pycaputo.fode import caputo
    from pycaputo.stepping import evolve

    def call():
        method = caputo.PECE(
            ds=(CaputoDerivative(ALPHA),),
            control=make_fixed_controller(END / n, tstart=0.0, tfinal=END),
            source=lambda t, y: -y,
            y0=(np.array([1.0]),),
            corrector_iterations=1,
        )
        for event in evolve(method):
            last = event
        return last.t, float(last.y[0])

    # Its last node is slightly before the end: compared with the solution at that node.
    def error_at_last_node(node):
        t, y = node
        exact = exp(t) * erfc(sqrt(t))
        return abs(y - exact) / exact

    return call, error_at_last_node


def package(n):
    import hpfracc

    text = f"D^{ALPHA} y = -y; y(0) = 1; t in [0, {END}]"
    return lambda: hpfracc.solve(text, scheme="pece", steps=n).y[0, -1], error


METHODS = {
    "numpy": ("numpy", numpy_sums),
    "pycaputo": ("pycaputo", pycaputo_pece),
    "package": ("hpfracc-python", package),
}

if __name__ == "__main__":
    rows({"relaxation": METHODS})
