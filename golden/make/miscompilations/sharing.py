"""Arrays that are used again after an op that could have been computed in place."""

from golden.make.miscompilations.forms import Program, combiner, order
from golden.make.values import called

KINDS = ("f32", "s8", "bf16", "u64")
SIX = [[1, 2, 3, 4, 5, 6]]
C = "c = T[2] constant({50, 60})\ni = s32[] constant(1)\nk = s32[] constant(3)\n"


def again(name, reason, lines, kinds=KINDS, operands="x:T[6]", values=SIX, computations="", **more):
    """Returns a program whose operands are read after an op that might have overwritten them."""
    return Program(name, reason, kinds, operands, lines, values, computations=computations, **more)


SCATTER = ("update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
           "to_apply=")
SECOND = "second_T {\n  a = T[] parameter(0)\n  ROOT b = T[] parameter(1)\n}"
PROGRAMS = [
    again("update_and_operand", "the array before the update and after it",
          C + "a = T dynamic-update-slice(x, c, i)\nr = (T[6], T[6]) tuple(a, x)"),
    again("update_minus_operand", "openxla/xla#13253: an update in a fusion with what reads the operand",
          C + "a = T dynamic-update-slice(x, c, i)\nr = T subtract(a, x)"),
    again("two_updates_of_one", "jax#39100: two updates of one array know nothing of each other",
          C + "a = T dynamic-update-slice(x, c, i)\nb = T dynamic-update-slice(x, c, k)\nr = (T[6], T[6]) tuple(a, b)"),
    again("update_by_itself", "jax#10129: x.at[1:].set(x[:-1]): the old elements, moved by one, none of them twice",
          "a = T[5] slice(x), slice={[0:5]}\ni = s32[] constant(1)\nr = T dynamic-update-slice(x, a, i)"),
    again("update_by_itself_downwards", "x.at[:-1].set(x[1:])",
          "a = T[5] slice(x), slice={[1:6]}\ni = s32[] constant(0)\nr = T dynamic-update-slice(x, a, i)"),
    again("update_by_itself_reversed", "x.at[1:5].set(x[1:5] reversed)",
          "a = T[4] slice(x), slice={[1:5]}\nb = T[4] reverse(a), dimensions={0}\ni = s32[] constant(1)\n"
          "r = T dynamic-update-slice(x, b, i)"),
    again("row_set_to_roll", "jax#7461, 10129: X.at[0].set(roll(X[0])): the row is read before it is written",
          "a = T[1,3] slice(x), slice={[0:1], [0:3]}\nb = T[1,1] slice(a), slice={[0:1], [2:3]}\n"
          "c = T[1,2] slice(a), slice={[0:1], [0:2]}\nd = T[1,3] concatenate(b, c), dimensions={1}\n"
          "z = s32[] constant(0)\nr = T[2,3] dynamic-update-slice(x, d, z, z)", operands="x:T[2,3]"),
    again("rows_swapped", "two rows in each other's place",
          "a = T[1,3] slice(x), slice={[0:1], [0:3]}\nb = T[1,3] slice(x), slice={[1:2], [0:3]}\n"
          "z = s32[] constant(0)\no = s32[] constant(1)\nc = T[2,3] dynamic-update-slice(x, b, z, z)\n"
          "r = T[2,3] dynamic-update-slice(c, a, o, z)", operands="x:T[2,3]"),
    again("chain_of_updates", "three updates, each read by the next one and by the end",
          C +
          "a = T dynamic-update-slice(x, c, i)\ns = T[2] slice(a), slice={[2:4]}\nb = T dynamic-update-slice(a, s, k)\n"
          "t = T[2] slice(b), slice={[3:5]}\nd = T dynamic-update-slice(b, t, i)\n"
          "r = (T[6], T[6], T[6]) tuple(a, b, d)"),
    again("update_in_a_tuple", "one array twice in a tuple, one of them updated",
          C +
          "t = (T[6], T[6]) tuple(x, x)\na = T get-tuple-element(t), index=0\nb = T get-tuple-element(t), index=1\n"
          "d = T dynamic-update-slice(a, c, i)\nr = (T[6], T[6]) tuple(d, b)"),
    again("tuple_of_tuples", "one array in two tuples, updated by way of one", C +
          "t = (T[6], T[6]) tuple(x, x)\nu = (T[6], (T[6], T[6])) tuple(x, t)\n"
          "v = (T[6], T[6]) get-tuple-element(u), index=1\na = T get-tuple-element(v), index=1\n"
          "d = T dynamic-update-slice(a, c, k)\nb = T get-tuple-element(u), index=0\nr = T subtract(d, b)"),
    again("copy_updated", "a copy is updated, the array is not",
          C + "y = T copy(x)\na = T dynamic-update-slice(y, c, i)\nr = (T[6], T[6], T[6]) tuple(a, y, x)"),
    again("same_as_loop_state", "jax#39100: one array is two elements of a loop's state, one of them updated",
          "z = s32[] constant(0)\nt = (s32[], T[6], T[6]) tuple(z, x, x)\n"
          "w = (s32[], T[6], T[6]) while(t), condition=more_T, body=step_T\na = T get-tuple-element(w), index=1\n"
          "b = T get-tuple-element(w), index=2\nr = (T[6], T[6], T[6]) tuple(a, b, x)",
          computations="more_T {\n  p = (s32[], T[6], T[6]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n"
                       "  n = s32[] constant(3)\n  ROOT c = pred[] compare(i, n), direction=LT\n}\n\nstep_T {\n"
                       "  p = (s32[], T[6], T[6]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n"
                       "  x = T[6] get-tuple-element(p), index=1\n  y = T[6] get-tuple-element(p), index=2\n"
                       "  o = s32[] constant(1)\n  j = s32[] add(i, o)\n"
                       "  a = T[1] dynamic-slice(y, j), dynamic_slice_sizes={1}\n"
                       "  b = T[6] dynamic-update-slice(x, a, i)\n  ROOT t = (s32[], T[6], T[6]) tuple(j, b, y)\n}"),
    again("updated_by_a_call", "a call that updates its operand leaves the caller's alone",
          "a = T call(x), to_apply=updated_T\nr = (T[6], T[6]) tuple(a, x)",
          computations=called("updated_T", "x:T[6]", "c = T[2] constant({50, 60})", "i = s32[] constant(1)",
                              "ROOT r = T[6] dynamic-update-slice(x, c, i)")),
    again("scatter_and_operand", "the array before a scatter and after it",
          "i = s32[2,1] constant({{4}, {1}})\nu = T[2] constant({50, 60})\na = T scatter(x, i, u), " + SCATTER +
          "second_T\nr = (T[6], T[6]) tuple(a, x)", computations=SECOND),
    again("two_scatters_of_one", "two scatters of one array",
          "i = s32[2,1] constant({{4}, {1}})\nj = s32[2,1] constant({{0}, {1}})\nu = T[2] constant({50, 60})\n"
          "a = T scatter(x, i, u), " + SCATTER + "add_T\nb = T scatter(x, j, u), " + SCATTER +
          "add_T\nr = (T[6], T[6]) tuple(a, b)", computations=combiner("add")),
    again("scatter_of_own_gather", "elements moved within one array, all read before one is written",
          "i = s32[3,1] constant({{1}, {2}, {3}})\nj = s32[3,1] constant({{2}, {3}, {4}})\n"
          "g = T[3] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
          "slice_sizes={1}\nr = T scatter(x, j, g), " + SCATTER + "second_T", computations=SECOND),
    again("sort_and_operand", "the array before it was sorted and after it",
          "a = T sort(x), dimensions={0}, to_apply=order_T\nr = T subtract(a, x)", values=[[3, 1, 6, 2, 5, 4]],
          computations=order("LT")),
    again("reverse_and_operand", "the array before it was reversed and after it",
          "a = T reverse(x), dimensions={0}\nr = T multiply(a, x)"),
    again("transpose_and_operand", "a matrix times its transpose, element by element",
          "a = T[3,3] transpose(x), dimensions={1,0}\nr = T[3,3] subtract(a, x)", operands="x:T[3,3]",
          values=[[1, 2, 3, 4, 5, 6, 7, 8, 9]]),
    again("scan_and_operand", "sums so far, and the array that they are of",
          "z = T[] constant(0)\na = T reduce-window(x, z), window={size=6 pad=5_0}, to_apply=add_T\n"
          "r = T subtract(a, x)", computations=combiner("add")),
    again("inverse_transform_again", "jax#2874, 9946: an inverse real transform does not overwrite its input",
          "a = c64[4] fft(x), fft_type=IFFT, fft_length={4}\nb = c64[4] fft(x), fft_type=IFFT, fft_length={4}\n"
          "s = c64[4] subtract(a, b)\nr = (c64[4], c64[4]) tuple(s, x)", ("c64",), "x:T[4]",
          [[4, 0, 0, 4, -8, 0, 0, 12]]),
    again("real_inverse_again", "jax#2874: the spectrum after an IRFFT of it",
          "a = f32[4] fft(x), fft_type=IRFFT, fft_length={4}\nb = f32[4] fft(x), fft_type=IRFFT, fft_length={4}\n"
          "d = f32[4] subtract(a, b)\nr = (f32[4], c64[3]) tuple(d, x)", ("c64",), "x:T[3]", [[8, 0, 0, 4, 4, 0]]),
    again("factor_and_matrix", "a matrix after its Cholesky factor was taken",
          "a = T[2,2] cholesky(x), lower=true\nr = (T[2,2], T[2,2]) tuple(a, x)", ("f32", "f64"), "x:T[2,2]",
          [[4, 2, 2, 17]], folds=False),
    again("solved_twice", "a triangular matrix and a right side, each used again",
          "a = T[2,1] triangular-solve(x, y), left_side=true, lower=true, transpose_a=NO_TRANSPOSE\n"
          "b = T[2,1] triangular-solve(x, a), left_side=true, lower=true, transpose_a=NO_TRANSPOSE\n"
          "r = (T[2,1], T[2,1], T[2,1]) tuple(a, b, y)", ("f32", "f64"), "x:T[2,2] y:T[2,1]", [[2, 0, 4, 1], [8, 20]],
          folds=False),
    again("update_of_broadcast", "an update of one row of what was broadcast leaves the others",
          "b = T[3,6] broadcast(x), dimensions={1}\nn = T[1,6] broadcast(x), dimensions={1}\nm = T[1,6] add(n, n)\n"
          "z = s32[] constant(0)\no = s32[] constant(1)\nr = T[3,6] dynamic-update-slice(b, m, o, z)"),
    again("concatenated_with_its_update", "the array and its update, side by side",
          C + "a = T dynamic-update-slice(x, c, k)\nr = T[12] concatenate(x, a), dimensions={0}"),
    again("update_of_its_sum", "an update by the sum of the array that it updates",
          "z = T[] constant(0)\ns = T[] reduce(x, z), dimensions={0}, to_apply=add_T\nu = T[1] reshape(s)\n"
          "i = s32[] constant(2)\na = T dynamic-update-slice(x, u, i)\n"
          "t = T[] reduce(a, z), dimensions={0}, to_apply=add_T\nr = (T[6], T[]) tuple(a, t)",
          computations=combiner("add")),
    again("updates_in_two_branches", "one array in both branches, updated differently",
          C +
          "p = pred[] constant(true)\na = T conditional(p, x, x), true_computation=low_T, false_computation=high_T\n"
          "q = pred[] constant(false)\nb = T conditional(q, x, x), true_computation=low_T, false_computation=high_T\n"
          "r = (T[6], T[6], T[6]) tuple(a, b, x)",
          computations="\n\n".join(called(f"{n}_T", "x:T[6]", "c = T[1] constant({99})", f"i = s32[] constant({i})",
                                          "ROOT r = T[6] dynamic-update-slice(x, c, i)") for n, i in
                                   (("low", 0), ("high", 5)))),
    again("barrier", "behind a barrier the operand is the same", C +
          "t = (T[6], T[2]) tuple(x, c)\nb = (T[6], T[2]) opt-barrier(t)\ny = T get-tuple-element(b), index=0\n"
          "d = T[2] get-tuple-element(b), index=1\na = T dynamic-update-slice(y, d, i)\nr = T subtract(a, x)"),
]
