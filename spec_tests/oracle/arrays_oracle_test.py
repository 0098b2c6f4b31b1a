"""Ops that move elements about, on random shapes of any type, against the second evaluator."""

from harness import FLOATS, INTEGERS, TYPES, Case, OracleTest, braces, compares, shape_text

from golden.witness.element_types import COMPLEX


def padding_of(rng, size):
    """One dimension's low, high and interior padding, such that something or nothing is left."""
    interior = rng.choice([0, 0, 1, 2])
    spread = size + max(size - 1, 0) * interior
    low = rng.randint(-min(spread, 3), 3)
    high = rng.randint(-min(max(spread + low, 0), 3), 3)
    return low, high, interior, spread + low + high


class Movement(OracleTest):
    @compares()
    def test_slice(self, rng):
        kind, sizes = rng.choice(TYPES), rng.dimensions()
        parts = []
        for n in sizes:
            start = rng.randint(0, n)
            parts.append((start, rng.randint(start, n), rng.randint(1, 4)))
        out = [len(range(*part)) for part in parts]
        text = ", ".join(f"[{a}:{b}:{s}]" for a, b, s in parts)
        return Case([rng.array(kind, sizes)], f"@r = {shape_text(kind, out)} slice(@p0), slice={{{text}}}")

    @compares()
    def test_pad(self, rng):
        kind, sizes = rng.choice(TYPES), rng.dimensions(low=1)
        parts = [padding_of(rng, n) for n in sizes]
        text = "x".join(f"{low}_{high}_{interior}" for low, high, interior, _ in parts)
        result = shape_text(kind, [p[3] for p in parts])
        return Case([rng.array(kind, sizes), rng.array(kind, [])], f"@r = {result} pad(@p0, @p1), padding={text}")

    @compares()
    def test_concatenate(self, rng):
        kind, sizes = rng.choice(TYPES), rng.dimensions(low=1, elements=24)
        d = rng.randrange(len(sizes))
        parts = [sizes[:d] + [rng.randint(0, 3)] + sizes[d + 1 :] for _ in range(rng.randint(1, 4))]
        out = sizes[:d] + [sum(part[d] for part in parts)] + sizes[d + 1 :]
        names = ", ".join(f"@p{i}" for i in range(len(parts)))
        text = f"@r = {shape_text(kind, out)} concatenate({names}), dimensions={{{d}}}"
        return Case([rng.array(kind, part) for part in parts], text)

    @compares()
    def test_transpose(self, rng):
        kind, sizes = rng.choice(TYPES), rng.dimensions()
        order = rng.shuffled(range(len(sizes)))
        result = shape_text(kind, [sizes[d] for d in order])
        return Case([rng.array(kind, sizes)], f"@r = {result} transpose(@p0), dimensions={braces(order)}")

    @compares()
    def test_reshape(self, rng):
        kind, sizes = rng.choice(TYPES), rng.dimensions()
        factors = [p for n in sizes for p in ([0] if n == 0 else {1: [], 2: [2], 3: [3], 4: [2, 2], 5: [5]}[n])]
        to = [1] * rng.randint(1 if factors else 0, 5)
        for factor in factors:
            to[rng.randrange(len(to))] *= factor
        return Case([rng.array(kind, sizes)], f"@r = {shape_text(kind, to)} reshape(@p0)")

    @compares()
    def test_reverse(self, rng):
        kind, sizes = rng.choice(TYPES), rng.dimensions()
        dimensions = rng.shuffled(rng.subset(range(len(sizes))))
        x = rng.array(kind, sizes)
        return Case([x], f"@r = {x.shape} reverse(@p0), dimensions={braces(dimensions)}")

    @compares()
    def test_broadcast(self, rng):
        kind, out = rng.choice(TYPES), rng.dimensions()
        dimensions = rng.shuffled(rng.subset(range(len(out))))
        x = rng.array(kind, [out[d] for d in dimensions])
        return Case([x], f"@r = {shape_text(kind, out)} broadcast(@p0), dimensions={braces(dimensions)}")

    @compares()
    def test_iota(self, rng):
        kind, sizes = rng.choice(FLOATS + INTEGERS + [*COMPLEX]), rng.dimensions(low=1)
        d = rng.randrange(len(sizes))
        return Case([], f"@r = {shape_text(kind, sizes)} iota(), iota_dimension={d}")

    @compares()
    def test_dynamic_slice_and_update(self, rng):
        kind, sizes = rng.choice(TYPES), rng.dimensions(low=1)
        part = [rng.randint(0, n) for n in sizes]
        index_type = rng.choice(["s8", "u8", "s32", "u32", "s64", "u64"])
        starts = [rng.scalar(index_type, -3, 6) for _ in sizes]
        names = ", ".join(f"@p{i + 1}" for i in range(len(starts)))
        x = rng.array(kind, sizes)
        if rng.random() < 0.5:
            text = f"dynamic-slice(@p0, {names}), dynamic_slice_sizes={braces(part)}"
            return Case([x, *starts], f"@r = {shape_text(kind, part)} {text}")
        update = f"@p{len(starts) + 1}"
        text = f"@r = {x.shape} dynamic-update-slice(@p0, {update}, {names})"
        return Case([x, *starts, rng.array(kind, part)], text)

    @compares()
    def test_shuffle(self, rng):
        kind, sizes = rng.choice(TYPES), rng.dimensions()
        dimensions = rng.shuffled(rng.subset(range(len(sizes))))
        shifts = [rng.randint(-7, 7) for _ in dimensions]
        text = f"shuffle(@p0), dimensions={braces(dimensions)}, mode=rotate, shifts={braces(shifts)}"
        x = rng.array(kind, sizes)
        return Case([x], f"@r = {x.shape} {text}")


def indexing(rng, operand):
    """Random dimension numbers of a gather or scatter into `operand`: how indices, windows and batches lie."""
    rank = len(operand)
    batching = rng.sample(range(rank), rng.randint(0, min(1, rank)))
    others = [d for d in range(rank) if d not in batching]
    collapsed = [d for d in others if rng.random() < 0.4]
    mapped = rng.shuffled(rng.subset(others))
    windowed = [d for d in others if d not in collapsed]
    index_batch = [rng.choice([0, 1, 2, 3]) for _ in range(rng.randint(0, 2))]
    where = []
    for d in batching:
        where.append(rng.randint(0, len(index_batch)))
        index_batch.insert(where[-1], operand[d])
    vector = rng.randint(0, len(index_batch))
    indices = index_batch[:vector] + [len(mapped)] + index_batch[vector:]
    where = [d + (d >= vector) for d in where]
    if len(mapped) == 1 and vector == len(index_batch) and rng.random() < 0.5:
        indices = index_batch
    return batching, where, collapsed, mapped, windowed, index_batch, vector, indices


def interleaved(rng, window, batch):
    """Returns the positions of window dimensions among those of a batch, and all sizes."""
    positions = sorted(rng.sample(range(len(window) + len(batch)), len(window)))
    sizes, w, b = [], iter(window), iter(batch)
    for d in range(len(window) + len(batch)):
        sizes.append(next(w) if d in positions else next(b))
    return positions, sizes


def optional_list(name, numbers):
    return f", {name}={braces(numbers)}" if numbers else ""


class Indexing(OracleTest):
    @compares()
    def test_gather(self, rng):
        kind, operand = rng.choice(TYPES), [max(n, 1) for n in rng.dimensions(high=4, elements=24)]
        batching, where, collapsed, mapped, windowed, batch, vector, indices = indexing(rng, operand)
        sizes = [1 if d in collapsed + batching else rng.randint(0, operand[d]) for d in range(len(operand))]
        offset_dims, out = interleaved(rng, [sizes[d] for d in windowed], batch)
        index_type = rng.choice(["s8", "u8", "s32", "s64", "u32"])
        text = (
            f"gather(@p0, @p1), offset_dims={braces(offset_dims)}, collapsed_slice_dims={braces(collapsed)}, "
            f"start_index_map={braces(mapped)}{optional_list('operand_batching_dims', batching)}"
            f"{optional_list('start_indices_batching_dims', where)}, index_vector_dim={vector}, "
            f"slice_sizes={braces(sizes)}"
        )
        arguments = [rng.array(kind, operand), rng.numbers(index_type, indices, -3, 6)]
        return Case(arguments, f"@r = {shape_text(kind, out)} {text}")

    @compares()
    def test_scatter(self, rng):
        kind, operand = rng.choice(FLOATS + INTEGERS), [max(n, 1) for n in rng.dimensions(high=4, elements=24)]
        batching, where, collapsed, mapped, windowed, batch, vector, indices = indexing(rng, operand)
        window = [rng.randint(0, operand[d]) for d in windowed]
        window_dims, updates = interleaved(rng, window, batch)
        op = rng.choice(["add", "maximum", "minimum", "second"] if kind != "f8e8m0fnu" else ["second"])
        root = f"ROOT @c = {kind}[] {op}(@a, @b)" if op != "second" else ""
        mark = "ROOT " if op == "second" else ""
        fold = f"@f {{\n@a = {kind}[] parameter(0)\n{mark}@b = {kind}[] parameter(1)\n{root}\n}}"
        text = (
            f"scatter(@p0, @p1, @p2), update_window_dims={braces(window_dims)}, "
            f"inserted_window_dims={braces(collapsed)}, scatter_dims_to_operand_dims={braces(mapped)}"
            f"{optional_list('input_batching_dims', batching)}"
            f"{optional_list('scatter_indices_batching_dims', where)}, index_vector_dim={vector}, to_apply=@f"
        )
        index_type = rng.choice(["s8", "s32", "s64"])
        places = rng.numbers(index_type, indices, -2, 5)
        arguments = [rng.numbers(kind, operand), places, rng.numbers(kind, updates)]
        return Case(arguments, f"@r = {shape_text(kind, operand)} {text}", fold)
