"""The places of the windows of gather and scatter."""

from golden.witness.evaluator.movement import gathered


def gather(instruction, x, indices):
    """Returns slices at the start indices, clamped so that they are inside of the operand."""
    offset_dims, map_ = instruction.ints("offset_dims"), instruction.ints("start_index_map")
    collapsed, sizes = instruction.ints("collapsed_slice_dims"), instruction.ints("slice_sizes")
    batching = instruction.ints("operand_batching_dims"), instruction.ints("start_indices_batching_dims")
    vector = instruction.ints("index_vector_dim")[0]
    windowed = [d for d in range(x.values.ndim) if d not in collapsed + batching[0]]
    sizes = list(map(min, sizes, x.values.shape))  # A slice ends at the run-time size.
    batches = iter([n for d, n in enumerate(indices.values.shape) if d != vector])
    windows = iter([sizes[d] for d in windowed])
    dimensions = [next(windows if d in offset_dims else batches) for d in range(len(instruction.dimensions))]

    def source(index):
        batch = [i for d, i in enumerate(index) if d not in offset_dims]
        return tuple(gather_start(x.values.shape, indices, batch, vector, map_, sizes, batching)[d] + offset[d]
                     for offset in [offsets(index, offset_dims, windowed, x.values.ndim)]
                     for d in range(x.values.ndim))

    return gathered(dimensions, x, source)


def offsets(index, offset_dims, windowed, rank):
    """Returns the place inside of the window, a number for each dimension of the operand."""
    out = [0] * rank
    for d, to in zip(offset_dims, windowed):
        out[to] = index[d]
    return out


def index_vector(indices, batch, vector, count):
    """Returns the `count` numbers of the index vector at `batch`."""
    values = indices.values
    if vector == values.ndim:
        return [int(values[tuple(batch)])]
    return [int(values[tuple(batch[:vector] + [k] + batch[vector:])]) for k in range(count)]


def batching_start(indices, batch, vector, batching, rank):
    """Returns the start in the batching dimensions; zero in all others."""
    start = [0] * rank
    for operand_dimension, index_dimension in zip(*batching):
        start[operand_dimension] = batch[index_dimension - (index_dimension > vector)]
    return start


def gather_start(shape, indices, batch, vector, map_, sizes, batching):
    """Returns the start of the slice at `batch`."""
    start = batching_start(indices, batch, vector, batching, len(shape))
    for d, value in zip(map_, index_vector(indices, batch, vector, len(map_))):
        start[d] = min(max(value, 0), shape[d] - sizes[d])
    return start


OPS = {"gather": gather}
