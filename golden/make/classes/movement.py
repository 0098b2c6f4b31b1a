"""Ops that move elements: shapes on which a wrong place shows, empty arrays, a scalar, layouts."""

from golden.make.patterns import numbers_of, with_specials
from golden.make.values import Sample, behind, several, small, template


def moved(root, *shapes, reason, body=()):
    """Returns a template of operands of the element type; numbers are all different, including special ones."""
    values = [behind(numbers_of, 9 * i) if i else with_specials for i in range(len(shapes))]
    return template(" ".join(f"{{k}}[{shape}]" for shape in shapes), root, *values, body=body, reason=reason)


def set_size(op, kind):
    """set-dimension-size, with the size shown by its sizes: peers accept no dynamic dimension at the entry."""
    words = numbers_of(kind, 6)
    return {name: Sample([f"{kind}[2,3]", "s32[]"], f"s32[] get-dimension-size(d), dimensions={{{seen}}}", [words, [1]],
                         reason=reason, body=[f"d = {kind}[2,<=3] {op}(a, b), dimensions={{1}}"],
                         more={"_none": [words, [0]], "_all": [words, [3]]} if seen else {}) for name, seen, reason in
            (("set", 1, "the dimension that is set"), ("other", 0, "the other one"))}


NONE, SQUARE, ALL_DIFFER = "no element", "a cube: a wrong order shows", "sizes that all differ"
TABLE = {
    ("broadcast", "dimensions"): moved("{k}[3,2,4] {op}(a), dimensions={0,2}", "3,4", reason="between two dimensions"),
    ("broadcast", "zero_sized"): moved("{k}[2,0,3] {op}(a), dimensions={0,1}", "2,0", reason=NONE),
    ("broadcast", "degenerate"): moved("{k}[3,1,2] {op}(a), dimensions={1,2}", "1,2",
                                       reason="a dimension of one element stays one"),
    ("reshape", "zero_sized"): moved("{k}[3,0,5] {op}(a)", "2,0", reason=NONE),
    ("reshape", "oblong"): moved("{k}[5,3,2] {op}(a)", "2,3,5", reason="row-major order stays; all sizes differ"),
    ("transpose", "dimensions"): moved("{k}[3,3,3] {op}(a), dimensions={1,2,0}", "3,3,3",
                                       reason="a permutation that is not its own inverse, of equal sizes"),
    ("transpose", "zero_sized"): moved("{k}[3,2,0] {op}(a), dimensions={2,0,1}", "2,0,3", reason=NONE),
    ("transpose", "oblong"): moved("{k}[5,2,3,1] {op}(a), dimensions={3,1,0,2}", "3,2,1,5", reason=ALL_DIFFER),
    ("reverse", "dimensions"): moved("{k}[3,3,3] {op}(a), dimensions={0,2}", "3,3,3", reason="two of three"),
    ("reverse", "zero_sized"): moved("{k}[2,0] {op}(a), dimensions={0,1}", "2,0", reason=NONE),
    ("slice", "slice"): moved("{k}[2,2,3] {op}(a), slice={[1:3], [0:5:3], [1:6:2]}", "3,5,7",
                              reason="each dimension with a step of its own, from odd places"),
    ("slice", "zero_sized"): moved("{k}[2,0] {op}(a), slice={[1:3], [2:2]}", "3,5", reason="from a place to the same"),
    ("concatenate", "dimensions"): moved("{k}[3,6,2] {op}(a, b, c), dimensions={1}", "3,2,2", "3,1,2", "3,3,2",
                                         reason="along the middle one of three"),
    ("concatenate", "zero_sized"): moved("{k}[2,3] {op}(a, b, c), dimensions={1}", "2,0", "2,3", "2,0",
                                         reason="operands of no element"),
    ("pad", "low_high"): moved("{k}[5,6] {op}(a, b), padding=0_2x3_1", "3,2", "", reason="low and high differ"),
    ("pad", "negative_pad"): moved("{k}[3,2] {op}(a, b), padding=-1_1x1_-2", "3,3", "",
                                   reason="elements fall off at one end, values come at the other"),
    ("pad", "interior"): moved("{k}[6,4] {op}(a, b), padding=1_-2_2x-2_1_1", "3,3", "",
                               reason="values between elements, of which negative padding cuts some off"),
    ("pad", "zero_sized"): moved("{k}[3,2] {op}(a, b), padding=2_1_1x0_0", "0,2", "",
                                 reason="no element: only padding"),
    ("iota", "iota_dimension"): moved("{k}[3,3,3] {op}(), iota_dimension=1", reason="the middle one of three"),
    ("iota", "zero_sized"): moved("{k}[2,0] {op}(), iota_dimension=0", reason=NONE),
    ("copy", "zero_sized"): moved("{k}[2,0] {op}(a)", "2,0", reason=NONE),
    ("copy", "layouts"): moved("{k}[3,2]{1,0} {op}(c)", "3,2", body=["c = {k}[3,2]{0,1} copy(a)"],
                               reason="columns first in memory, and back"),
    ("transpose", "layouts"): moved("{k}[2,3]{1,0} {op}(c), dimensions={1,0}", "3,2",
                                    body=["c = {k}[3,2]{0,1} copy(a)"],
                                    reason="rows become columns, whatever the order in memory"),
    ("shuffle", "dimensions"): moved("{k}[3,5] {op}(a), dimensions={0,1}, mode=rotate, shifts={-1,7}", "3,5",
                                     reason="backward, and past the size"),
}


def classes():
    """Returns the templates by (op, class)."""
    return TABLE | {
        ("broadcast", "scalar"): several(
            array=template("{k}[]", "{k}[2,3] {op}(a), dimensions={}", small, reason="a scalar in every place"),
            scalar=template("{k}[]", "{k}[] {op}(a), dimensions={}", small, reason="a scalar stays one")),
        ("reshape", "scalar"): several(**{"from": template("{k}[]", "{k}[1,1] {op}(a)", small, reason="from a scalar")},
                                       to=template("{k}[1,1,1]", "{k}[] {op}(a)", small, reason="to a scalar")),
        ("get-dimension-size", "dimensions"):
        several(**{f"{d}": template("{k}[2,4,3]", f"s32[] {{op}}(a), dimensions={{{d}}}", numbers_of,
                                    reason="the size of one of three dimensions") for d in range(3)}),
        ("set-dimension-size", "dimensions"): set_size,
    }
