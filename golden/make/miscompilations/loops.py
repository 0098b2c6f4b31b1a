"""Loops and branches: counted, unrolled, peeled, with loop invariants, and with interacting carries."""

from golden.make.miscompilations.forms import INF, NAN, Program, combiner


def parts(state, names):
    """Returns the lines that take a tuple p apart."""
    shapes = state.strip("()").split(", ")
    return "".join(f"  {n} = {s} get-tuple-element(p), index={i}\n" for i, (n, s) in
                   enumerate(zip(names.split(), shapes)))


def loop(name, reason, state, names, condition, body, values, kinds=("s32",), root=None, more=None, extra=""):
    """Returns a program that is a loop: `condition` and `body` are lines over the state's elements, by name.

    The condition's last line is c, or it is the number that i stays below; the body's last line has the new elements in
    a tuple r. All elements are parameters.
    """
    if isinstance(condition, int):
        condition = f"n = s32[] constant({condition})\nc = pred[] compare(i, n), direction=LT"

    def text(lines):
        return "".join(f"  {line.strip()}\n" for line in lines.split("\n"))

    shapes = state.strip("()").split(", ")
    test = f"more_T {{\n  p = {state} parameter(0)\n{parts(state, names)}{text(condition)}}}".replace(
        "  c =", "  ROOT c =")
    step = f"step_T {{\n  p = {state} parameter(0)\n{parts(state, names)}{text(body)}}}".replace("  r =", "  ROOT r =")
    operands = " ".join(f"{n}:{s}" for n, s in zip(names.split(), shapes))
    lines = f"t = {state} tuple({', '.join(names.split())})\n"
    lines += f"w = {state} while(t), condition=more_T, body=step_T\n" + (
        root or f"r = {shapes[-1]} get-tuple-element(w), index={len(shapes) - 1}")
    return Program(name, reason, kinds, operands, lines, values, names.split()[0],
                   "\n\n".join(filter(None, [extra, test, step])), folds=False, more=more or {})


COUNTED = "(T[], T[], T[])"


def counted(name, reason, step, values, kinds=("s32", "s8", "u8", "s64"), direction="LT", operation="add", more=None):
    """Returns a loop whose results are its final counter and the sum of its counters."""
    return loop(name, reason, COUNTED, "i n s", f"c = pred[] compare(i, n), direction={direction}",
                f"k = T[] constant({step})\nj = T[] {operation}(i, k)\nm = T[] add(s, i)\nr = {COUNTED} tuple(j, n, m)",
                values, kinds, f"a = T[] get-tuple-element(w), index=0\nb = T[] get-tuple-element(w), index=2\n"
                "r = (T[], T[]) tuple(a, b)", more)


ARRAY = "(s32[], T[6])"
SIX = "e = s32[] constant(6)\nc = pred[] compare(i, e), direction=LT"
NEXT = "o = s32[] constant(1)\nj = s32[] add(i, o)\n"


def filled(name, reason, body, values=(1, 2, 3, 4, 5, 6), start=0, condition=SIX):
    """Returns a loop over the six elements of an array."""
    return loop(name, reason, ARRAY, "i x", condition, NEXT + body, [[start], list(values)], ("f32", "s8", "bf16"))


def branches(name, reason, computations, lines, operands, values, kinds=("f32", "s32"), more=None, fixed=""):
    """Returns a program with a conditional."""
    return Program(name, reason, kinds, operands, lines, values, fixed, computations, False, more=more or {})


def branch(name, parameter, lines):
    """Returns a computation of one parameter x; `lines` end in the root r."""
    text = "".join(f"  {line.strip()}\n" for line in lines.split("\n")).replace("  r =", "  ROOT r =")
    return f"{name} {{\n  x = {parameter} parameter(0)\n{text}}}"


PROGRAMS = [
    counted("step_that_does_not_divide", "openxla/xla#43396: 0, 3, 6, 9 below 10: four turns, no three", 3,
            [[0], [10], [0]],
            more={"two_turns": [[0], [4], [0]], "one_turn": [[0], [3], [0]], "no_turn": [[0], [0], [5]],
                  "from_above": [[11], [10], [5]], "from_two": [[2], [12], [0]]}),
    counted("step_down", "a counter that goes down, past zero or to it", 2, [[9], [0], [0]], ("s32", "s8", "s64"), "GT",
            "subtract", {"even": [[8], [0], [0]], "below": [[5], [-4], [0]], "none": [[-1], [0], [3]]}),
    counted("up_to_and_with", "at most: one turn more where the step divides the range", 3, [[0], [9], [0]],
            direction="LE", more={"between": [[0], [10], [0]], "one": [[7], [7], [0]]}),
    counted("until_equal", "not equal: the counter wraps until it meets the bound", 3, [[0], [10], [0]], ("s8", "u8"),
            "NE"),
    counted("doubled", "a counter that doubles is none with a step", 2, [[1], [100], [0]], ("s32", "u8", "s64"),
            operation="multiply", more={"bound_met": [[1], [64], [0]]}),
    counted("bound_at_the_end", "a bound at the end of the type: the last step would pass it", 1, [[120], [127], [0]],
            ("s8", "u8", "s32")),
    counted("near_the_end", "i + 7 wraps past the bound in eight bits: the loop goes on from there", 7,
            [[100], [125], [0]], ("s8",), more={"once_round": [[-120], [126], [0]]}),
    loop("swapped", "two elements of the state in each other's place, at once", "(s32[], T[2], T[2])", "i x y", 3,
         NEXT + "r = (s32[], T[2], T[2]) tuple(j, y, x)", [[0], [1, 2], [3, 4]], ("f32", "s8"),
         "a = T[2] get-tuple-element(w), index=1\nb = T[2] get-tuple-element(w), index=2\nr = T[2] subtract(a, b)",
         {"twice": [[1], [1, 2], [3, 4]]}),
    loop("rotated_state", "three elements of the state move on by one", "(s32[], T[], T[], T[])", "i x y z", 4,
         NEXT + "r = (s32[], T[], T[], T[]) tuple(j, y, z, x)", [[0], [1], [2], [3]], ("f32", "u8"),
         "a = T[] get-tuple-element(w), index=1\nb = T[] get-tuple-element(w), index=3\nr = (T[], T[]) tuple(a, b)"),
    loop("fibonacci", "each new element from two old ones; the sums wrap", "(s32[], T[], T[])", "i x y", 20,
         NEXT + "s = T[] add(x, y)\nr = (s32[], T[], T[]) tuple(j, y, s)", [[0], [0], [1]],
         ("s32", "u8", "f32", "s64")),
    loop("invariant_that_is_not_run",
         "openxla/xla#47341: what does not change may be computed once, but a loop of no turn shows nothing of it",
         "(s32[], T[], T[])", "i x y", 2,
         NEXT + "q = T[] divide(x, x)\ns = T[] add(y, q)\nr = (s32[], T[], T[]) tuple(j, x, s)", [[0], [0], [7]],
         ("s32", "f32", "s8"), more={"no_turn": [[2], [0], [7]]}),
    loop("invariant_only_at_first", "an element that the last turn changes is no invariant", "(s32[], T[], T[])",
         "i x y", 4, NEXT +
         "k = s32[] constant(2)\nb = pred[] compare(i, k), direction=EQ\nd = T[] add(x, x)\ne = T[] select(b, d, x)\n"
         "s = T[] add(y, e)\nr = (s32[], T[], T[]) tuple(j, e, s)", [[0], [1], [0]], ("s32", "f32", "u8")),
    loop("constant_in_the_state", "openxla/xla#47340: a constant may be sunk into the body, if no turn changes it",
         "(s32[], T[2], T[2])", "i x y", 3, NEXT + "s = T[2] add(x, y)\nr = (s32[], T[2], T[2]) tuple(j, x, s)",
         [[0], [5, 100], [0, 1]], ("s32", "f32", "s8"),
         "a = T[2] get-tuple-element(w), index=1\nb = T[2] get-tuple-element(w), index=2\nr = T[2] multiply(a, b)"),
    loop("constant_that_changes", "a constant that enters the loop and is negated in it is none in the body",
         "(s32[], T[2], T[2])", "i x y", 3,
         NEXT + "s = T[2] add(x, y)\nm = T[2] negate(x)\nr = (s32[], T[2], T[2]) tuple(j, m, s)",
         [[0], [5, 100], [0, 1]], ("s32", "f32", "s8")),
    loop("condition_by_the_value", "a loop that ends by what it computes (Collatz)", "(T[], s32[])", "x k",
         "o = T[] constant(1)\nc = pred[] compare(x, o), direction=GT",
         "two = T[] constant(2)\nthree = T[] constant(3)\no = T[] constant(1)\nl = s32[] constant(1)\n"
         "m = T[] remainder(x, two)\nb = pred[] compare(m, o), direction=EQ\nd = T[] multiply(x, three)\n"
         "e = T[] add(d, o)\nf = T[] divide(x, two)\ng = T[] select(b, e, f)\nn = s32[] add(k, l)\n"
         "r = (T[], s32[]) tuple(g, n)", [[27], [0]], ("s32", "s64", "u32", "f32"), more={"one": [[1], [0]]}),
    loop("greatest_divisor", "Euclid's algorithm: a division of what the last turn left", "(T[], T[])", "x y",
         "z = T[] constant(0)\nc = pred[] compare(y, z), direction=NE",
         "m = T[] remainder(x, y)\nr = (T[], T[]) tuple(y, m)", [[84], [36]], ("s32", "u8", "s64", "f32"),
         "r = T[] get-tuple-element(w), index=0", {"coprime": [[34], [21]], "zero": [[5], [0]]}),
    loop("floor_divided", "jax#9604: the floor division of -1 by 2 in a loop stays -1", "(s32[], T[])", "i x", 3,
         NEXT +
         "k = T[] constant(2)\nz = T[] constant(0)\nq = T[] divide(x, k)\nm = T[] remainder(x, k)\n"
         "b = pred[] compare(m, z), direction=LT\nu = T[] constant(1)\nd = T[] subtract(q, u)\n"
         "e = T[] select(b, d, q)\nr = (s32[], T[]) tuple(j, e)", [[0], [-1]], ("s32", "s8", "s64"),
         more={"minus_nine": [[0], [-9]]}),
    loop("nan_ends_it", "a comparison with NaN ends the loop", "(T[], s32[])", "x k",
         "l = T[] constant(100)\nc = pred[] compare(x, l), direction=LT",
         "o = s32[] constant(1)\nd = T[] subtract(x, x)\ne = T[] divide(d, d)\nn = s32[] add(k, o)\n"
         "r = (T[], s32[]) tuple(e, n)", [[1], [0]], ("f32", "f64", "bf16"),
         more={"at_once": [[NAN], [5]], "infinity": [[-INF], [0]]}),
    loop("nan_goes_on", "not (x >= 100) holds of NaN: the loop goes on until the count ends it", "(T[], s32[])", "x k",
         "l = T[] constant(100)\nn = s32[] constant(5)\na = pred[] compare(x, l), direction=GE\nb = pred[] not(a)\n"
         "d = pred[] compare(k, n), direction=LT\nc = pred[] and(b, d)",
         "o = s32[] constant(1)\nd = T[] subtract(x, x)\ne = T[] divide(d, d)\nn = s32[] add(k, o)\n"
         "r = (T[], s32[]) tuple(e, n)", [[1], [0]], ("f32", "bf16")),
    loop("float_counter", "a sum of 0.1 reaches 1 after ten turns or eleven, by its rounding", "(T[], s32[])", "x k",
         "l = T[] constant(1)\nc = pred[] compare(x, l), direction=LT",
         "h = T[] constant(0.1)\no = s32[] constant(1)\ny = T[] add(x, h)\nn = s32[] add(k, o)\n"
         "r = (T[], s32[]) tuple(y, n)", [[0], [0]], ("f32", "f64", "bf16", "f16")),
    filled("prefix_sums", "each turn reads what the last one wrote",
           "k = s32[] subtract(i, o)\na = T[1] dynamic-slice(x, i), dynamic_slice_sizes={1}\n"
           "b = T[1] dynamic-slice(x, k), dynamic_slice_sizes={1}\ns = T[1] add(a, b)\n"
           "y = T[6] dynamic-update-slice(x, s, i)\nr = (s32[], T[6]) tuple(j, y)", start=1),
    filled("first_turn_clamped",
           "openxla/xla#43396: in the first turn i - 1 is below zero and clamped: a peeled turn must clamp too",
           "k = s32[] subtract(i, o)\na = T[1] dynamic-slice(x, i), dynamic_slice_sizes={1}\n"
           "b = T[1] dynamic-slice(x, k), dynamic_slice_sizes={1}\ns = T[1] add(a, b)\n"
           "y = T[6] dynamic-update-slice(x, s, i)\nr = (s32[], T[6]) tuple(j, y)"),
    filled("last_turn_clamped", "in the last turn i + 1 is past the end and clamped",
           "a = T[1] dynamic-slice(x, j), dynamic_slice_sizes={1}\ny = T[6] dynamic-update-slice(x, a, i)\n"
           "r = (s32[], T[6]) tuple(j, y)"),
    filled("updates_of_two", "an update of two elements at 5 lands at 4",
           "a = T[2] dynamic-slice(x, i), dynamic_slice_sizes={2}\nb = T[2] add(a, a)\n"
           "y = T[6] dynamic-update-slice(x, b, i)\nr = (s32[], T[6]) tuple(j, y)"),
    filled("reversed_in_place", "openxla/xla#13253: elements change places, each turn two of them",
           "e = s32[] constant(5)\nk = s32[] subtract(e, i)\na = T[1] dynamic-slice(x, i), dynamic_slice_sizes={1}\n"
           "b = T[1] dynamic-slice(x, k), dynamic_slice_sizes={1}\ny = T[6] dynamic-update-slice(x, b, i)\n"
           "z = T[6] dynamic-update-slice(y, a, k)\nr = (s32[], T[6]) tuple(j, z)",
           condition="e = s32[] constant(3)\nc = pred[] compare(i, e), direction=LT"),
    filled("whole_array_and_element", "the sum of the array before the update is not that after it",
           "z = T[] constant(0)\ns = T[] reduce(x, z), dimensions={0}, to_apply=add_T\nu = T[1] reshape(s)\n"
           "y = T[6] dynamic-update-slice(x, u, i)\nr = (s32[], T[6]) tuple(j, y)", (1, 0, 2, 0, 1, 0)),
    loop("old_and_new", "openxla/xla#13253: an updated array and the one before it, both in the state",
         "(s32[], T[4], T[4])", "i x y", 3, NEXT +
         "a = T[1] dynamic-slice(y, i), dynamic_slice_sizes={1}\nb = T[1] add(a, a)\n"
         "z = T[4] dynamic-update-slice(x, b, i)\nr = (s32[], T[4], T[4]) tuple(j, z, x)",
         [[0], [1, 2, 3, 4], [10, 20, 30, 40]], ("f32", "s8"),
         "a = T[4] get-tuple-element(w), index=1\nb = T[4] get-tuple-element(w), index=2\n"
         "r = (T[4], T[4]) tuple(a, b)"),
    branches("untaken_division", "a division by zero in the branch that is not taken",
             branch("divided_T", "T[2]", "z = T[2] subtract(x, x)\nr = T[2] divide(x, z)") + "\n\n" +
             branch("kept_T", "T[2]", "r = T[2] negate(x)"),
             "r = T[2] conditional(p, y, y), true_computation=divided_T, false_computation=kept_T", "y:T[2] p:pred[]",
             [[1, 2], [0]], more={"taken": [[1, 2], [1]]}, fixed="p"),
    branches("same_in_both", "what both branches do first may be done before them",
             branch("first_T", "T[2]", "s = T[2] add(x, x)\nr = T[2] multiply(s, x)") + "\n\n" +
             branch("second_T", "T[2]", "s = T[2] add(x, x)\nr = T[2] subtract(s, x)"),
             "r = T[2] conditional(p, y, z), true_computation=first_T, false_computation=second_T",
             "y:T[2] z:T[2] p:pred[]", [[1, 2], [10, 20], [1]], more={"false": [[1, 2], [10, 20], [0]]}, fixed="p"),
    branches("update_in_a_branch", "an update in one branch does not reach the operand that is used again",
             branch("updated_T", "T[4]",
                    "c = T[1] constant({9})\ni = s32[] constant(1)\nr = T[4] dynamic-update-slice(x, c, i)") + "\n\n" +
             branch("same_T", "T[4]", "r = T[4] copy(x)"),
             "a = T[4] conditional(p, y, y), true_computation=updated_T, false_computation=same_T\n"
             "r = T[4] subtract(a, y)", "y:T[4] p:pred[]", [[1, 2, 3, 4], [1]], more={"false": [[1, 2, 3, 4], [0]]}),
    branches("index_out_of_range", "an index that names no branch takes the last one",
             branch("one_T", "T[2]", "r = T[2] negate(x)") + "\n\n" + branch("two_T", "T[2]", "r = T[2] add(x, x)") +
             "\n\n" + branch("three_T", "T[2]", "r = T[2] multiply(x, x)"),
             "r = T[2] conditional(k, y, y, y), branch_computations={one_T, two_T, three_T}", "y:T[2] k:s32[]",
             [[3, 5], [-1]], fixed="k", more={str(k): [[3, 5], [k]] for k in (0, 1, 2, 3, 100, 2147483647)}),
    branches("select_of_a_conditional", "a conditional as a choice: the NaN of the other side is not chosen",
             branch("root_T", "T[]", "r = T[] sqrt(x)") + "\n\n" + branch("zero_T", "T[]", "r = T[] constant(0)"),
             "z = T[] constant(0)\np = pred[] compare(y, z), direction=GE\n"
             "r = T[] conditional(p, y, y), true_computation=root_T, false_computation=zero_T", "y:T[]", [[-4]],
             ("f32", "f64"), {"positive": [[4]], "nan": [[NAN]], "negative_zero": [[-0.0]]}),
    loop("branch_in_a_loop", "jax#5900: a branch in a loop, taken by the counter's parity", "(s32[], T[2])", "i x", 5,
         NEXT +
         "k = s32[] constant(2)\nz = s32[] constant(0)\nm = s32[] remainder(i, k)\n"
         "b = pred[] compare(m, z), direction=EQ\n"
         "y = T[2] conditional(b, x, x), true_computation=doubled_T, false_computation=less_T\n"
         "r = (s32[], T[2]) tuple(j, y)", [[0], [3, 4]], ("f32", "s32", "s8"),
         extra=branch("doubled_T", "T[2]", "r = T[2] add(x, x)") + "\n\n" +
         branch("less_T", "T[2]",
                "o = T[] constant(1)\nq = T[2] broadcast(o), dimensions={}\nr = T[2] subtract(x, q)")),
    loop("loop_in_a_loop", "the inner loop's count is the outer one's counter", "(s32[], T[])", "i x", 4,
         NEXT +
         "q = (s32[], T[]) tuple(i, x)\nw = (s32[], T[]) while(q), condition=above_T, body=down_T\n"
         "y = T[] get-tuple-element(w), index=1\nr = (s32[], T[]) tuple(j, y)", [[0], [1]], ("s32", "f32", "u8"),
         extra="above_T {\n  p = (s32[], T[]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n"
               "  z = s32[] constant(0)\n  ROOT c = pred[] compare(i, z), direction=GT\n}\n\ndown_T {\n"
               "  p = (s32[], T[]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n"
               "  x = T[] get-tuple-element(p), index=1\n  o = s32[] constant(1)\n  j = s32[] subtract(i, o)\n"
               "  y = T[] add(x, x)\n  ROOT t = (s32[], T[]) tuple(j, y)\n}"),
]
for program in PROGRAMS:
    if "to_apply=add_T" in program.computations:
        program.computations = combiner("add") + "\n\n" + program.computations
