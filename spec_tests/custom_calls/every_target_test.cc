// One small legal call of every built-in target by each of its names: it passes the verifier, it is evaluated, and its
// own value is not judged wrong.
#include <map>

#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/hlo/custom_call_target.h"
#include "spec_tests/custom_calls/library_call.h"

namespace assay::testing {
namespace {

// In the texts T is the element type of matrices, R its real and C its complex type, and W[n] stands for eigenvalues:
// T[n], or T[n], T[n] for a real T. Operands of these types are written as real numbers.
using Operands = std::vector<std::string>;
struct Row {
  std::vector<std::string_view> names;
  std::string result;
  Operands operands;
  std::string config = {};
  std::string attributes = {};
};

const std::string kA = "T[2,2] {{4, 2}, {2, 5}}", kTyped = ", api_version=API_VERSION_TYPED_FFI";
const std::string kVector = "T[2] {1, 2}", kDiagonal = "T[3] {4, 5, 6}", kSides = "T[3,1] {{1}, {2}, {3}}";
const std::string kSvd = "(T[2,2], R[2], T[2,2], T[2,2], s32[])", kTridiagonal = "(T[2,2], R[2], R[1], T[1], s32[])";

// Routines of linear algebra.
const std::vector<Row> kTypedRows = {
    {{"lapack_{s,d,c,z}potrf_ffi"}, "(T[2,2], s32[])", {kA}, "{uplo = 76 : ui8}"},
    {{"{cu,hip,oneapi}solver_potrf_ffi"}, "(T[2,2], s32[])", {kA}, "{lower = true}"},
    {{"lapack_{s,d,c,z}getrf_ffi", "{cu,hip,oneapi}solver_getrf_ffi"}, "(T[2,2], s32[2], s32[])", {kA}},
    {{"lapack_{s,d,c,z}geqrf_ffi", "{cu,hip,oneapi}solver_geqrf_ffi"}, "(T[2,2], T[2])", {kA}},
    {{"lapack_{s,d,c,z}geqp3_ffi", "{cu,hip,oneapi}hybrid_geqp3"},
     "(T[2,2], s32[2], T[2])",
     {kA, "s32[2] {0, 0}"},
     R"({magma = "auto"})"},
    {{"lapack_{s,d}orgqr_ffi", "lapack_{c,z}ungqr_ffi", "{cu,hip,oneapi}solver_orgqr_ffi"}, "T[2,2]", {kA, kVector}},
    {{"lapack_{s,d}ormqr_ffi", "lapack_{c,z}unmqr_ffi", "{cu,hip,oneapi}solver_ormqr_ffi"},
     "T[2,2]",
     {kA, kVector, kA},
     "{left = true, transpose = false}"},
    {{"lapack_{s,d,c,z}gehrd_ffi"}, "(T[2,2], T[1], s32[])", {kA}, "{low = 1 : i32, high = 2 : i32}"},
    {{"lapack_{s,d}sytrd_ffi", "lapack_{c,z}hetrd_ffi"}, kTridiagonal, {kA}, "{uplo = 85 : ui8}"},
    {{"{cu,hip,oneapi}solver_sytrd_ffi"}, kTridiagonal, {kA}, "{lower = false}"},
    {{"lapack_{s,d,c,z}trsm_ffi"},
     "T[2,2]",
     {kA, kA},
     "{side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8}"},
    {{"lapack_{s,d,c,z}gtsv_ffi"},
     "(T[3], T[3], T[3], T[3,1], s32[])",
     {"T[3] {0, 1, 1}", kDiagonal, "T[3] {1, 1, 0}", kSides}},
    {{"{cu,hip}sparse_gtsv2_ffi", "tridiagonal_solve_perturbed_ffi", "{cu,hip,oneapi}_tridiagonal_solve_perturbed"},
     "T[3,1]",
     {"T[3] {0, 1, 1}", kDiagonal, "T[3] {1, 1, 0}", kSides}},
    {{"lapack_{s,d}syevd_ffi", "lapack_{c,z}heevd_ffi"},
     "(T[2,2], R[2], s32[])",
     {kA},
     "{mode = 86 : ui8, uplo = 76 : ui8}"},
    {{"{cu,hip,oneapi}solver_syevd_ffi"}, "(T[2,2], R[2], s32[])", {kA}, "{algorithm = 0 : ui8, lower = true}"},
    {{"lapack_{s,d,c,z}{gesdd,gesvd}_ffi"}, kSvd, {kA}, "{mode = 65 : ui8}"},
    {{"{cu,hip}solver_{gesvdj,gesvdp}_ffi"}, kSvd, {kA}, "{compute_uv = true, full_matrices = true}"},
    {{"{cu,hip,oneapi}solver_gesvd_ffi", "hipsolver_gesdd_ffi"},
     kSvd,
     {kA},
     "{compute_uv = true, full_matrices = true, transposed = false}"},
    {{"lapack_{s,d,c,z}geev_ffi"},
     "(W[2], C[2,2], C[2,2], s32[])",
     {kA},
     "{compute_left = 86 : ui8, compute_right = 86 : ui8}"},
    {{"{cu,hip,oneapi}hybrid_eig_{real,comp}"},
     "(W[2], C[2,2], C[2,2], s32[])",
     {kA},
     R"({left = true, magma = "auto", right = true})"},
    {{"{cu,hip}solver_geev_ffi"}, "(T[2,2], C[2], T[2,2], T[2,2], s32[])", {kA}, "{left = false, right = true}"},
    {{"lapack_{s,d,c,z}gees_ffi"}, "(T[2,2], T[2,2], W[2], s32[], s32[])", {kA}, "{mode = 86 : ui8, sort = 78 : ui8}"},
    {{"{cu,hip,oneapi}solver_syrk_ffi"}, "T[2,2]", {kA, kA, "T[] 2", "T[] 3"}, "{transpose = false}"},
};

// The same of real matrices only, of TPUs, and LAPACK's before the typed interface.
const std::vector<Row> kUntypedRows = {
    {{"{cu,hip,oneapi}_cholesky_update_ffi"}, "(T[2,2], T[2])", {"T[2,2] {{4, 2}, {0, 5}}", kVector}},
    {{"Qr"}, "(T[2,2], T[2])", {kA}},
    {{"ProductOfElementaryHouseholderReflectors"}, "T[2,2]", {kA, kVector}},
    {{"Eigh"}, "(T[2,2], R[2])", {kA}, R"("1,1,100,1e-6")"},
    {{"LuDecomposition"}, "(T[2,2], s32[2], s32[2])", {kA}},
    {{"blas_{s,d,c,z}trsm"},
     "T[2,2]",
     {"s32[] 1", "s32[] 1", "s32[] 0", "s32[] 0", "s32[] 2", "s32[] 2", "s32[] 1", "T[] 1", kA, kA}},
    {{"lapack_{s,d,c,z}getrf"}, "(T[2,2], s32[2], s32[])", {"s32[] 1", "s32[] 2", "s32[] 2", kA}},
    {{"lapack_{s,d,c,z}geqrf"}, "(T[2,2], T[2], s32[], T[8])", {"s32[] 1", "s32[] 2", "s32[] 2", "s32[] 8", kA}},
    {{"lapack_{s,d}orgqr", "lapack_{c,z}ungqr"},
     "(T[2,2], s32[], T[8])",
     {"s32[] 1", "s32[] 2", "s32[] 2", "s32[] 2", "s32[] 8", kA, kVector}},
    {{"lapack_{s,d,c,z}potrf"}, "(T[2,2], s32[])", {"s32[] 1", "s32[] 1", "s32[] 2", kA}},
    {{"lapack_{s,d,c,z}gesdd"}, kSvd, {"s32[] 1", "s32[] 1", "s32[] 1", "s32[] 2", "s32[] 2", "s32[] 8", kA}},
    {{"lapack_{s,d}syevd", "lapack_{c,z}heevd"}, "(T[2,2], R[2], s32[])", {"s32[] 1", "s32[] 1", "s32[] 2", kA}},
    {{"lapack_{s,d}geev"},
     "(T[2,2], T[2,2], T[2,2], T[2], T[2], C[2,2], C[2,2], s32[])",
     {"s32[] 1", "s32[] 2", "u8[] 86", "u8[] 86", kA}},
    {{"lapack_{c,z}geev"},
     "(T[2,2], R[4], T[2], T[2,2], T[2,2], s32[])",
     {"s32[] 1", "s32[] 2", "u8[] 86", "u8[] 86", kA}},
    {{"lapack_{s,d}gees"},
     "(T[2,2], T[2], T[2], T[2,2], s32[], s32[])",
     {"s32[] 1", "s32[] 2", "u8[] 86", "u8[] 78", kA}},
    {{"lapack_{c,z}gees"},
     "(T[2,2], R[2], T[2], T[2,2], s32[], s32[])",
     {"s32[] 1", "s32[] 2", "u8[] 86", "u8[] 78", kA}},
    {{"lapack_{s,d,c,z}gehrd"},
     "(T[2,2], T[1], s32[], T[8])",
     {"s32[] 2", "s32[] 1", "s32[] 2", "s32[] 2", "s32[] 1", "s32[] 8", kA}},
    {{"lapack_{s,d}sytrd", "lapack_{c,z}hetrd"},
     "(T[2,2], R[2], R[1], T[1], s32[], T[8])",
     {"s32[] 2", "s32[] 1", "s32[] 2", "s32[] 1", "s32[] 8", kA}},
};

const std::string kRow = "f32[1,2] {{1, 2}}", kColumn = "f32[2,1] {{3}, {4}}", kNumbers = "f32[2] {1, 2}";
const std::string kSignal = "f32[1,3,1] {{{1}, {2}, {4}}}", kFilter = "f32[1,1,1] {{{1.5}}}";
const std::string kConvolved = R"({"conv_result_scale":1})", kWindow = ", window={size=1}, dim_labels=b0f_0io->b0f";
const std::string kOneQuery = "f32[1,1,1,1] {{{{0.5}}}}", kTwoKeys = "f32[1,1,2,1] {{{{1}, {2}}}}";
const std::string kBias = "f32[1,1,1,2] {{{{0, 1}}}}", kForward = "(f32[1,1,1,1], f32[1,1,1], u8[0])";
const std::string kBefore = ", called_computations={before}";

std::string DotNumbers(std::string_view name, int lhs, int rhs) {
  return fmt::format(R"("bmm{}_dot_dimension_numbers":{{"lhs_contracting_dimensions":["{}"],)"
                     R"("rhs_contracting_dimensions":["{}"],"lhs_batch_dimensions":["0","1"],)"
                     R"("rhs_batch_dimensions":["0","1"]}},)",
                     name, lhs, rhs);
}
const std::string kAttention = fmt::format(R"({{{}{}"fmha_scale":1}})", DotNumbers("1", 3, 3), DotNumbers("2", 3, 2));
const std::string kGradients =
    fmt::format(R"({{{}{}{}{}"fmha_scale":1}})", DotNumbers("1_grad_gemm1", 2, 2), DotNumbers("1_grad_gemm2", 3, 2),
                DotNumbers("2_grad_gemm1", 2, 2), DotNumbers("2_grad_gemm2", 3, 3));

// All others, of one element type.
const std::vector<Row> kOtherRows = {
    {{"__op$block_scaled_dot"},
     "f32[1,1]",
     {"f8e4m3fn[1,2] {{1, 2}}", "f8e4m3fn[1,2] {{1, 1}}", "f8e8m0fnu[1,1] {{2}}", "f8e8m0fnu[1,1] {{1}}"}},
    {{"check.expect_eq", "check.expect_close", "check.expect_almost_eq", "check.eq"}, "()", {kNumbers, kNumbers}},
    {{"interpreter.infeed"}, "()", {kNumbers}},
    {{"interpreter.probe"}, "f32[2]", {kNumbers}, R"({probe_id = "p"})", kTyped},
    {{"PadToStatic"}, "(f32[2], s32[])", {kNumbers}},
    {{"SliceToDynamic"}, "f32[<=2]", {kNumbers, "s32[] 1"}},
    {{"X64SplitLow", "X64SplitHigh"}, "u32[1]", {"u64[1] {4294967298}"}},
    {{"X64Combine"}, "s64[1]", {"u32[1] {2}", "u32[1] {1}"}},
    {{"{cu,hip,oneapi}_threefry2x32{_ffi,}"},
     "(u32[1], u32[1])",
     {"u32[1] {0}", "u32[1] {0}", "u32[1] {0}", "u32[1] {0}"}},
    {{"{cu,hip,oneapi}_lu_pivots_to_permutation"}, "s32[3]", {"s32[2] {2, 2}"}},
    {{"AllocateBuffer"}, "f32[2]", {}},
    {{"GetRngSeed"}, "u64[]", {}},
    {{"dce_sink"}, "()", {kNumbers}},
    {{"__cudnn$fmhaSoftmax{,Dropout}"}, kForward, {kOneQuery, kTwoKeys, kTwoKeys}, kAttention},
    {{"__cudnn$fmhaScaleBiasSoftmax{,Dropout}"}, kForward, {kOneQuery, kTwoKeys, kTwoKeys, kBias}, kAttention},
    {{"__cudnn$fmhaSoftmax{,Dropout}Backward"},
     "(f32[1,1,1,1], f32[1,1,2,1], f32[1,1,2,1], u8[0])",
     {kOneQuery, kTwoKeys, kTwoKeys, "f32[1,1,1] {{{1.5}}}", kOneQuery, kOneQuery},
     kGradients},
    {{"__cudnn$fmhaScaleBiasSoftmax{,Dropout}Backward"},
     "(f32[1,1,1,1], f32[1,1,2,1], f32[1,1,2,1], f32[1,1,1,2], u8[0])",
     {kOneQuery, kTwoKeys, kTwoKeys, "f32[1,1,1] {{{1.5}}}", kOneQuery, kBias, kOneQuery},
     kGradients},
    {{"__cudnn$convForward", "__cudnn$convBackwardInput"},
     "(f32[1,3,1], u8[1])",
     {kSignal, kFilter},
     kConvolved,
     kWindow},
    {{"__cudnn$convBackwardFilter"}, "(f32[1,1,1], u8[1])", {kSignal, kSignal}, kConvolved, kWindow},
    {{"__cudnn$convBiasActivationForward"},
     "(f32[1,3,1], u8[1])",
     {kSignal, kFilter, "f32[1] {-2}"},
     kConvolved,
     kWindow},
    {{"__cudnn$convForwardGraph"},
     "(f32[1,3,1], u8[1])",
     {kSignal, kFilter},
     R"({"serialized_graph":"1:[f32]conv();"})",
     kWindow},
    {{"__cudnn$norm"},
     "(f32[1,2], f32[1,1], f32[1,1], u8[0])",
     {kRow, kRow, kRow},
     R"({"kind":"LAYER_FWD_TRAIN","epsilon":1})"},
    {{"__cublas$gemm", "__cublas$lt$matmul"}, "f32[1,1]", {kRow, kColumn}, Gemm(R"("alpha_real":1)")},
    {{"__cublas$lt$matmul$f8"},
     "f32[1,1]",
     {"f8e4m3fn[1,1] {{2}}", "f8e4m3fn[1,1] {{4}}", "f32[] 0.5", "f32[] 3"},
     Gemm(R"("alpha_real":1)")},
    {{"__cublas$triangularSolve"},
     "f32[1,1]",
     {"f32[1,1] {{2}}", "f32[1,1] {{4}}"},
     R"({"left_side":true,"lower":true,"transpose_a":"NO_TRANSPOSE"})"},
    {{"__cusolver$cholesky"}, "(f32[1,1], f32[8], s32[])", {"f32[1,1] {{4}}"}, R"({"lower":true})"},
    {{"__onednn$matmul"}, "f32[1,1]", {kRow, kColumn}, R"({"onednn_matmul_config":{}})"},
    {{"__onednn$convolution"},
     "f32[1,3,1]",
     {kSignal, kFilter},
     R"({"onednn_conv_config":{"dims":"3","input":{"data":{"batch_dim":"0","feature_dim":"2","spatial_dims":["1"]}},)"
     R"("kernel":{"filter":{"input_feature_dim":"1","output_feature_dim":"2","spatial_dims":["0"]}},)"
     R"("output":{"data":{"batch_dim":"0","feature_dim":"2","spatial_dims":["1"]}},)"
     R"("window":{"size":["1"],"pad_left":["0"],"pad_right":["0"],"strides":["1"],"window_dilations":["1"]},)"
     R"("feature_groups":"1"}})"},
    {{"__onednn$softmax"}, "f32[2]", {kNumbers}, R"({"softmax_axis":0})"},
    {{"__onednn$layernorm"},
     "f32[1,2]",
     {kRow, kNumbers, kNumbers},
     R"({"onednn_layer_norm_config":{"rescale":"SCALE_AND_SHIFT","epsilon_typecast":1065353216}})"},
    {{"__cub$DeviceRadixSort{,UnassignedScratchSize}"}, "(f32[2], u8[1])", {kNumbers}, R"({"descending":true})"},
    {{"TopK", "__gpu$TopK"}, "(f32[1], s32[1])", {kNumbers}},
    {{"ApproxTopK"},
     "f32[1]",
     {kNumbers, "f32[] -inf"},
     "{aggregate_to_topk = true, reduction_dim = 0 : i64}",
     kBefore + kTyped},
    {{"PartialReduce"}, "f32[1]", {kNumbers, "f32[] -inf"}, R"({"reduction_dim":0})", kBefore},
    {{"Sharding", "xla.sdy.FuncResultSharding", "xla.sdy.PropagationBarrier", "annotate_device_placement",
      "LayoutConstraint", "MoveToDevice", "MoveToHost", "SPMDFullToShardShape", "SPMDShardToFullShape",
      "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape"},
     "f32[2]",
     {kNumbers}},
};

std::vector<PrimitiveType> TypesOfRow(std::string_view name) {
  for (const std::string_view prefix : {"lapack_", "blas_"}) {
    if (!name.starts_with(prefix)) continue;
    const char letter = name[prefix.size()];
    return {letter == 's' ? F32 : letter == 'd' ? F64 : letter == 'c' ? C64 : C128};
  }
  if (name.ends_with("_real") || name.ends_with("cholesky_update_ffi")) return {F32, F64};
  if (name.ends_with("_comp")) return {C64, C128};
  return {F32, F64, C64, C128};
}

// Writes the types of a row in place of T, R, C and W.
std::string WithTypes(const std::string& text, PrimitiveType type) {
  const PrimitiveType real = ComplexComponentType(type);
  std::string written;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_type = i + 1 < text.size() && text[i + 1] == '[';
    const std::size_t letter = is_type ? std::string_view("TRCW").find(text[i]) : std::string_view::npos;
    if (letter == std::string_view::npos) {
      written += text[i];
    } else if (letter < 3) {
      written += PrimitiveTypeName(std::vector{type, real, real == F32 ? C64 : C128}[letter]);
    } else {
      written += PrimitiveTypeName(type);
      if (!IsComplexType(type)) written += fmt::format("[2], {}", PrimitiveTypeName(type));
    }
  }
  return written;
}

std::map<std::string, Row> RowsByName() {
  std::map<std::string, Row> rows;
  const auto add = [&](const Row& row, const std::string& attributes) {
    for (const std::string& name : NamesOf({.names = row.names, .meaning = ""})) {
      rows[name] = row;
      rows[name].attributes += attributes;
      if (!attributes.empty() && row.config.empty()) rows[name].config = "{}";
    }
  };
  for (const Row& row : kTypedRows) add(row, kTyped);
  for (const std::vector<Row>* table : {&kUntypedRows, &kOtherRows}) {
    for (const Row& row : *table) add(row, "");
  }
  return rows;
}

constexpr std::string_view kModule = R"(HloModule m
before { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT greater = pred[] compare(a, b), direction=GT }
ENTRY e {
)";

void CheckRow(const std::string& name, const Row& row, PrimitiveType type) {
  CAPTURE(name, PrimitiveTypeName(type));
  std::vector<Literal> operands;
  std::string text = std::string(kModule), names;
  for (const std::string& written : row.operands) {
    const bool has_type = written.starts_with("T[");
    const Literal value = Value(has_type ? "f64" + written.substr(1) : written);
    operands.push_back(has_type ? Converted(value, type) : value);
    text += fmt::format("  a{} = {} parameter({})\n", operands.size(), operands.back().shape().ToString(),
                        operands.size() - 1);
    names += fmt::format("{}a{}", operands.size() == 1 ? "" : ", ", operands.size());
  }
  text += fmt::format("  ROOT r = {} custom-call({}), custom_call_target=\"{}\"{}{}\n}}\n", WithTypes(row.result, type),
                      names, name, row.attributes, row.config.empty() ? "" : ", backend_config=" + row.config);
  CAPTURE(text);
  const std::unique_ptr<HloModule> module = Parsed(text);
  const Literal value = Evaluated(*module, operands);
  const Judgement judgement = JudgeInstruction(*module->entry->root, operands, value, value, XlaProfile());
  CAPTURE(judgement.reason);
  CHECK(judgement.verdict != Verdict::kFail);
}

// True if the call's text has an element type in a place of T, R, C or W.
bool HasTypes(const Row& row) { return WithTypes(row.result, F32) != row.result; }

TEST_CASE("a small call of every name of every target", "[lapack]") {
  std::map<std::string, Row> rows = RowsByName();
  for (const CustomCallTarget* target : AllCustomCallTargets()) {
    for (const std::string& name : NamesOf(*target)) {
      // Two are not called: those without a meaning here, and the check of a probe, which needs the probe before it.
      if (target->evaluate == nullptr || name == "check.expect_serialized_eq") continue;
      CAPTURE(name);
      REQUIRE(rows.contains(name));
      const Row& row = rows[name];
      const auto types = HasTypes(row) ? TypesOfRow(name) : std::vector{F32};
      for (const PrimitiveType type : types) CheckRow(name, row, type);
      rows.erase(name);
    }
  }
  for (const auto& [name, row] : rows) FAIL_CHECK("no target has the name " << name);
}

}  // namespace
}  // namespace assay::testing
