"""Ops with operands of any shape, including tuples and tokens, and control flow."""

from golden.make.values import Sample, called, constant, edges, is_array, small, template

TUPLE = "(f32[2], s8[])"


def of_anything(root, computations=()):
    """Returns a template of one operand v of shape S; the result has its shape."""

    def template(op, kind):
        def text(line, shape):
            return line.format(op=op, v="a" if is_array(kind) else "v", S=shape, k=kind)

        if is_array(kind):
            shape = f"{kind}[3]"
            return Sample([shape], text(root, shape), [edges(kind, 3)],
                          computations=[text(c, shape) for c in computations])
        if kind == "tuple":
            return Sample(["f32[2]", "s8[]"], text(root, TUPLE), [["nan", 1.5], [-128]],
                          body=[f"v = {TUPLE} tuple(a, b)"], computations=[text(c, TUPLE) for c in computations])
        if kind == "token":
            return Sample(["f32[2]"], "(f32[2], token[]) tuple(a, q)", [[1.5, 2]],
                          body=["v = token[] after-all()", "q = " + text(root, "token[]")],
                          computations=[text(c, "token[]") for c in computations])
        return None

    return template


SAME = "same_{k} {{\n  ROOT x = {S} parameter(0)\n}}"


def tuple_(op, kind):
    """A tuple of an array, a tuple or a token with something else."""
    if is_array(kind):
        return Sample([f"{kind}[3]", "s32[]"], f"({kind}[3], s32[]) {op}(a, b)", [edges(kind, 3), [7]])
    if kind == "tuple":
        return Sample(["f32[2]", "s8[]"], f"({TUPLE}, s8[]) {op}(v, b)", [["nan", 1.5], [-128]],
                      body=[f"v = {TUPLE} tuple(a, b)"])
    if kind == "token":
        return Sample(["f32[2]"], f"(token[], f32[2]) {op}(v, a)", [[1.5, 2]], body=["v = token[] after-all()"])
    return None


def parameter(op, kind):
    """A tuple and a token are parameters of a called computation."""
    if is_array(kind):
        return Sample([f"{kind}[3]"], f"{kind}[3] copy(a)", [edges(kind, 3)])
    if kind == "opaque":
        return None
    return of_anything("{S} call({v}), to_apply=same_{k}", [SAME])("call", kind)


def constant_(op, kind):
    """Two numbers, or a tuple."""
    if kind == "tuple":
        return Sample([], "(f32[2], s8[]) constant(({1.5, nan}, -128))", [])
    if not is_array(kind):
        return None
    return Sample([], f"{kind}[2] {op}({{{constant(kind, 0)}, {constant(kind, 1)}}})", [])


def add_dependency(op, kind):
    """An array depends on a token."""
    sample = of_anything("{S} {op}({v}, t)")(op, kind)
    if sample:
        sample.body = ["t = token[] after-all()", *sample.body]
    return sample


def copy_start(op, kind):
    """A copy with its start and done."""
    sample = of_anything("{S} copy-done(s)")(op, kind)
    if sample is None:
        return None
    shape = {"tuple": TUPLE, "token": "token[]"}.get(kind, f"{kind}[3]")
    start = f"s = ({shape}, {shape}, u32[]) copy-start({'a' if is_array(kind) else 'v'})"
    body = list(sample.body)
    sample.body = [*body[:1], start, *body[1:]]
    return sample


def copy_done(op, kind):
    """The done of a copy, of a tuple as the operand."""
    return copy_start(op, "f32") and {"tuple": copy_start(op, "f32")}


def asynchronous(op, kind):
    """Start, update and done of a computation that returns its operand."""
    if op != "async-start":
        return asynchronous("async-start", "f32") if kind == "tuple" else None
    sample = of_anything("{S} async-done(u)", [SAME])(op, kind)
    if sample is None:
        return None
    shape = {"tuple": TUPLE, "token": "token[]"}.get(kind, f"{kind}[3]")
    whole = f"(({shape}), {shape}, u32[])"
    steps = [f"s = {whole} async-start({'a' if is_array(kind) else 'v'}), calls=same_{kind}",
             f"u = {whole} async-update(s)"]
    body = list(sample.body)
    sample.body = [*body[:1], *steps, *body[1:]]
    return sample


def while_(op, kind):
    """One iteration, from the first number to the second."""
    if not is_array(kind):
        never = "never_{k} {{\n  x = {S} parameter(0)\n  ROOT p = pred[] constant(false)\n}}"
        return of_anything("{S} {op}({v}), condition=never_{k}, body=same_{k}", [never, SAME])(op, kind)
    first, second = constant(kind, 0), constant(kind, 1)
    condition = called(f"first_{kind}", f"x:{kind}[]", f"c = {kind}[] constant({first})",
                       "ROOT p = pred[] compare(x, c), direction=EQ")
    body = f"second_{kind} {{\n  x = {kind}[] parameter(0)\n  ROOT c = {kind}[] constant({second})\n}}"
    return Sample([f"{kind}[]"], f"{kind}[] {op}(a), condition=first_{kind}, body=second_{kind}", [small(kind, 1)],
                  computations=[condition, body])


def conditional(op, kind):
    """Doubles or negates."""
    branches = [f"double_{kind} {{\n  x = f32[] parameter(0)\n  ROOT y = f32[] add(x, x)\n}}",
                f"opposite_{kind} {{\n  x = f32[] parameter(0)\n  ROOT y = f32[] negate(x)\n}}"]
    names = (f"true_computation=double_{kind}, false_computation=opposite_{kind}" if kind == "pred"
             else f"branch_computations={{double_{kind}, opposite_{kind}}}")
    return Sample([f"{kind}[]", "f32[]", "f32[]"], f"f32[] {op}(a, b, c), {names}", [[1], [5], [7]],
                  computations=branches)


def templates():
    """Returns the templates by op."""
    return {
        "copy": of_anything("{S} {op}({v})"), "opt-barrier": of_anything("{S} {op}({v})"),
        "domain": of_anything("{S} {op}({v}), domain={{kind=\"sharding\", entry={{replicated}},"
                              " exit={{maximal device=0}}}}"),
        "call": of_anything("{S} {op}({v}), to_apply=same_{k}", [SAME]),
        "fusion": of_anything("{S} {op}({v}), kind=kLoop, calls=same_{k}", [SAME]),
        "custom-call": of_anything("{S} {op}({v}), custom_call_target=\"Sharding\""),
        "tuple": tuple_, "parameter": parameter, "constant": constant_, "add-dependency": add_dependency,
        **{f"async-{step}": asynchronous for step in ("start", "update", "done")}, "copy-start": copy_start,
        "copy-done": copy_done, "while": while_, "conditional": conditional,
        "get-tuple-element": template("f32[2] s8[]", "s8[] {op}(v), index=1", [1.5, 2], [-128],
                                      body=[f"v = {TUPLE} tuple(a, b)"]),
        "after-all": template("f32[2]", "(f32[2], token[]) tuple(a, q)", [1.5, 2],
                              body=["v = token[] after-all()", "q = token[] {op}(v, v)"]),
        **dict.fromkeys(("replica-id", "partition-id"), template("", "{k}[] {op}()")),
    }
