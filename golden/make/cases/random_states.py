"""Random numbers: ranges of one number, and the state that advances."""

from golden.make.modules import add_file, combiner
from golden.make.values import called


def add_to(corpus):
    """Adds all files of this module."""
    add_ranges(corpus)
    add_random_numbers(corpus)
    add_states(corpus)


def add_ranges(corpus):
    """rng over ranges of one number."""
    for name, low, reason in (("odd", 2**24 + 1, "f32 does not have the only number, nor has s16"),
                              ("negative", -5, "the only number is negative"),
                              ("least", -(2**31), "the only number is the least")):
        add_file(corpus, f"rng/s32_{name}_value", "s32[] s32[] -> s32[65]", "distribution=rng_uniform",
                 (name, reason, [low], [low + 1]), oracle="XLA:CPU")


def add_random_numbers(corpus):
    """Adds ranges of one number, and the state that advances."""
    add_file(corpus, "rng/s32_one_value", "s32[] s32[] -> s32[32]", "distribution=rng_uniform",
             ("below", "the range ends before its upper bound: one value is left", [5], [6]), oracle="XLA:CPU")
    # A loop: XLA:CPU has a separate state for each of two instructions.
    state = "(s32[], u64[2], u64[2])"
    loop = f"""twice {{
  p = {state} parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(2)
  ROOT c = pred[] compare(i, n), direction=LT
}}

draw {{
  p = {state} parameter(0)
  i = s32[] get-tuple-element(p), index=0
  k = s32[] constant(1)
  j = s32[] add(i, k)
  last = u64[2] get-tuple-element(p), index=2
  s = u64[2] rng-get-and-update-state(), delta=3
  ROOT t = {state} tuple(j, last, s)
}}"""
    body = ["z = u64[2] broadcast(b), dimensions={}", f"t = {state} tuple(a, z, z)",
            f"w = {state} while(t), condition=twice, body=draw", "first = u64[2] get-tuple-element(w), index=1",
            "second = u64[2] get-tuple-element(w), index=2", "d = pred[2] compare(first, second), direction=NE",
            "f = pred[] constant(false)"]
    add_file(corpus, "rng-get-and-update-state/u64_advances", "s32[] u64[]",
             "pred[] reduce(d, f), dimensions={0}, to_apply=or", ("twice", "the state has moved on", [0], [0]),
             computations=f"{combiner('or', 'pred')}\n\n{loop}", body=body, oracle="XLA:CPU")


def add_states(corpus):
    """rng-get-and-update-state in a loop: the state increases by delta each time."""
    text = called(
        "goes_on", "p:(s32[], u64[2], s32[])", "i = s32[] get-tuple-element(p), index=0",
        "n = s32[] get-tuple-element(p), index=2", "ROOT c = pred[] compare(i, n), direction=LT") + "\n\n" + called(
            "draw", "p:(s32[], u64[2], s32[])", "i = s32[] get-tuple-element(p), index=0", "k = s32[] constant(1)",
            "n = s32[] get-tuple-element(p), index=2", "j = s32[] add(i, k)",
            "s = u64[2] rng-get-and-update-state(), delta=9223372036854775807",
            "ROOT t = (s32[], u64[2], s32[]) tuple(j, s, n)")
    # One case: XLA:CPU keeps its state from one run to the next.
    add_file(corpus, "rng-get-and-update-state/u64_fourth", "s32[] u64[] s32[]", "u64[2] get-tuple-element(w), index=1",
             ("fourth", "the start and three times delta: the second word counts what the first one carries", [0], [0],
              [4]), computations=text, oracle="XLA:CPU",
             body=["z = u64[2] broadcast(b), dimensions={}", "t = (s32[], u64[2], s32[]) tuple(a, z, c)",
                   "w = (s32[], u64[2], s32[]) while(t), condition=goes_on, body=draw"])
