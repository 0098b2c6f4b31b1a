"""StableHLO programs with dimensions of unknown size, inputs, and the outputs that numpy computes of them."""

import numpy as np

# Each program with its inputs, and the output that numpy computes of them. A program without "func" is the body of
# @main: its first line has the types, and it returns %r if it names nothing else.
ADD = """(%x: tensor<?x2xf32>) -> tensor<?x2xf32>
  %r = stablehlo.add %x, %x : tensor<?x2xf32>"""
X = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
V = np.array([3, 1, 2], np.float32)
I = np.array([5, -7, 9, 2], np.int32)
# The number of rows of %x as %n, and its sizes as %s.
SIZES = """
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>"""


def counted(lines):
    """Returns a function of tensor<?x2xf32> that returns an iota of %k numbers; the lines compute %k from %n."""
    return f"""(%x: tensor<?x2xf32>) -> tensor<?xi32>{SIZES}
  %c = stablehlo.constant dense<2> : tensor<i32>
{lines}
  %l = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_iota %l, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>"""


def computed(name, *operands):
    """Returns the line that computes %k by an op of i32 scalars."""
    return f"  %k = stablehlo.{name} {', '.join(operands)} : tensor<i32>"


ONE = "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
PROGRAMS = {
    "add": (ADD, [X], X + X),
    "add of no rows": (ADD, [X[:0]], X[:0]),
    "two arguments of the same sizes": ("""(%x: tensor<?x?xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32>
  %r = stablehlo.multiply %x, %y : (tensor<?x?xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>""", [X, X], X * X),
    "an iota of as many numbers": (counted("  %k = stablehlo.convert %n : tensor<i32>"), [X], np.arange(3)),
    "a sum of sizes": (counted(computed("add", "%n", "%c")), [X], np.arange(5)),
    "a difference": (counted(computed("subtract", "%n", "%c")), [X], np.arange(1)),
    "a product": (counted(computed("multiply", "%n", "%c")), [X], np.arange(6)),
    "a quotient": (counted(computed("divide", "%n", "%c")), [X], np.arange(1)),
    "a remainder": (counted(computed("remainder", "%n", "%c")), [X], np.arange(1)),
    "a maximum": (counted(computed("maximum", "%n", "%c")), [X], np.arange(3)),
    "a minimum": (counted(computed("minimum", "%n", "%c")), [X], np.arange(2)),
    "a power": (counted(computed("power", "%n", "%c")), [X], np.arange(9)),
    "a negated difference": (
        counted("  %d = stablehlo.subtract %c, %n : tensor<i32>\n  %k = stablehlo.negate %d : tensor<i32>"), [X],
        np.arange(1)),
    "an absolute value and a sign": (
        counted("  %d = stablehlo.subtract %c, %n : tensor<i32>\n  %a = stablehlo.sign %d : tensor<i32>\n"
                "  %k = stablehlo.abs %a : tensor<i32>"), [X], np.arange(1)),
    "bits": (
        counted("  %d = stablehlo.or %n, %c : tensor<i32>\n  %e = stablehlo.xor %d, %c : tensor<i32>\n"
                "  %f = stablehlo.not %e : tensor<i32>\n  %k = stablehlo.and %f, %c : tensor<i32>"), [X], np.arange(2)),
    "a choice by a comparison": (
        counted("  %p = stablehlo.compare GT, %n, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                "  %k = stablehlo.select %p, %n, %c : tensor<i1>, tensor<i32>"), [np.ones((7, 2), np.float32)], np.arange(7)),
    "a clamped size": (counted(ONE + "  %k = stablehlo.clamp %one, %n, %c : tensor<i32>"), [X], np.arange(2)),
    "an element of a slice of sizes": (
        counted("  %t = stablehlo.slice %s [1:2] : (tensor<2xi32>) -> tensor<1xi32>\n"
                "  %k = stablehlo.reshape %t : (tensor<1xi32>) -> tensor<i32>"), [X], np.arange(2)),
    "a size that an argument names": ("""(%n: tensor<i64>) -> tensor<?xi64>
  %m = stablehlo.convert %n : (tensor<i64>) -> tensor<i32>
  %s = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi64>""", [np.int64(4)], np.arange(4)),
    "reshape": (f"""(%x: tensor<?x2xf32>) -> tensor<2x?xf32>{SIZES}
  %t = stablehlo.reverse %s, dims = [0] : tensor<2xi32>
  %r = stablehlo.dynamic_reshape %x, %t : (tensor<?x2xf32>, tensor<2xi32>) -> tensor<2x?xf32>""", [X], X.reshape(2, 3)),
    "broadcast": (f"""(%x: tensor<?x2xf32>, %y: tensor<2xf32>) -> tensor<?x2xf32>{SIZES}
  %r = stablehlo.dynamic_broadcast_in_dim %y, %s, dims = [1] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x2xf32>""", [X, X[1]], np.tile(X[1], (3, 1))),
    "iota along another dimension": (f"""(%x: tensor<?x2xf32>) -> tensor<?x2xi32>{SIZES}
  %r = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x2xi32>""", [X], np.tile(np.arange(2), (3, 1))),
    "pad": (f"""(%x: tensor<?x2xf32>) -> tensor<?x?xf32>{SIZES}
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<2xi32>
  %r = stablehlo.dynamic_pad %x, %z, %none, %s, %none : (tensor<?x2xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>""", [X], np.pad(X, ((0, 3), (0, 2)))),
    "slice": (f"""(%x: tensor<?x2xf32>) -> tensor<?x2xf32>{SIZES}
  %b = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %i = stablehlo.constant dense<1> : tensor<2xi32>
  %r = stablehlo.real_dynamic_slice %x, %b, %s, %i : (tensor<?x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>""", [X], X[1:]),
    # The start 2 is clamped to 1, so that two rows remain.
    "slice from a place that data name": ("""(%x: tensor<?x2xf32>, %f: tensor<2xf32>) -> tensor<?x2xf32>
  %b = stablehlo.convert %f : (tensor<2xf32>) -> tensor<2xi32>
  %two = stablehlo.constant dense<2> : tensor<2xi32>
  %e = stablehlo.add %b, %two : tensor<2xi32>
  %i = stablehlo.constant dense<1> : tensor<2xi32>
  %r = stablehlo.real_dynamic_slice %x, %b, %e, %i : (tensor<?x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>""", [X, np.array([2, 0], np.float32)], X[1:]),
    "gather": ("""(%x: tensor<?x2xf32>, %i: tensor<?x1xi32>) -> tensor<?x2xf32>
  %s = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<?x2xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x2xf32>""", [X, np.array([[2], [0], [0], [1]], np.int32)], X[[2, 0, 0, 1]]),
    "convolution": ("""(%x: tensor<1x?x1xf32>, %k: tensor<2x1x1xf32>) -> tensor<1x?x1xf32>
  %n = stablehlo.get_dimension_size %k, dim = 0 : (tensor<2x1x1xf32>) -> tensor<i32>
  %p = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
  %r = "stablehlo.dynamic_conv"(%x, %k, %p) {batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64} : (tensor<1x?x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi32>) -> tensor<1x?x1xf32>""", [V.reshape(1, 3, 1), np.array([1, 10], np.float32).reshape(2, 1, 1)],
        np.array([0, 30, 13, 21, 2, 0]).reshape(1, 6, 1)),
    "transpose, product and sum": ("""(%x: tensor<?x2xf32>) -> tensor<?xf32>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %p = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0] : (tensor<?x2xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>""", [X], (X @ X.T).sum(0)),
    "concatenation, conversion and reversal": ("""(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xi32>
  %c = stablehlo.concatenate %x, %y, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %i = stablehlo.convert %c : (tensor<?xf32>) -> tensor<?xi32>
  %r = stablehlo.reverse %i, dims = [0] : tensor<?xi32>""", [V, V[:2]], np.array([1, 3, 2, 1, 3])),
    "sort": ("""(%x: tensor<?xf32>) -> tensor<?xf32>
  %r = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xf32>) -> tensor<?xf32>""", [V], np.sort(V)),
    "a loop": ("""(%x: tensor<?xf32>) -> tensor<?xf32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %z, %y = %x) : tensor<i32>, tensor<?xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %l = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %o = stablehlo.dynamic_iota %l, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %w = stablehlo.add %y, %o : tensor<?xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>""", [V], V + 3 * np.arange(3)),
    "branches": ("""(%p: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32>
  %r = "stablehlo.if"(%p) ({
    %a = stablehlo.negate %x : tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %x : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>""", [np.bool_(True), V], -V),
    "a function called at two sizes": ("""func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %a = call @ends(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %b = call @ends(%y) : (tensor<?xf32>) -> tensor<?xf32>
  %r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func private @ends(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}""", [V, V[:1]], np.concatenate([V, V, V[:1], V[:1]])),
    "a function of sizes": ("""func.func @main(%x: tensor<?xf32>) -> tensor<?xi32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %s:2 = call @sizes(%n) : (tensor<i32>) -> (tensor<i32>, tensor<1xi32>)
  %r = stablehlo.dynamic_iota %s#1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
func.func private @sizes(%n: tensor<i32>) -> (tensor<i32>, tensor<1xi32>) {
  %m = stablehlo.multiply %n, %n : tensor<i32>
  %r = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  return %m, %r : tensor<i32>, tensor<1xi32>
}""", [V], np.arange(9)),
    "an assertion that holds": ("""(%x: tensor<?xf32>) -> tensor<?xf32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<2> : tensor<i32>
  %p = stablehlo.compare GE, %n, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%p, %n) {error_message = "at least 2 are needed, not {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?xf32>""", [V], V),
    "an assertion among known sizes": ("""(%x: tensor<3xf32>) -> tensor<3xf32>
  %p = stablehlo.constant dense<true> : tensor<i1>
  %n = stablehlo.constant dense<3> : tensor<i32>
  stablehlo.custom_call @shape_assertion(%p, %n) {error_message = "at least 2 are needed, not {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<3xf32>""", [V], V),
    "the largest among known sizes": ("""(%x: tensor<4xi32>) -> tensor<2xi32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %v, %i = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %n) : (tensor<4xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %v : tensor<2xi32>""", [I], np.array([9, 5])),
    "sizes that are a constant of Shardy": ("""(%x: tensor<3xf32>) -> tensor<3x1xf32>
  %s = sdy.constant dense<[3, 1]> : tensor<2xi32>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<3xf32>, tensor<2xi32>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>""", [V], V[:, None]),
    "a window whose sizes are operands": ("""func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %p = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %two, %one, %one, %one, %p) {called_computations = [@add]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.add %a, %b : tensor<f32>
  return %r : tensor<f32>
}""", [V], np.array([3, 4, 3])),
    "the largest, as many as another argument has": ("""(%x: tensor<?xi32>, %y: tensor<?xf32>) -> tensor<?xi32>
  %n = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %v, %i = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %n) : (tensor<?xi32>, tensor<i32>) -> (tensor<?xi32>, tensor<?xi32>)
  return %v : tensor<?xi32>""", [I, V], np.array([9, 5, 2])),
    "an operand that only names sizes": ("""(%x: tensor<?xf32>) -> tensor<?xf32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%x, %s) {indices_of_shape_operands = dense<[1]> : tensor<1xi64>} : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>""", [V], V),
    "a barrier around sizes": (
        counted("  %q:2 = stablehlo.optimization_barrier %n, %c : tensor<i32>, tensor<i32>\n"
                "  %k = stablehlo.add %q#0, %q#1 : tensor<i32>"), [X], np.arange(5)),
    "implicit broadcasting": ("""(%x: tensor<?x2xf32>, %y: tensor<2xf32>) -> tensor<?x2xf32>
  %r = chlo.broadcast_add %x, %y : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>""", [X, X[0]], X + X[0]),
}
