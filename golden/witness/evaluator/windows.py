"""The window of reduce-window, select-and-scatter and convolution."""

import numpy as np


class Window:
    """The window attribute: each of its parts has a number for each dimension."""

    def __init__(self, instruction):
        parts = dict(p.split("=") for p in (instruction.text("window") or "{}").strip("{}").split())
        self.size = [int(n) for n in parts.get("size", "").split("x") if n]

        def numbers(name, default):
            return [int(n) for n in parts[name].split("x")] if name in parts else [default] * len(self.size)

        self.stride, self.dilation, self.base = numbers("stride", 1), numbers("rhs_dilate", 1), numbers("lhs_dilate", 1)
        self.reversal = numbers("rhs_reversal", 0)
        pads = [[int(n) for n in pad.split("_")] for pad in parts["pad"].split("x")] if "pad" in parts else []
        self.low, self.high = map(list, zip(*pads)) if pads else ([0] * len(self.size), [0] * len(self.size))

    def cells(self):
        """Yields the cells of the window in the order in which a fold visits them."""
        for inside in np.ndindex(*self.size):
            yield [n - 1 - c if r else c for c, n, r in zip(inside, self.size, self.reversal)]

    def places(self, base):
        """Returns the number of positions of the window in each dimension of a base with these sizes."""
        counts = []
        for d, size in enumerate(base):
            padded = max((size - 1) * self.base[d] + 1, 0) + self.low[d] + self.high[d]
            room = padded - (self.size[d] - 1) * self.dilation[d] - 1
            counts.append(room // self.stride[d] + 1 if room >= 0 else 0)
        return counts

    def element(self, d, output, inside, size):
        """Returns the base element under the window's element `inside`; None for a hole or padding."""
        place = output * self.stride[d] + inside * self.dilation[d] - self.low[d]
        if place % self.base[d] or not 0 <= place // self.base[d] < size:
            return None
        return place // self.base[d]
