"""Rules of legality from the pages of the ops, which XLA:CPU does not check, or violations of which end its process.

No statement follows for a module that breaks none of them.
"""

import math
import re

from golden.witness.hlo.module import Module, grid_of

COLLECTIVES = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute", "collective-broadcast"}
OF_ARRAYS = {"dot", "reshape", "broadcast", "transpose", "slice", "pad", "reverse", "convolution", "add", "negate"}


def tree(text):
    """Returns a shape without layouts: a list for a tuple, (type, sizes) for an array and for the buffer of one."""
    text = re.sub(r"(?<=\])\{[^{}]*\}|\s|<=", "", text)

    def parse(at):
        if text.startswith("b(", at):
            array, at = parse(at + 2)
            return array, at + 1
        if text[at] != "(":
            match = re.compile(r"(\w+)\[([\d,]*)\]").match(text, at)
            return (match[1], tuple(int(n) for n in match[2].split(",") if n)), match.end()
        parts, at = [], at + 1
        while text[at] != ")":
            part, at = parse(at + (text[at] == ","))
            parts.append(part)
        return parts, at + 1

    return parse(0)[0]


def broken_rule(text):
    """Returns a rule that the module breaks, in words, or None."""
    if min(grid_of(text)) < 1:
        return "replica_count and num_partitions are positive"
    module = Module(text)
    if rule := broken_by_donors(module):
        return rule
    layouts = {(i.opcode, i.flag("constrain_layout")) for body in module.computations.values() for i in body
               if i.opcode in COLLECTIVES}
    if len(layouts) > len({op for op, _ in layouts}):
        return "constrain_layout is the same throughout the module"
    for body in module.computations.values():
        for instruction in body:
            users = [i for i in body if instruction.name in i.operand_names() and i.opcode != "parameter"]
            operands = [tree(shape) for shape in instruction.operand_shapes]
            for rule, is_broken in RULES.items():
                if is_broken(module, instruction, tree(instruction.shape), operands, users):
                    return f"{instruction.name}: {rule}"
    return None


def broken_by_donors(module):
    """Returns the rule that a buffer_donor breaks: it names a buffer of the entry, once."""
    donors = re.search(r"buffer_donor=\{(.*?\))\s*\}", module.header)
    parameters = [i for i in module.computations[module.entry] if i.opcode == "parameter"]
    shapes = {int(i.operands): tree(i.shape) for i in parameters}
    aliased = re.findall(r": \((\d+), \{([\d, ]*)\}", module.header)
    for number, index in re.findall(r"\((\d+), \{([\d, ]*)\}\)", donors[1] if donors else ""):
        if part_of(shapes.get(int(number)), numbers(index)) is None:
            return "a buffer donor is a buffer of the entry"
        if (number, index) in aliased:
            return "a buffer donor is not aliased already"
    return None


def numbers(text):
    """Returns the numbers in a text."""
    return [int(n) for n in re.findall(r"-?\d+", text)]


def part_of(shape, index):
    """Returns the part of a shape at an index, or None."""
    for i in index:
        if not isinstance(shape, list) or not 0 <= i < len(shape):
            return None
        shape = shape[i]
    return shape


def root_shape(module, name):
    """Returns the shape of a computation's root."""
    return next(tree(i.shape) for i in module.computations[name] if i.is_root)


def breaks_broadcast(module, i, result, operands, users):
    """True if a dimension of the operand differs from the result's."""
    return i.opcode == "broadcast" and any(n != result[1][d] for n, d in zip(operands[0][1], i.ints("dimensions")))


def breaks_alias(module, i, result, operands, users):
    """True if a pair of output_to_operand_aliasing does not match."""
    text = re.search(r"output_to_operand_aliasing=\{(.*?\))\}", i.attributes)
    for output, k, index in re.findall(r"\{([\d, ]*)\}: \((\d+), \{([\d, ]*)\}", text[1] if text else ""):
        wanted = part_of(operands[int(k)], numbers(index)) if int(k) < len(operands) else None
        if wanted is None or part_of(result, numbers(output)) != wanted:
            return True
    return False


def breaks_call(module, i, result, operands, users):
    """True if the result of a fusion or a call is not that of its computation."""
    called = i.text("calls") or i.text("to_apply")
    return i.opcode in ("fusion", "call") and root_shape(module, called) != result


def breaks_ragged(module, i, result, operands, users):
    """True if rows or offsets do not match."""
    if i.opcode != "ragged-all-to-all":
        return False
    data, out, *offsets = operands
    return data[1][1:] != out[1][1:] or len(set(offsets)) != 1 or not 1 <= len(offsets[0][1]) <= 2


def breaks_slices(module, i, result, operands, users):
    """True if the start indices of an in-place permute are not tuples of one scalar for each dimension."""
    if i.opcode != "collective-permute" or i.text("slice_sizes") is None:
        return False
    return any(starts_break(buffer, starts) for buffer, starts in zip(operands[:2], operands[2:]))


def starts_break(buffer, starts):
    """True unless each buffer has a tuple of starts, or a tuple of several such tuples."""
    if not isinstance(starts, list):
        return True
    if isinstance(buffer, list):
        return len(starts) != len(buffer) or any(map(starts_break, buffer, starts))
    if starts and isinstance(starts[0], list):
        return any(starts_break(buffer, part) for part in starts)
    return len(starts) != len(buffer[1])


def breaks_folded(module, i, result, operands, users):
    """True if a fold of one array has a tuple as its result, or a computation of select-and-scatter does."""
    count = len(operands) // 2 if i.opcode in ("reduce", "reduce-window") else len(operands)
    if i.opcode in ("reduce", "reduce-window", "sort") and count == 1:
        return isinstance(result, list)
    return i.opcode == "select-and-scatter" and isinstance(root_shape(module, i.text("scatter")), list)


def breaks_transfer(module, i, result, operands, users):
    """True if the shapes or users of a transfer are illegal."""
    token = ("token", ())
    if i.opcode == "infeed":
        return len(result) != 2 or result[1] != token or (
            isinstance(result[0], list) and any(isinstance(part, list) for part in result[0]))
    if i.opcode == "outfeed":
        return tree(re.search(r"outfeed_shape=(\(.*?\)|\S+\])", i.attributes)[1]) != operands[0]
    if i.opcode in ("send", "recv"):
        done = i.opcode + "-done"
        return len(result) != 3 or result[2] != token or [u.opcode for u in users] != [done] or any(
            u.flag("is_host_transfer") != i.flag("is_host_transfer") for u in users)
    return i.opcode == "copy-start" and any(user.opcode != "copy-done" for user in users)


RULES = {
    "operand dimensions are as large as those of the result": breaks_broadcast,
    "aliased outputs have the shape of an operand": breaks_alias,
    "the result is that of the computation": breaks_call,
    "inputs and outputs agree but for dimension 0; offsets have one shape, of rank 1 or 2": breaks_ragged,
    "there is one start index for each dimension": breaks_slices,
    "one array folds to an array": breaks_folded,
    "transfers have their shapes and ends": breaks_transfer,
    "a pinned buffer aliases its operand": lambda m, i, r, o, u: i.text("custom_call_target") == '"Pin"'
    and not i.text("output_to_operand_aliasing"),
    "channel_id is positive": lambda m, i, r, o, u: i.opcode in COLLECTIVES and i.text("channel_id") in ("0", "-1"),
    "the start of a gather gives a pair":
        lambda m, i, r, o, u: i.opcode == "all-gather-start" and not isinstance(r, list),
    "group counts are positive": lambda m, i, r, o, u: any(
        int(i.text(name, "1")) < 1 for name in ("feature_group_count", "batch_group_count")),
    "no more carries than operands or results": lambda m, i, r, o, u: i.opcode == "scan"
    and int(i.text("num_carries")) > min(len(o), len(root) if isinstance(root := root_shape(m, i.text("to_apply")), list) else 1),
    "operands are arrays": lambda m, i, r, o, u: i.opcode in OF_ARRAYS and any(
        isinstance(s, list) or s[0] == "token" for s in o),
    "results are arrays": lambda m, i, r, o, u: i.opcode in OF_ARRAYS | {"rng"} and isinstance(r, list),
    "as many elements as the operand": lambda m, i, r, o, u: i.opcode in ("reshape", "dynamic-reshape")
    and math.prod(o[0][1]) != math.prod(r[1]),
    "a size for each dimension": lambda m, i, r, o, u: i.opcode == "dynamic-reshape" and len(o) != len(r[1]) + 1,
    "the order fits the type": lambda m, i, r, o, u: i.opcode == "compare" and i.text("order") == "PARTIAL"
    and o[0][0][0] in "su",
    "tolerances are not negative": lambda m, i, r, o, u: bool(re.search(r"[art](tol|lps)=-", i.attributes)),
    "the index is in the tuple": lambda m, i, r, o, u: i.opcode == "get-tuple-element"
    and part_of(o[0], [int(i.text("index"))]) is None,
    "ids are u32": lambda m, i, r, o, u: i.opcode in ("replica-id", "partition-id") and r[0] != "u32",
}
