"""Goldens that kill mutants (backends/mutant) that no other case kills."""

ORACLE = "exact arithmetic, XLA:CPU"


def entry(parameters, root, header="", computations=""):
    """Returns the text of a module with one instruction of interest."""
    lines = [f"  {name} = {shape} parameter({i})" for i, (name, shape) in enumerate(zip("abc", parameters))]
    return f"{header}\n\n{computations}ENTRY main {{\n" + "\n".join([*lines, f"  ROOT r = {root}"]) + "\n}"


def fold(op, kind):
    """Returns a computation of two scalars that is one op."""
    return f"fold {{\n  x = {kind}[] parameter(0)\n  y = {kind}[] parameter(1)\n  ROOT z = {kind}[] {op}(x, y)\n}}\n\n"


def add_to(corpus):
    """Adds all files of this module."""
    add_products(corpus)
    add_folds(corpus)
    add_movements(corpus)
    add_devices(corpus)
    add_functions(corpus)
    add_roundings(corpus)
    add_branches(corpus)


# Numbers of 12 bits, whose products are exact in f32; neither bf16 nor f16 can represent all of the numbers.
TWELVE_BITS = [2049, -3001, 4095, 2731, 3583, -2223]


def add_products(corpus):
    """dot and convolution."""
    text = entry(["f32[2,3]", "f32[3,2]"],
                 "f32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}", "HloModule dot_f32_digits")
    case = corpus.file("dot/f32_digits", text, "dot f32 level1", ORACLE)
    case("twelve_bits", "operands that no narrower type holds", ("f32[2,3]", TWELVE_BITS),
         ("f32[3,2]", TWELVE_BITS[::-1]))
    case("large", "operands beyond f16",
         ("f32[2,3]", [70000, 1, 80001, -90003, 2, 3]), ("f32[3,2]", [1, 2, 3, 4, 5, 7]))
    text = entry(["f32[1,4,1]", "f32[2,1,1]"], "f32[1,3,1] convolution(a, b), window={size=2}, dim_labels=b0f_0io->b0f",
                 "HloModule convolution_f32_digits")
    case = corpus.file("convolution/f32_digits", text, "convolution f32 level1", ORACLE)
    case("twelve_bits", "operands that no narrower type holds", ("f32[1,4,1]", TWELVE_BITS[:4]),
         ("f32[2,1,1]", TWELVE_BITS[4:]))


def add_folds(corpus):
    """reduce."""
    for op, kind, start, values in [("add", "f32", 10, [1, 2, 3, 4, 5, 6]), ("multiply", "f32", 3, [1, 2, 3, 4, 5, 6]),
                                    ("add", "s32", 10, [1, 2, 3, 4, 5, 6])]:
        text = entry([f"{kind}[2,3]", f"{kind}[]"], f"{kind}[2] reduce(a, b), dimensions={{1}}, to_apply=fold",
                     f"HloModule reduce_{kind}_{op}_start", fold(op, kind))
        case = corpus.file(f"reduce/{kind}_{op}_start", text, f"reduce {kind} level1", ORACLE)
        case("once", "the start counts once for each result", (f"{kind}[2,3]", values), (f"{kind}[]", [start]))
    for size in (9, 11):
        text = entry([f"f32[{size},2]", "f32[]"], "f32[2] reduce(a, b), dimensions={0}, to_apply=fold",
                     f"HloModule reduce_f32_odd_{size}", fold("add", "f32"))
        case = corpus.file(f"reduce/f32_odd_{size}", text, "reduce f32 level1", ORACLE)
        case("all", "an odd number of finite terms, each of which shows in the sum",
             (f"f32[{size},2]", [2**i for i in range(2 * size)]), ("f32[]", [0]))
    text = entry(["f32[512,64]", "f32[]"], "f32[512] reduce(p, b), dimensions={1}, to_apply=fold",
                 "HloModule reduce_f32_many_sums", fold("add", "f32"))
    text = text.replace("  ROOT r", "  p = f32[512,64] abs(a)\n  ROOT r")
    case = corpus.file("reduce/f32_many_sums", text, "reduce f32 level2", ORACLE)
    case("positive", "so many sums that a bias of their errors shows", "f32[512,64] seeded 7", ("f32[]", [0]))


def add_movements(corpus):
    """transpose and iota."""
    text = entry(["s32[2,2,2]"], "s32[2,2,2] transpose(a), dimensions={1,2,0}", "HloModule transpose_cube")
    case = corpus.file("transpose/s32_cube", text, "transpose s32 level1", ORACLE)
    case("turned", "a permutation that is not its own inverse, of equal sizes", ("s32[2,2,2]", list(range(8))))
    for kind, count in (("s8", 130), ("u8", 258)):
        text = entry([], f"{kind}[{count}] iota(), iota_dimension=0", f"HloModule iota_{kind}_wrap")
        case = corpus.file(f"iota/{kind}_wrap", text, f"iota {kind} level1", ORACLE)
        case("wrap", "counting past the range wraps")


def add_devices(corpus):
    """The ids of devices, and collective-permute."""
    text = entry([], "u32[] partition-id()", "HloModule partition_ids, replica_count=2, num_partitions=2")
    case = corpus.file("partition-id/grid", text, "partition-id u32 level2", ORACLE)
    case("grid", "the partition, not the replica")
    text = entry([], "u32[] replica-id()", "HloModule replica_ids, replica_count=2, num_partitions=2")
    case = corpus.file("replica-id/grid", text, "replica-id u32 level2", ORACLE)
    case("grid", "the replica, not the partition")
    text = entry(["s32[2]"], "s32[2] collective-permute(a), source_target_pairs={{0,1},{1,2}}",
                 "HloModule collective_permute_chain, replica_count=3")
    case = corpus.file("collective-permute/chain", text, "collective-permute s32 level2", ORACLE)
    case("no_source", "a device to which nothing is sent has zeros", ("s32[2]", [1, 2]), ("s32[2]", [3, 4]),
         ("s32[2]", [5, 6]))


def add_roundings(corpus):
    """convert."""
    for kind, fraction in (("bf16", 7), ("f16", 10)):
        text = entry(["f64[4]"], f"{kind}[4] convert(a)", f"HloModule convert_f64_{kind}_twice")
        case = corpus.file(f"convert/f64_{kind}_twice", text, f"convert f64 {kind} level1", "exact arithmetic")
        tie = 2.0 ** -(fraction + 1)
        case("next_to_ties", "a little off a tie, by less than f32 resolves: one rounding, not two",
             ("f64[4]", [1 + tie + 2.0**-40, 1 + 3 * tie - 2.0**-40, -1 - tie - 2.0**-40, 1 + tie]))


def add_functions(corpus):
    """Functions of one float, in the range of piecewise approximations: steps of 1/64."""
    grid = [i / 64 for i in range(32, 80)]
    for op in ("tanh", "logistic", "erf", "exponential", "log", "sine", "cosine", "tan", "exponential-minus-one",
               "log-plus-one", "cbrt", "rsqrt"):
        name = op.replace("-", "_")
        for kind in ("f32", "bf16"):
            text = entry([f"{kind}[48]"], f"{kind}[48] {op}(a)", f"HloModule {name}_{kind}_grid")
            case = corpus.file(f"{op}/{kind}_grid", text, f"{op} {kind} level1", ORACLE)
            case("half_to_five_quarters", "no piece of an approximation is left out", (f"{kind}[48]", grid))


def add_branches(corpus):
    """conditional."""
    branches = "".join(f"{name} {{\n  x = s32[] parameter(0)\n  ROOT r = s32[] {op}(x)\n}}\n\n"
                       for name, op in [("first", "negate"), ("second", "not"), ("third", "abs")])
    text = entry(["s32[]", "s32[]"], "s32[] conditional(a, b, b, b), branch_computations={first, second, third}",
                 "HloModule conditional_s32_index", branches)
    case = corpus.file("conditional/s32_index", text, "conditional s32 level1", ORACLE)
    for name, index, reason in (("first", 0, "the first branch"), ("last", 2, "the last branch"),
                                ("negative", -1, "a negative index takes the last branch"),
                                ("beyond", 3, "so does one beyond the branches")):
        case(name, reason, ("s32[]", [index]), ("s32[]", [5]))
