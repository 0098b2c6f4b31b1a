"""Texts of HLO as XLA and the tools around it print them in 2026, and what `assay run` prints.

The values are worked out by hand, those of sparse convolutions of one block by XLA's own test of them. A case is: kind of
file, text, inputs, output.
"""

# A module with one computation, the entry; its lines by semicolons.
ENTRY = "HloModule m{header}\n{called}ENTRY e {{\n  {body}\n}}\n"


def entry(body, header="", called=""):
    """Returns a module: the lines of its entry, the rest of its first line, and other computations."""
    return ENTRY.format(header=", " + header if header else "", called=called, body=body.replace("; ", "\n  "))


SUM = "add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\n"
INTEGER_SUM = SUM.replace("f32", "s32").replace("add {", "adds {")
SPARSE = ("x = f32[{x}] parameter(0); w = f32[{w}] parameter(1); i = s32[{i}] parameter(2); "
          "ROOT c = f32[{r}] convolution(x, w, i), {window}dim_labels={labels}, sparsity_config={{{config}}}")  # fmt: skip
# The devices of a group sum their numbers; device i has i + 1.
GROUPS = ("i = u32[] {id}(); o = u32[] constant(1); n = u32[] add(i, o); x = s32[] convert(n); "
          "ROOT r = s32[] all-reduce(x), {groups}to_apply=adds")  # fmt: skip

HLO_CASES = {
    # ------------------------------------------------------------------ Sparse convolutions: stored elements, and places.
    "a sparse kernel of one block": ("hlo", entry(SPARSE.format(
        x="1,4", w="1,1", i="1,1", r="1,1", window="", labels="bf_io->bf",
        config="rhs={sparsity=1x4 dimension=0 stride=1 idx=2}")),
        ["f32[1,4] {{1, 2, 3, 4}}", "f32[1,1] {{10}}", "s32[1,1] {{1}}"], "{ {20} }\n"),
    "a sparse kernel of two blocks": ("hlo", entry(SPARSE.format(
        x="1,8", w="2,1", i="2,1", r="1,1", window="", labels="bf_io->bf",
        config="\n  rhs={sparsity=1x4 dimension=0 idx=2}\n")),
        ["f32[1,8] {{1, 2, 3, 4, 5, 6, 7, 8}}", "f32[2,1] {{10}, {20}}", "s32[2,1] {{1}, {3}}"], "{ {180} }\n"),
    "a sparse kernel of a block of eight": ("hlo", entry(SPARSE.format(
        x="1,8", w="1,1", i="1,1", r="1,1", window="", labels="bf_io->bf",
        config="rhs={sparsity=1x8 dimension=0 idx=2}")),
        ["f32[1,8] {{1, 2, 3, 4, 5, 6, 7, 8}}", "f32[1,1] {{10}}", "s32[1,1] {{5}}"], "{ {60} }\n"),
    # The input is {0, 5, 7, 0}: 5*2 + 7*3.
    "a sparse input": ("hlo", entry(SPARSE.format(
        x="1,2", w="4,1", i="1,2", r="1,1", window="", labels="bf_io->bf",
        config="lhs={sparsity=1x2 dimension=1 stride=1 idx=2}")),
        ["f32[1,2] {{5, 7}}", "f32[4,1] {{1}, {2}, {3}, {4}}", "s32[1,2] {{1, 0}}"], "{ {31} }\n"),
    # The weight 10 is for feature 2 of the window's first place, 1 for feature 0 of its second.
    "a sparse kernel under a window": ("hlo", entry(SPARSE.format(
        x="1,3,4", w="2,1,1", i="2,1,1", r="1,2,1", window="window={size=2}, ", labels="b0f_0io->b0f",
        config="rhs={sparsity=1x4 dimension=1 stride=1 idx=2}")),
        ["f32[1,3,4] {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}}", "f32[2,1,1] {{{10}}, {{1}}}",
         "s32[2,1,1] {{{2}}, {{0}}}"], "{ { {35}, {79} } }\n"),
    # Zeros are terms: infinity times the dense kernel {10, 0} is NaN.
    "a sparse kernel beside an infinity": ("hlo", entry(SPARSE.format(
        x="1,2", w="1,1", i="1,1", r="1,1", window="", labels="bf_io->bf",
        config="rhs={sparsity=1x2 dimension=0 idx=2}")),
        ["f32[1,2] {{1, inf}}", "f32[1,1] {{10}}", "s32[1,1] {{0}}"], "{ {nan} }\n"),
    # {0, 5, 7, 0} and {0, 2, 0, 3}.
    "both sparse": ("hlo", entry(
        "x = f32[1,2] parameter(0); w = f32[2,1] parameter(1); i = s32[1,2] parameter(2); j = u8[2,1] parameter(3); "
        "ROOT c = f32[1,1] convolution(x, w, i, j), dim_labels=bf_io->bf, sparsity_config={"
        "lhs={sparsity=1x2 dimension=1 stride=1 idx=2} rhs={sparsity=1x2 dimension=0 stride=1 idx=3}}"),
        ["f32[1,2] {{5, 7}}", "f32[2,1] {{2}, {3}}", "s32[1,2] {{1, 0}}", "u8[2,1] {{1}, {1}}"], "{ {10} }\n"),
    # ----------------------------------------------------------------------------------------- Asynchronous operations.
    "an operation with start and done": ("hlo", entry(
        "x = f32[2] parameter(0); y = f32[2] parameter(1); "
        's = ((f32[2], f32[2]), f32[2], s32[]) subtract-start(x, y), async_execution_thread="t"; '
        "u = ((f32[2], f32[2]), f32[2], s32[]) subtract-update(s); ROOT d = f32[2] subtract-done(u)"),
        ["f32[2] {5, 7}", "f32[2] {1, 2}"], "{4, 5}\n"),
    "two operations in flight": ("hlo", entry(
        "x = f32[2] parameter(0); s = ((f32[2]), f32[2], s32[]) negate-start(x); "
        "t = ((f32[2]), f32[2], s32[]) abs-start(x); a = f32[2] abs-done(t); n = f32[2] negate-done(s); "
        "ROOT r = f32[2] add(a, n)"), ["f32[2] {-5, 7}"], "{10, 0}\n"),
    "an asynchronous tuple": ("hlo", entry(
        "x = s32[2] parameter(0); s = ((s32[2]), (s32[2], s32[2]), u32[]) async-start(x), calls=c, "
        'async_execution_thread="t"; '
        "d = (s32[2], s32[2]) async-done(s); ROOT g = s32[2] get-tuple-element(d), index=1",
        called="c {\n  p = s32[2] parameter(0)\n  n = s32[2] negate(p)\n  ROOT t = (s32[2], s32[2]) tuple(p, n)\n}\n"),
        ["s32[2] {3, -4}"], "{-3, 4}\n"),
    "a call that starts": ("hlo", entry(
        "x = s32[] parameter(0); s = ((s32[]), s32[], s32[]) call-start(x), to_apply=c; ROOT d = s32[] call-done(s)",
        called="c {\n  p = s32[] parameter(0)\n  ROOT n = s32[] add(p, p)\n}\n"), ["s32[] 21"], "42\n"),
    "a custom call that starts": ("hlo", entry(
        "x = f32[2] parameter(0); s = ((f32[2]), f32[2], s32[]) custom-call-start(x), "
        'custom_call_target="MoveToHost"; ROOT d = f32[2] custom-call-done(s)'), ["f32[2] {1, 2}"], "{1, 2}\n"),
    "a fusion that starts": ("hlo", entry(
        "x = s32[2] parameter(0); s = ((s32[2]), s32[2], s32[]) fusion-start(x), kind=kLoop, calls=f; "
        "ROOT d = s32[2] fusion-done(s)",
        called="f {\n  p = s32[2] parameter(0)\n  ROOT m = s32[2] multiply(p, p)\n}\n"), ["s32[2] {3, -4}"],
        "{9, 16}\n"),
    "a copy that starts": ("hlo", entry(
        "x = f32[2] parameter(0); s = (f32[2]{0:S(5)}, f32[2], u32[]) copy-start(x), cross_program_prefetch_index=0; "
        "ROOT d = f32[2]{0:S(5)} copy-done(s)"), ["f32[2] {1, 2}"], "{1, 2}\n"),
    "a gather of devices that starts": ("hlo", entry(
        "i = u32[] replica-id(); x = u32[1] reshape(i); "
        "s = (u32[1], u32[2]) all-gather-start(x), replica_groups={{1,0}}, dimensions={0}; "
        "ROOT d = u32[2] all-gather-done(s)", "replica_count=2"), [], "{1, 0}\n{1, 0}\n"),
    "a permute that starts": ("hlo", entry(
        "i = u32[] replica-id(); s = (u32[], u32[], u32[], u32[]) collective-permute-start(i), "
        "source_target_pairs={{0,1},{1,0}}; ROOT d = u32[] collective-permute-done(s)", "replica_count=2"), [],
        "1\n0\n"),
    "a sum of a group by a tuple of starts": ("hlo", entry(
        "i = u32[] replica-id(); x = f32[] convert(i); s = (f32[], f32[]) all-reduce-start(x, x), "
        "replica_groups={{0,1}}, to_apply=add; d = (f32[], f32[]) all-reduce-done(s); "
        "ROOT g = f32[] get-tuple-element(d), index=1", "replica_count=2", SUM), [], "1\n1\n"),
    # ---------------------------------------------------------------------------------------- Devices, by their groups.
    "groups of an iota": ("hlo", entry(GROUPS.format(id="replica-id", groups="replica_groups=[2,2]<=[4], "),
                                       "replica_count=4", INTEGER_SUM), [], "3\n3\n7\n7\n"),
    "groups of a transposed iota": ("hlo", entry(
        GROUPS.format(id="replica-id", groups="replica_groups=[2,2]<=[2,2]T(1,0), "), "replica_count=4", INTEGER_SUM),
        [], "4\n6\n4\n6\n"),
    "groups of partitions": ("hlo", entry(
        GROUPS.format(id="partition-id", groups="channel_id=1, use_global_device_ids=true, replica_groups={{0,1}}, "),
        "num_partitions=2", INTEGER_SUM), [], "3\n3\n"),
    "groups of the axis of a mesh": ("hlo", entry(
        GROUPS.format(id="partition-id", groups="channel_id=1, use_global_device_ids=true, "
                      "replica_groups=mesh['a'=2,'b'=2] {'a'}, "), "num_partitions=4", INTEGER_SUM), [],
        "4\n6\n4\n6\n"),
    "a broadcast of a device": ("hlo", entry(
        "i = u32[] replica-id(); ROOT r = u32[] collective-broadcast(i), replica_groups={{1,0}}", "replica_count=2"),
        [], "1\n1\n"),
    "a sum that is divided": ("hlo", entry(
        "i = u32[] replica-id(); x = s32[] convert(i); y = s32[2] broadcast(x), dimensions={}; "
        "j = s32[2] iota(), iota_dimension=0; z = s32[2] add(y, j); "
        "ROOT r = s32[1] reduce-scatter(z), replica_groups={{0,1}}, dimensions={0}, to_apply=adds", "replica_count=2",
        INTEGER_SUM), [], "{1}\n{3}\n"),
    # ------------------------------------------------------------------------------------------------------- Shardings.
    **{f"a sharding {name}": ("hlo", entry(
        f"x = f32[2] parameter(0), sharding={{{sharding}}}; ROOT n = f32[2] negate(x)", "num_partitions=2"),
        ["f32[2] {1, 2}"], "{-1, -2}\n{-1, -2}\n")
       for name, sharding in {
           "of tiles": "devices=[2]0,1", "of tiles by an iota": "devices=[2]<=[2]", "that is replicated": "replicated",
           "that is manual": "manual", "that is unknown": "unknown", "of one device": "maximal device=1",
           "with a last tile": "devices=[1,2]<=[2] last_tile_dim_replicate",
           "with kinds of last tiles": "devices=[1,2]<=[2] last_tile_dims={manual}",
           "with a group": "devices=[2]0,1 shard_as 1", "of the axis of a mesh": "mesh['x'=2], [{'x'}]",
           "with an unreduced axis": "mesh['x'=2] [{}], unreduced={'x'}",
           "with a replicated axis": "mesh['x'=2], [{}], replicated={'x'}",
           "of an open dimension": "mesh['x'=2] [{?}]", "of a part of an axis": "mesh['x'=2], [{'x':(1)2}]",
           "of a mesh with its devices": "mesh['x'=2], device_ids=([2]) [{'x'}]",
           "with metadata": 'devices=[2]0,1 metadata={op_name="a"}',
       }.items()},
    # --------------------------------------------------------------------------------------------------- Mixed precision.
    "mixed precision of a dot": ("hlo", entry(
        "x = bf16[2] parameter(0); y = f32[2] parameter(1); "
        "ROOT d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
        ["bf16[2] {1.5, 2}", "f32[2] {3, 0.0009765625}"], "4.50195312\n"),
    # 1 + 2^-8 is no bf16: the even neighbor is 1.
    "mixed precision of a scatter": ("hlo", entry(
        "x = f32[2] parameter(0); y = bf16[2] parameter(1); i = s32[1] parameter(2); p = f32[] parameter(3); "
        "q = bf16[] parameter(4); ROOT r = (f32[2], bf16[2]) scatter(x, y, i, p, q), to_apply=u, "
        "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=0",
        called="u {\n  a = f32[] parameter(0)\n  b = bf16[] parameter(1)\n  c = f32[] parameter(2)\n"
        "  d = bf16[] parameter(3)\n  s = f32[] add(a, c)\n  t = bf16[] add(b, d)\n"
        "  ROOT r = (f32[], bf16[]) tuple(s, t)\n}\n"),
        ["f32[2] {0, 1}", "bf16[2] {0, 1}", "s32[1] {1}", "f32[] 0.00390625", "bf16[] 0.00390625"],
        "( {0, 1.00390625}, {0, 1} )\n"),
    "mixed precision of a convolution": ("hlo", entry(
        "x = f16[1,2] parameter(0); w = f32[2,1] parameter(1); ROOT c = f32[1,1] convolution(x, w), dim_labels=bf_io->bf"),
        ["f16[1,2] {{2, 3}}", "f32[2,1] {{0.5}, {100000}}"], "{ {300001} }\n"),
    "mixed precision of a clamp and a concatenation": ("hlo", entry(
        "x = f32[2] parameter(0); l = bf16[] constant(-1); h = f16[] constant(1); c = f32[2] clamp(l, x, h); "
        "b = bf16[1] constant({3}); ROOT r = f32[3] concatenate(c, b), dimensions={0}"), ["f32[2] {-5, 0.1}"],
        "{-1, 0.1, 3}\n"),
    "mixed precision of a sort and a while": ("hlo", entry(
        "x = bf16[2] parameter(0); z = s32[] constant(0); t = (s32[], f32[2]) tuple(z, x); "
        "w = (s32[], f32[2]) while(t), condition=c, body=b; ROOT r = f32[2] get-tuple-element(w), index=1",
        called="c {\n  s = (s32[], f32[2]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
        "  o = s32[] constant(1)\n  ROOT l = pred[] compare(i, o), direction=LT\n}\n"
        "b {\n  s = (s32[], f32[2]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
        "  o = s32[] constant(1)\n  j = s32[] add(i, o)\n  x = f32[2] get-tuple-element(s), index=1\n"
        "  y = f32[2] add(x, x)\n  ROOT t = (s32[], f32[2]) tuple(j, y)\n}\n"), ["bf16[2] {1.5, -2}"], "{3, -4}\n"),
    # ------------------------------------------------------------------------------------------------ Texts and numbers.
    "names, comments and layouts of a dump": ("hlo", """HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[2,3]{1,0:T(8,128)S(1)})->f32[3]{0}}, frontend_attributes={fingerprint_before_lhs="a{b"}

%region_0.1-x (Arg_0.2: f32[], /*index=1*/Arg_1.3: f32[]) -> f32[] {
  %Arg_0.2 = f32[]{:T(128)} parameter(0)
  %Arg_1.3 = f32[]{:T(128)} parameter(1)
  ROOT %add.4 = f32[]{:T(128)} add(f32[]{:T(128)} %Arg_0.2, f32[]{:T(128)} %Arg_1.3), metadata={op_name="a \\"b\\"" source_file="f.py" source_line=3}
}

ENTRY %main.9_spmd (p.1: f32[2,3]) -> f32[3] {
  %p.1 = f32[2,3]{1,0:T(8,128)S(1)} parameter(0), metadata={op_name="x"}
  %constant.5 = f32[]{:T(128)} constant(0), backend_config={"flag_configs":[],"scoped_memory_configs":[]}
  ROOT %reduce.6 = f32[3]{0} reduce(%p.1, /*init=*/%constant.5), dimensions={0}, to_apply=%region_0.1-x, control-predecessors={%p.1}, statistics={visualizing_index=1,stat-0=4}
}
""", ["f32[2,3] {{1, 2, 3}, {10, 20, 30}}"], "{11, 22, 33}\n"),
    "numbers of every form": ("hlo", entry(
        "a = f32[3] constant({-0, inf, nan}); b = s4[2] constant({-8, 7}); c = u4[2] constant({15, 1}); "
        "d = c64[1] constant({(1.5, -2e-3)}); e = pred[2] constant({true, 0}); f = f8e4m3fn[2] constant({448, -0.125}); "
        "g = s64[] constant(-9223372036854775808); h = u64[] constant(18446744073709551615); "
        "i = f16[2] constant({65504, 6e-8}); j = bf16[0] constant({}); "
        "ROOT t = (f32[3], s4[2], u4[2], c64[1], pred[2], f8e4m3fn[2], s64[], u64[], f16[2], bf16[0]) "
        "tuple(a, b, c, d, e, f, g, h, i, j)"), [],
        "( {-0, inf, nan}, {-8, 7}, {15, 1}, {(1.5, -0.002)}, {1, 0}, {448, -0.125}, -9223372036854775808, "
        "18446744073709551615, {65504, 5.9605e-08}, {} )\n"),
    "a constant of nested arrays": ("hlo", entry(
        "ROOT c = s32[2,1,2] constant({ { /*i0=0*/ {1, 2} }, { /*i0=1*/ {3, 4} } })"), [],
        "{ { { 1, 2 } }, { { 3, 4 } } }\n"),
    "bodies within their callers": ("hlo", """HloModule m
ENTRY e {
  x = s32[3] parameter(0)
  z = s32[] constant(0)
  r = s32[] reduce(x, z), dimensions={0}, to_apply={
    a = s32[] parameter(0)
    b = s32[] parameter(1)
    ROOT s = s32[] add(a, b)
  }
  ROOT f = s32[] fusion(r), kind=kLoop, calls={
    p = s32[] parameter(0)
    ROOT n = s32[] negate(p)
  }
}
""", ["s32[3] {1, 2, 4}"], "-7\n"),
    "a root that is not last": ("hlo", entry(
        "x = s32[] parameter(0); ROOT n = s32[] negate(x); y = s32[] add(x, x)"), ["s32[] 3"], "-3\n"),
    "parameters out of order": ("hlo", entry(
        "b = s32[] parameter(1); a = s32[] parameter(0); ROOT d = s32[] subtract(a, b)"), ["s32[] 5", "s32[] 3"], "2\n"),
    "shapes of operands, without percent signs": ("hlo", entry(
        "x = f32[2]{0} parameter(0); ROOT a = f32[2]{0} add(f32[2]{0} x, f32[2] x)"), ["f32[2] {1, 2}"], "{2, 4}\n"),
    "one instruction": ("hlo", "f32[3] add(f32[3] %x, f32[3] %y)", ["f32[3] {1, 2, 3}", "f32[3] {1, 1, 1}"],
                        "{2, 3, 4}\n"),
    # -------------------------------------------------------------------------------------------- Sizes at run time.
    "a size below its bound": ("hlo", entry(
        "x = f32[4] parameter(0); n = s32[] parameter(1); d = f32[<=4] set-dimension-size(x, n), dimensions={0}; "
        "z = f32[] constant(0); ROOT r = f32[] reduce(d, z), dimensions={0}, to_apply=add", called=SUM),
        ["f32[4] {1, 2, 4, 8}", "s32[] 3"], "7\n"),
    "a size that is read": ("hlo", entry(
        "x = f32[4] parameter(0); n = s32[] parameter(1); d = f32[<=4] set-dimension-size(x, n), dimensions={0}; "
        "ROOT r = s32[] get-dimension-size(d), dimensions={0}"), ["f32[4] {1, 2, 4, 8}", "s32[] 3"], "3\n"),
    # A module that was parsed and printed without its source, as XLA:TPU's dumps of compiled modules.
    "tables of sources without rows": ("hlo", """HloModule m

FileNames

FunctionNames

FileLocations

StackFrames


ENTRY e {
  x = s32[] parameter(0)
  ROOT n = s32[] negate(x)
}
""", ["s32[] 3"], "-3\n"),
    "an unknown size": ("hlo", entry("x = f32[?,2] parameter(0); ROOT t = f32[2,?] transpose(x), dimensions={1,0}"),
                        ["f32[3,2] {{1, 2}, {3, 4}, {5, 6}}"], "{ { 1, 3, 5 }, { 2, 4, 6 } }\n"),
    "a shape of sizes at run time": ("hlo", entry(
        "x = f32[6] parameter(0); a = s32[] constant(2); b = s32[] constant(3); "
        "d = f32[<=2,<=3] dynamic-reshape(x, a, b); ROOT n = f32[<=2,<=3] negate(d)"),
        ["f32[6] {1, 2, 3, 4, 5, 6}"], "{ { -1, -2, -3 }, { -4, -5, -6 } }\n"),
    # Row 1 is the pivot of column 0.
    "factors of JAX 0.4 with a count of 64 bits": ("hlo", entry(
        "n = s64[] parameter(0); h = s32[] parameter(1); w = s32[] parameter(2); a = f32[2,2] parameter(3); "
        'ROOT r = (f32[2,2], s32[2], s32[]) custom-call(n, h, w, a), custom_call_target="lapack_sgetrf"'),
        ["s64[] 1", "s32[] 2", "s32[] 2", "f32[2,2] {{0, 2}, {4, 1}}"], "( { { 4, 1 }, { 0, 2 } }, {2, 2}, 0 )\n"),
}
