"""The window of reduce-window, select-and-scatter and convolution."""

import numpy as np


class Window:
    """The window attribute, a number a dimension for each of its parts."""

    def __init__(self, instruction):
        parts = dict(p.split("=") for p in (instruction.text("window") or "{}").strip("{}").split())
        self.size = [int(n) for n in parts.get("size", "").split("x") if n]

        def numbers(name, default):
            return [int(n) for n in parts[name].split("x")] if name in parts else [default] * len(self.size)

        self.stride, self.dilation, self.base = numbers("stride", 1), numbers("rhs_dilate", 1), numbers("lhs_dilate", 1)
        self.reversal = numbers("rhs_reversal", 0)
        self.low = [int(p.split("_")[0]) for p in parts["pad"].split("x")] if "pad" in parts else [0] * len(self.size)

    def cells(self):
        """The indices of its cells in the order of a fold: a reversed dimension goes from its last one to its first."""
        for cell in np.ndindex(*self.size):
            yield tuple(n - 1 - i if is_reversed else i for n, i, is_reversed in zip(self.size, cell, self.reversal))

    def element(self, d, output, inside, size):
        """Which element of the base the window's element `inside` falls on; None: a hole or padding."""
        place = output * self.stride[d] + inside * self.dilation[d] - self.low[d]
        if place % self.base[d] or not 0 <= place // self.base[d] < size:
            return None
        return place // self.base[d]
