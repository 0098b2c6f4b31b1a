"""Batch normalization and its gradient."""

import math
from fractions import Fraction

import numpy as np

from golden.witness.arrays import Array
from golden.witness.evaluator.ieee import Number, array_of, numbers, total_of


def epsilon_of(instruction):
    """Returns the attribute, which is a float."""
    return Number(float(np.float32(float(instruction.text("epsilon", "0")))))


def by_feature(instruction, array):
    """Returns the elements of each feature in order."""
    values = np.moveaxis(numbers(array), instruction.ints("feature_index")[0], 0)
    return values.reshape(len(values), math.prod(values.shape[1:]))


def elements(instruction, kind, rows, shape):
    """Inverts by_feature, and rounds."""
    axis = instruction.ints("feature_index")[0]
    moved = (shape[axis], *shape[:axis], *shape[axis + 1 :])
    flat = array_of(kind, [v for row in rows for v in row], moved)
    return Array(kind, np.ascontiguousarray(np.moveaxis(flat.values, 0, axis)))


def normalized(x, scale, offset, mean, variance, epsilon):
    """Returns scale (x - mean) / sqrt(variance + epsilon) + offset."""
    return [(scale * (v - mean)).over_root_of(variance + epsilon) + offset for v in x]


def divided(number, count):
    """Divides by a count, which may be zero."""
    return number / Number(Fraction(count) if count else 0.0)


def batch_norm_training(instruction, x, scale, offset):
    """Returns the normalized operand, the mean and the variance of each feature."""
    epsilon, features, results = epsilon_of(instruction), by_feature(instruction, x), []
    means = [divided(total_of(row), len(row)) for row in features]
    variances = [divided(total_of((v - mean) * (v - mean) for v in row), len(row))
                 for row, mean in zip(features, means)]
    for row, *parameters in zip(features, numbers(scale), numbers(offset), means, variances):
        results.append(normalized(row, *parameters, epsilon))
    return [elements(instruction, x.type, results, x.values.shape), array_of(x.type, means, scale.values.shape),
            array_of(x.type, variances, scale.values.shape)]


def batch_norm_inference(instruction, x, *parameters):
    """Returns the operand, normalized by the operands scale, offset, mean and variance."""
    rows = [normalized(row, *own, epsilon_of(instruction))
            for row, *own in zip(by_feature(instruction, x), *map(numbers, parameters))]
    return elements(instruction, x.type, rows, x.values.shape)


def batch_norm_grad(instruction, x, scale, mean, variance, gradient):
    """Returns the gradients of the operand, the scale and the offset."""
    to_x, to_scale, to_offset = [], [], []
    for row, dy, gamma, mu, square in zip(by_feature(instruction, x), by_feature(instruction, gradient),
                                          numbers(scale), numbers(mean), numbers(variance)):
        spread = square + epsilon_of(instruction)
        away = [v - mu for v in row]
        total, together = total_of(dy), total_of(g * a for g, a in zip(dy, away))
        c, d = divided(together / spread, len(row)), divided(total, len(row))
        to_x.append([(gamma * (g - d - c * a)).over_root_of(spread) for g, a in zip(dy, away)])
        to_scale.append(together.over_root_of(spread))
        to_offset.append(total)
    shape = scale.values.shape
    return [elements(instruction, x.type, to_x, x.values.shape), array_of(x.type, to_scale, shape),
            array_of(x.type, to_offset, shape)]


OPS = {
    "batch-norm-training": batch_norm_training, "batch-norm-inference": batch_norm_inference,
    "batch-norm-grad": batch_norm_grad,
}  # fmt: skip
