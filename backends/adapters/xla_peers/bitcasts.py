"""Rewrites bitcasts as transposes and reshapes, because StableHLO does not keep the layouts on which bitcasts depend.

In memory, an array is row-major in the order of its dimensions from major to minor. A bitcast is therefore a transpose
into that order, a reshape, and a transpose out of the order of the result.
"""

import re

from .module_text import array, element_type, order_in_memory, parse_line, print_options, sizes


def without_bitcasts(module):
    """Returns the module's text with transposes and reshapes for the bitcasts that they can express; None if there
    are none."""
    shapes, lines, count = {}, [], 0
    for text in module.to_string(print_options()).splitlines():
        line = parse_line(re.sub(r"/\*index=\d+\*/", "", text)) if text.startswith("  ") else None
        if line:
            shapes[line.name] = line.shape
            spelled = spelled_out(line, shapes) if line.opcode == "bitcast" else None
            if spelled:
                lines += spelled
                count += 1
                continue
        lines.append(text)
    return "\n".join(lines) if count else None


def spelled_out(line, shapes):
    """Returns the lines for one bitcast; None if it changes the type, or if a layout is more than an order."""
    old, new = shapes[line.arguments], line.shape
    orders = order_in_memory(old), order_in_memory(new)
    if None in orders or element_type(old) != element_type(new):
        return None

    def permuted(shape, order):
        return array(element_type(shape), [sizes(shape)[d] for d in order])

    back = [orders[1].index(d) for d in range(len(orders[1]))]
    root, name = "ROOT " if line.is_root else "", line.name
    attributes = "".join(f", {attribute}" for attribute in line.attributes)
    return [
        f"  {name}.in_memory = {permuted(old, orders[0])} transpose({line.arguments}), dimensions={braced(orders[0])}",
        f"  {name}.reshaped = {permuted(new, orders[1])} reshape({name}.in_memory)",
        f"  {root}{name} = {new} transpose({name}.reshaped), dimensions={braced(back)}{attributes}",
    ]


def braced(numbers):
    """Returns the numbers as an attribute."""
    return "{" + ",".join(map(str, numbers)) + "}"
