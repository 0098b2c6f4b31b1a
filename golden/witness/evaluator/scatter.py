"""Scatter."""

import numpy as np

from golden.witness.arrays import Array, one_or_tuple
from golden.witness.evaluator.folds import scalar
from golden.witness.evaluator.indexing import batching_start, index_vector, offsets


def scatter(evaluator, instruction, *operands):
    """Folds the operand with each update at the place of its index."""
    third = (len(operands) - 1) // 2
    inputs, indices, updates = operands[:third], operands[third], operands[third + 1 :]
    window_dims, inserted = instruction.ints("update_window_dims"), instruction.ints("inserted_window_dims")
    map_ = instruction.ints("scatter_dims_to_operand_dims")
    batching = instruction.ints("input_batching_dims"), instruction.ints("scatter_indices_batching_dims")
    vector = instruction.ints("index_vector_dim")[0]
    shape = inputs[0].values.shape
    windowed = [d for d in range(len(shape)) if d not in inserted + batching[0]]
    hits = {}
    # Window by window, in the row-major order of the indices.
    batch_first = sorted(range(updates[0].values.ndim), key=lambda d: d in window_dims)
    for index in sorted(np.ndindex(*updates[0].values.shape), key=lambda index: [index[d] for d in batch_first]):
        batch = [i for d, i in enumerate(index) if d not in window_dims]
        start = batching_start(indices, batch, vector, batching, len(shape))
        for d, value in zip(map_, index_vector(indices, batch, vector, len(map_))):
            start[d] = value
        offset = offsets(index, window_dims, windowed, len(shape))
        sizes = [1] * len(shape)
        for d, to in zip(window_dims, windowed):
            sizes[to] = updates[0].values.shape[d]
        # A window is written completely or not at all.
        if all(0 <= s <= n - k for s, k, n in zip(start, sizes, shape)):
            at = tuple(s + o for s, o in zip(start, offset))
            hits.setdefault(at, []).append([scalar(u, index) for u in updates])
    out = [x.values.copy() for x in inputs]
    for at, rows in hits.items():
        for k, value in enumerate(evaluator.fold(instruction.text("to_apply"), [scalar(x, at) for x in inputs], rows)):
            out[k][at] = value.values
    return one_or_tuple([Array(x.type, v) for x, v in zip(inputs, out)])


OPS = {"scatter": scatter}
