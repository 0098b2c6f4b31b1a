"""Custom calls as the lowerings of JAX and XLA's compilers write them, and what `assay run` prints.

The values are worked out by hand; those of Threefry are the known answers of Random123. A case is: kind of file, text,
inputs, output.
"""

from spec_tests.tools.intake_hlo_cases import entry


def call(target, operands, result, inputs, output, attributes="", part=None):
    """Returns a case: one custom call. `operands` are the shapes of the inputs, `part` is the number of the result that
    the module returns."""
    names = "abcdefgh"[: len(operands)]
    lines = [f"{name} = {shape} parameter({i})" for i, (name, shape) in enumerate(zip(names, operands))]
    root = f"{'ROOT ' if part is None else ''}r = {result} custom-call({', '.join(names)}), custom_call_target=\"{target}\""
    lines.append(root + (", " + attributes if attributes else ""))
    if part is not None:
        shape = result.strip("()").replace("], ", "];").split(";")[part]
        lines.append(f"ROOT p = {shape} get-tuple-element(r), index={part}")
    return "hlo", entry("; ".join(lines)), inputs, output


def typed(config):
    """Returns the attributes of a call of XLA's foreign function interface, with its own attributes."""
    return f"api_version=API_VERSION_TYPED_FFI, backend_config={{{config}}}"


A = "f32[2,2] {{4, 2}, {2, 5}}"  # L L^T of {{2, 0}, {1, 2}}
WORDS = ["u32[1] {0}"] * 4
RANDOM = "( {1797259609}, {2579123966} )\n"
DOT = ('"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"],"rhs_contracting_dimensions":["0"],'
       '"lhs_batch_dimensions":[],"rhs_batch_dimensions":[]}')  # fmt: skip

CALL_CASES = {
    # ---------------------------------------------------------------------------- Lowerings of JAX: CPU, CUDA, ROCm, TPU.
    **{f"Cholesky by {target}": call(target, ["f32[2,2]"], "(f32[2,2], s32[])", [A], "{ { 2, 2 }, { 1, 2 } }\n",
                                     typed("uplo = 76 : ui8" if "lapack" in target else "lower = true"), 0)
       for target in ("lapack_spotrf_ffi", "cusolver_potrf_ffi", "hipsolver_potrf_ffi")},
    # Row 1 has the larger first element.
    **{f"LU by {target}": call(target, ["f32[2,2]"], "(f32[2,2], s32[2], s32[])", ["f32[2,2] {{1, 2}, {4, 4}}"], output,
                               typed(""), part)
       for target, part, output in [
           ("lapack_sgetrf_ffi", 0, "{ { 4, 4 }, { 0.25, 1 } }\n"), ("cusolver_getrf_ffi", 1, "{2, 2}\n"),
           ("hipsolver_getrf_ffi", 2, "0\n"),
       ]},
    "LU by LuDecomposition": call("LuDecomposition", ["f32[2,2]"], "(f32[2,2], s32[2], s32[2])",
                                  ["f32[2,2] {{1, 2}, {4, 4}}"],
                                  "( { { 4, 4 }, { 0.25, 1 } }, {1, 1}, {1, 0} )\n"),
    **{f"pivots by {vendor}": call(f"{vendor}_lu_pivots_to_permutation", ["s32[3]"], "s32[3]", ["s32[3] {2, 2, 2}"],
                                   "{2, 0, 1}\n", typed("")) for vendor in ("cu", "hip")},
    **{f"random numbers by {target}": call(target, ["u32[1]"] * 4, "(u32[1], u32[1])", WORDS, RANDOM, typed(""))
       for target in ("cu_threefry2x32_ffi", "hip_threefry2x32_ffi")},
    "a triangular system by LAPACK": call(
        "lapack_strsm_ffi", ["f32[2,2]", "f32[2,1]"], "f32[2,1]",
        ["f32[2,2] {{2, 0}, {1, 4}}", "f32[2,1] {{2}, {9}}"], "{ {1}, {2} }\n",
        typed("side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8")),
    # {{2, 1}, {1, 3}} times {1, 2}.
    **{f"a tridiagonal system by {target}": call(
        target, ["f32[2]", "f32[2]", "f32[2]", "f32[2,1]"], "f32[2,1]",
        ["f32[2] {0, 1}", "f32[2] {2, 3}", "f32[2] {1, 0}", "f32[2,1] {{4}, {7}}"], "{ {1}, {2} }\n", typed(""))
       for target in ("cusparse_gtsv2_ffi", "hipsparse_gtsv2_ffi")},
    # Row 1 is the pivot of column 0.
    "factors of JAX 0.4 with a count of 64 bits": call(
        "lapack_sgetrf", ["s64[]", "s32[]", "s32[]", "f32[2,2]"], "(f32[2,2], s32[2], s32[])",
        ["s64[] 1", "s32[] 2", "s32[] 2", "f32[2,2] {{0, 2}, {4, 1}}"], "( { { 4, 1 }, { 0, 2 } }, {2, 2}, 0 )\n"),
    "eigenvalues by the GPU": call("cusolver_syevd_ffi", ["f32[2,2]"], "(f32[2,2], f32[2], s32[])",
                                   ["f32[2,2] {{2, 0}, {0, -3}}"], "{-3, 2}\n", typed("lower = true, algorithm = 0 : ui8"), 1),
    # ------------------------------------------------------------------------------------------------ XLA's own targets.
    "the largest two": call("__gpu$TopK", ["f32[4]"], "(f32[2], s32[2])", ["f32[4] {1, 4, 3, 4}"], "( {4, 4}, {1, 3} )\n"),
    "the low half of numbers": call("X64SplitLow", ["u64[1]"], "u32[1]", ["u64[1] {4294967303}"], "{7}\n"),
    "the high half of numbers": call("X64SplitHigh", ["u64[1]"], "u32[1]", ["u64[1] {4294967303}"], "{1}\n"),
    "numbers of their halves": call("X64Combine", ["u32[1]", "u32[1]"], "u64[1]", ["u32[1] {7}", "u32[1] {1}"],
                                    "{4294967303}\n"),
    "a size that is set": call("SliceToDynamic", ["s32[3]", "s32[]"], "s32[<=3]", ["s32[3] {1, 2, 3}", "s32[] 2"],
                               "{1, 2}\n"),
    **{f"the operand of {target}": call(target, ["f32[2]"], "f32[2]", ["f32[2] {1, -2}"], "{1, -2}\n")
       for target in ("Sharding", "MoveToDevice", "annotate_device_placement", "LayoutConstraint")},
    # 2 (1*3 + 2*4) + 3*5
    "a product by cuBLAS": call(
        "__cublas$gemm", ["f32[1,2]", "f32[2,1]", "f32[1,1]"], "(f32[1,1], s8[16])",
        ["f32[1,2] {{1, 2}}", "f32[2,1] {{3}, {4}}", "f32[1,1] {{5}}"], "{ {37} }\n",
        'backend_config={"operation_queue_id":"0","gemm_backend_config":{"alpha_real":2,"alpha_imag":0,"beta":3,'
        f'{DOT},"epilogue":"DEFAULT"}}}}', 0),
    # max(0, {1*2 + 1, 1*-3 + 1})
    "a product by cuBLASLt": call(
        "__cublas$lt$matmul", ["f32[1,1]", "f32[1,2]", "f32[2]"], "f32[1,2]",
        ["f32[1,1] {{1}}", "f32[1,2] {{2, -3}}", "f32[2] {1, 1}"], "{ { 3, 0 } }\n",
        'backend_config={"gemm_backend_config":{"alpha_real":1,"alpha_imag":0,"beta":0,'
        f'{DOT},"epilogue":"BIAS_RELU"}}}}'),
    "a convolution by cuDNN": call(
        "__cudnn$convForward", ["f32[1,2,1]", "f32[1,1,1]"], "(f32[1,2,1], u8[0])",
        ["f32[1,2,1] {{{2}, {-3}}}", "f32[1,1,1] {{{4}}}"], "{ { {4}, {-6} } }\n",
        "window={size=1}, dim_labels=b0f_0io->b0f, "
        'backend_config={"cudnn_conv_backend_config":{"conv_result_scale":0.5,"activation_mode":"kNone"}}', 0),
    "a product by oneDNN": call(
        "__onednn$matmul", ["f32[2,1]", "f32[1,2]", "f32[1]"], "f32[1,1]",
        ["f32[2,1] {{1}, {2}}", "f32[1,2] {{3, 4}}", "f32[1] {-1}"], "{ {21} }\n",
        'backend_config={"onednn_matmul_config":{"transpose_a":true,"transpose_b":true,'
        '"fusions":{"ops":["LINEAR","BIAS"],"alpha":[2]}}}'),
    "a sort by CUB": call("__cub$DeviceRadixSort", ["s32[3]"], "(s32[3], u8[1])", ["s32[3] {2, -1, 3}"], "{3, 2, -1}\n",
                          'backend_config={"descending":true}', 0),
}  # fmt: skip
