"""The matrix of the corpus: op x element type x attribute class. A test names each legal cell that no golden fills.

    python -m golden.make.matrix [OP]...

prints it. The classes of an op follow from its record (`assay ops --json`): one for each attribute with a value other
than its default, and those of VALUES and SHAPES below for the ops that they name. golden/<op>/<class>.hlo has the cases
of a class, named by element type.
"""

import re
import sys

from golden.witness.element_types import COMPLEX, ELEMENT_TYPES, is_float, is_integer, width_of
from golden.witness.hlo import goldens
from golden.witness.program import GOLDEN, op_table

# Attributes without classes: no value depends on them, or other goldens have all of their values. The text is the
# reason.
WITHOUT = {
    "operand_precision": "how products are computed, not which", "algorithm": "how products are computed, not which",
    "sparsity_config": "spec_tests/tools/intake_hlo_cases.py", "block_scaling_config": "not evaluated",
    "convolution_kind": "a note of XLA:GPU's", "inferred_dimension": "the shape says it too",
    "output_to_operand_aliasing": "no value depends on it",
    "cross_program_prefetch_index": "no value depends on it", "async_execution_thread": "no value depends on it",
    "parameter_replication": "no value depends on it",
    "indices_are_sorted": "a promise: no value depends on it", "unique_indices": "a promise: no value depends on it",
    "is_associative": "a promise: no value depends on it", "mode": "has one value",
    "calls": "the computation is the case", "kind": "a note of the compiler's", "condition": "golden/while",
    "body": "golden/while", "true_computation": "golden/conditional", "false_computation": "golden/conditional",
    "branch_computations": "golden/conditional", "index": "golden/get-tuple-element",
    "domain": "no value depends on it",
    "rhs_batch_dims": "with lhs_batch_dims", "rhs_contracting_dims": "with lhs_contracting_dims",
    "rhs_group_dims": "with lhs_ragged_dims", "start_indices_batching_dims": "with operand_batching_dims",
    "scatter_indices_batching_dims": "with input_batching_dims", "collapsed_slice_dims": "with start_index_map",
    "inserted_window_dims": "with scatter_dims_to_operand_dims", "slice_sizes": "with offset_dims",
    "dynamic_slice_sizes": "golden/dynamic-slice/out_of_bounds.hlo", "fft_type": "golden/fft/types.hlo",
    "order": "another spelling of type", "k": "with largest", "shifts": "with dimensions", "is_stable": "with ties",
}
# Ops whose cases are in other modules, with their own values of each attribute.
ELSEWHERE = {"call", "custom-call", "rng", "rng-bit-generator", "rng-get-and-update-state", "dynamic-reshape"}
# Attributes with several classes each.
WINDOW = ("stride", "pad", "negative_pad", "base_dilation", "window_dilation")
PARTS = {
    ("convolution", "window"): (*WINDOW, "window_reversal"), ("reduce-window", "window"): WINDOW,
    ("select-and-scatter", "window"): ("stride", "pad"), ("pad", "padding"): ("low_high", "negative_pad", "interior"),
    **{(op, "to_apply"): ("maximum", "minimum", "multiply") for op in ("reduce", "reduce-window", "scatter")},
    ("sort", "to_apply"): ("descending", "specials"), ("map", "to_apply"): (), ("scan", "to_apply"): (),
}

ROUNDED = "add atan2 divide multiply power remainder subtract"
WHOLE = "and or xor mulhi shift-left shift-right-arithmetic shift-right-logical"
PAIRS = f"{ROUNDED} {WHOLE} maximum minimum"
SINGLES = ("abs ceil count-leading-zeros floor imag is-finite negate not popcnt real round-nearest-afz"
           " round-nearest-even sign sqrt")
FUNCTIONS = "acos acosh asin asinh atan atanh cbrt cosh cosine erf exponential exponential-minus-one log log-plus-one" \
            " logistic rsqrt sine sinh tan tanh"
MOVES = "broadcast concatenate iota pad reshape reverse slice transpose"
STARTS = "dynamic-slice dynamic-update-slice gather scatter"
INDEX = re.compile(r"[su](8|16|32|64)")


def is_wide(kind):
    """True if a type has too many numbers for a case with all of them."""
    return width_of(kind) > 8


# By class: the property that it pins, its ops, and their types.
VALUES = {
    "every_pattern": ("every number of the type", f"{SINGLES} {FUNCTIONS}", lambda k: not is_wide(k) and k != "pred"),
    "every_pair": ("every number with every other", PAIRS, lambda k: width_of(k) <= 4),
    "specials":
    ("NaN, infinities, zeros, subnormal numbers, both ends", f"{SINGLES} {FUNCTIONS} {PAIRS} clamp complex", is_float),
    "limits": ("both ends of the range, and what wraps", f"{SINGLES} {PAIRS}", is_integer),
    "roundings": ("ties, and what is next to them; past both ends", ROUNDED, is_float),
    "sweep":
    ("a number for each power of two, of either sign", f"{FUNCTIONS} sqrt", lambda k: is_float(k) and is_wide(k)),
    "quadrants":
    ("complex numbers in each quadrant, large and small", f"{SINGLES} {FUNCTIONS} {PAIRS}", lambda k: k in COMPLEX),
    "out_of_bounds": ("starts before the first and behind the last", STARTS, lambda k: True),
    "index_types": ("starts of each integer type, at its ends", STARTS, INDEX.fullmatch),
    "ties": ("equal numbers, of which one is chosen", "select-and-scatter topk sort", lambda k: True),
    "crossed": ("bounds that cross", "clamp", lambda k: True),
    "init": ("a start that is no identity", "reduce reduce-window select-and-scatter scan", lambda k: True),
    "digits": ("numbers with all digits of the type", "dot convolution reduce reduce-window", lambda k: k != "pred"),
    "several": ("several operands folded at once", "reduce reduce-window scatter map", lambda k: True),
    "narrower": ("to narrower elements, in a dimension more", "bitcast-convert", lambda k: width_of(k) >= 8),
    "wider": ("to wider elements, in a dimension less", "bitcast-convert",
              lambda k: width_of(k) in (4, 8, 16, 32) or k == "c64"),
    "targets": ("each signed integer type, and random numbers beside the part cut off", "stochastic-convert",
                lambda k: width_of(k) in (4, 8, 16, 32, 64)),
    **{f"from_{k}": (f"from {k}: ties, both ends, specials; or every number", "convert", lambda k: True) for k in
       ELEMENT_TYPES},
}
SHAPES = {
    "zero_sized": ("no element", f"{MOVES} {STARTS} dot convolution reduce sort topk select copy", lambda k: True),
    "scalar": ("a scalar", "broadcast reshape dynamic-slice dynamic-update-slice select clamp", lambda k: True),
    "degenerate": ("a dimension of one element", "broadcast reduce-window gather", lambda k: True),
    "oblong": ("sizes that all differ", "reshape transpose dot", lambda k: True),
    "batches": ("several matrices", "cholesky triangular-solve", lambda k: True),
    "layouts": ("columns first in memory", "copy transpose reduce", lambda k: True),
    "outer": ("nothing contracted", "dot", lambda k: True),
    "sizes": ("a scalar, no element, one element, four dimensions",
              f"{SINGLES} {FUNCTIONS} {PAIRS} compare complex convert", lambda k: True),
}


def array_types(op):
    """Returns the types of arrays that the op accepts."""
    kinds = [k for k in op["types"] if k in ELEMENT_TYPES]
    return list(ELEMENT_TYPES) if op["name"] == "select" else kinds  # operand 0 is a pred, unlike the others


def attribute_classes(op):
    """Returns the classes of the op's attributes, and the property that each one pins."""
    for attribute in op["attributes"]:
        name = attribute["name"]
        if name not in WITHOUT:
            for part in PARTS.get((op["name"], name), (name,)):
                yield part, f"`{name}`" if part == name else f"`{name}`: {part}"


def classes_of(op):
    """Returns the classes of an op, each with its legal types."""
    if not op["evaluated"] or op["depends_on_device"] or op["name"] in ELSEWHERE:
        return {}
    kinds = array_types(op)
    found = {name: kinds for name, _ in attribute_classes(op)}
    for table in (VALUES, SHAPES):
        for name, (_, ops, is_of) in table.items():
            if op["name"] in ops.split():
                found[name] = [k for k in kinds if is_of(k)]
    narrow = {"every_pattern": set(), "every_pair": set()}
    for name, taken in narrow.items():
        taken.update(found.get(name, ()))
    all_of = narrow["every_pattern"] | narrow["every_pair"]
    for name in ("specials", "limits", "roundings"):  # A case with every number includes these.
        if name in found and op["name"] in f"{SINGLES} {FUNCTIONS} {PAIRS}".split():
            found[name] = [k for k in found[name] if k not in all_of]
    if "sizes" in found:
        found["sizes"] = [next(k for k in ("f32", "s32", "c64") if k in kinds)]
    return {name: legal(op["name"], name, kinds) for name, kinds in found.items() if legal(op["name"], name, kinds)}


def legal(op, name, kinds):
    """Returns the types of a class without those that are illegal for it."""
    return [k for k in kinds if (op, name, k) not in ILLEGAL and ("*", name, k) not in ILLEGAL
            and (op, name, family(k)) not in ILLEGAL]


def family(kind):
    """Returns signed, unsigned, float, complex or pred."""
    return ELEMENT_TYPES[kind].family


# (op, class, type or family of types) without a module, and the reason.
ILLEGAL = {
    **{(op, name, "complex"): "complex numbers have no order" for op in ("reduce", "reduce-window", "scatter")
       for name in ("maximum", "minimum")},
    ("compare", "type", "pred"): "only floats have a total order",
    **{("compare", "type", f): "only floats have a total order" for f in ("signed", "unsigned", "complex")},
    **{("sort", "specials", f): "no specials" for f in ("signed", "unsigned", "complex", "pred")},
    ("bitcast-convert", "narrower", "c64"): "no complex type is narrower",
    **{("bitcast-convert", name, f"f6e{p}fn"): "no type has so many bits" for name in ("narrower", "wider")
       for p in ("2m3", "3m2")},
}


def cells(ops=()):
    """Yields (op, class, type) of all legal cells, of all ops if none is named."""
    for op in op_table():
        if not ops or op["name"] in ops:
            for name, kinds in classes_of(op).items():
                yield from ((op["name"], name, kind) for kind in kinds)


def is_filled(cell, cases):
    """True if one of the cases (op/file/case) belongs to the cell."""
    op, name, kind = cell
    return any(re.fullmatch(rf"{kind}(_.+)?", case) for case in cases.get(f"{op}/{name}", ()))


def cases_by_file(names):
    """Returns the names of cases, as lists by op/file."""
    found = {}
    for name in names:
        file, _, case = name.rpartition("/")
        found.setdefault(file, []).append(case)
    return found


def case_names():
    """Returns the names of all cases in golden/."""
    for path in GOLDEN.rglob("*.hlo"):
        for case in goldens.case_names(path):
            yield f"{path.parent.name}/{path.stem}/{case}"


def main():
    """Prints a line for each op and class: the property that it pins, and how many of its types have a case."""
    known, filled, empty = cases_by_file(case_names()), 0, []
    pins = {name: what for table in (VALUES, SHAPES) for name, (what, *_) in table.items()}
    for op in op_table():
        if sys.argv[1:] and op["name"] not in sys.argv[1:]:
            continue
        pins_of = pins | dict(attribute_classes(op))
        for name, kinds in classes_of(op).items():
            missing = [k for k in kinds if not is_filled((op["name"], name, k), known)]
            filled += len(kinds) - len(missing)
            empty += missing
            found = len(kinds) - len(missing)
            print(f"{op['name']:<24} {name:<28} {found:>3} of {len(kinds):>2} types  {pins_of[name]}")
    print(f"{filled} cells filled, {len(empty)} empty")
    return 1 if empty else 0


if __name__ == "__main__":
    sys.exit(main())
