// The library calls of XLA's optimized modules: values worked out by hand, and errors of calls. Whole modules are in
// spec_tests/models/optimized_test.py.
#include <algorithm>

#include "interpreter/hlo/custom_call_target.h"
#include "spec_tests/custom_calls/library_call.h"

namespace assay::testing {
namespace {

Literal ValueOf(const Call& call) { return Evaluated(Text(call), Values(call.operands)); }
// True if these are the first results. The scratch memory after them is not part of the value.
bool Gives(const Call& call, const std::vector<std::string_view>& wanted) {
  const Literal value = ValueOf(call);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Literal& result = value.shape().IsTuple() ? value.elements()[i] : value;
    if (!result.BitwiseEqual(Value(wanted[i]))) return false;
  }
  return true;
}
std::string ErrorOf(const Call& call) { return WhyNot(Text(call), Values(call.operands)).message; }

// --- values ---

TEST_CASE("cuBLAS: alpha A B + beta C") {
  const Call call = {"__cublas$gemm",
                     "(f32[1,1], s8[16])",
                     {"f32[1,2] {{1, 2}}", "f32[2,1] {{3}, {4}}", "f32[1,1] {{5}}"},
                     Gemm(R"("alpha_real":2,"alpha_imag":0,"beta":3)")};
  CHECK(Gives(call, {"f32[1,1] {{37}}"}));
}

TEST_CASE("cuBLASLt: the bias is added to every row, before the activation") {
  const std::vector<std::string_view> operands = {"f32[2,1] {{1}, {-1}}", "f32[1,2] {{2, -3}}", "f32[2] {1, 1}"};
  const auto with = [&](std::string_view epilogue, std::string result) {
    return Call{"__cublas$lt$matmul", std::move(result), operands,
                Gemm(fmt::format(R"("alpha_real":1,"epilogue":"{}")", epilogue))};
  };
  CHECK(Gives(with("BIAS", "(f32[2,2], s8[0])"), {"f32[2,2] {{3, -2}, {-1, 4}}"}));
  CHECK(Gives(with("BIAS_RELU", "f32[2,2]"), {"f32[2,2] {{3, 0}, {0, 4}}"}));
  // gelu(3) = 1.5 (1 + tanh(0.797884561 (3 + 0.044715 27))), and so on.
  const Literal gelu = ValueOf(with("BIAS_GELU_AUX", "(f32[2,2], f32[2,2], s8[0])"));
  CHECK(gelu.elements()[1].BitwiseEqual(Value("f32[2,2] {{3, -2}, {-1, 4}}")));
  CHECK(gelu.elements()[0].values<float>()[0] == 2.9963627f);
  CHECK(gelu.elements()[0].values<float>()[2] == -0.15880801f);
}

TEST_CASE("cuBLASLt: f8 results are scaled and do not overflow") {
  const Call call = {"__cublas$lt$matmul$f8",
                     "(f8e4m3fn[1,1], f32[], s8[0])",
                     {"f8e4m3fn[1,1] {{2}}", "f8e4m3fn[1,1] {{4}}", "f32[] 0.5", "f32[] 3", "f32[] 100"},
                     Gemm(R"("alpha_real":1,"damax_output":true)")};
  CHECK(Gives(call, {"f8e4m3fn[1,1] {{448}}", "f32[] 12"}));  // 2 0.5 4 3, times 100
}

TEST_CASE("cuDNN: a scaled convolution with bias, side input and activation") {
  const Call call = {"__cudnn$convBiasActivationForward",
                     "(f32[1,2,1], u8[0])",
                     {"f32[1,2,1] {{{2}, {-3}}}", "f32[1,1,1] {{{4}}}", "f32[1] {1}", "f32[1,2,1] {{{10}, {1}}}"},
                     R"({"cudnn_conv_backend_config":{"conv_result_scale":0.5,"side_input_scale":2,)"
                     R"("activation_mode":"kLeakyRelu","leakyrelu_alpha":0.25}})",
                     ", window={size=1}, dim_labels=b0f_0io->b0f"};
  CHECK(Gives(call, {"f32[1,2,1] {{{25}, {-0.75}}}"}));  // 4 + 20 + 1, 0.25 (-6 + 2 + 1)
}

TEST_CASE("cuDNN: gradients of a grouped convolution") {
  // Two groups of one feature each: the kernel's numbers 2 and 3, input (1, 10), gradients (5, 7).
  const std::string config = R"({"conv_result_scale":1})";
  const std::string attributes = ", window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2";
  CHECK(Gives({"__cudnn$convBackwardInput",
               "(f32[1,1,2], u8[0])",
               {"f32[1,1,2] {{{5, 7}}}", "f32[1,1,2] {{{2, 3}}}"},
               config,
               attributes},
              {"f32[1,1,2] {{{10, 21}}}"}));
  CHECK(Gives({"__cudnn$convBackwardFilter",
               "(f32[1,1,2], u8[0])",
               {"f32[1,1,2] {{{1, 10}}}", "f32[1,1,2] {{{5, 7}}}"},
               config,
               attributes},
              {"f32[1,1,2] {{{5, 70}}}"}));
}

TEST_CASE("cuDNN: layer normalization, its statistics and gradients") {
  const std::string_view x = "f32[1,2] {{1, 3}}", scale = "f32[1,2] {{2, 4}}";
  CHECK(Gives({"__cudnn$norm",
               "(f32[1,2], f32[1,1], f32[1,1], u8[0])",
               {x, scale, "f32[1,2] {{10, 20}}"},
               R"({"kind":"LAYER_FWD_TRAIN","epsilon":0})"},
              {"f32[1,2] {{8, 24}}", "f32[1,1] {{2}}", "f32[1,1] {{1}}"}));
  // Normalized (-1, 1); the gradient (1, 1) times the scale is (2, 4), less its mean 3, less (-1, 1) times 1.
  CHECK(Gives({"__cudnn$norm",
               "(f32[1,2], f32[1,2], f32[1,2], u8[0])",
               {x, scale, "f32[1,2] {{1, 1}}", "f32[1,1] {{2}}", "f32[1,1] {{1}}"},
               R"({"kind":"LAYER_BWD"})"},
              {"f32[1,2] {{0, 0}}", "f32[1,2] {{-1, 1}}", "f32[1,2] {{1, 1}}"}));
}

TEST_CASE("cuDNN: attention of equal scores is the mean, of the keys that the mask leaves") {
  CHECK(Gives(Attention(R"("mask_type":"NO_MASK")"), {"f32[1,1,1,1] {{{{4}}}}", "f32[1,1,1] {{{0.693147182}}}"}));
  CHECK(Gives(Attention(R"("mask_type":"CAUSAL")"), {"f32[1,1,1,1] {{{{2}}}}", "f32[1,1,1] {{{0}}}"}));
  CHECK(Gives(Attention(R"("mask_type":"PADDING")", {"s32[1] {1}", "s32[1] {1}"}), {"f32[1,1,1,1] {{{{2}}}}"}));
  CHECK(Gives(Attention(R"("mask_type":"PADDING")", {"s32[1] {0}", "s32[1] {1}"}), {"f32[1,1,1,1] {{{{0}}}}"}));
}

TEST_CASE("oneDNN: transposed matrices and fusions in their order") {
  const Call call = {"__onednn$matmul",
                     "f32[1,1]",
                     {"f32[2,1] {{1}, {2}}", "f32[1,2] {{3, 4}}", "f32[1] {-1}"},
                     R"({"onednn_matmul_config":{"transpose_a":true,"transpose_b":true,)"
                     R"("fusions":{"ops":["LINEAR","BIAS"],"alpha":[2]}}})"};
  CHECK(Gives(call, {"f32[1,1] {{21}}"}));
}

TEST_CASE("oneDNN: a bias of size 1 in a dimension is repeated along it") {
  const Call call = {"__onednn$matmul",
                     "f32[2,2]",
                     {"f32[2,1] {{1}, {2}}", "f32[1,2] {{3, 4}}", "f32[2,1] {{10}, {20}}"},
                     R"({"onednn_matmul_config":{"fusions":{"ops":["BINARY_ADD"]}}})"};
  CHECK(Gives(call, {"f32[2,2] {{13, 14}, {26, 28}}"}));
}

TEST_CASE("CUB: a stable sort to which zeros are equal, NaN at the ends") {
  const std::vector<std::string_view> operands = {"f32[6] {1, 0, -0.0, nan, -nan, -1}", "s32[6] {0, 1, 2, 3, 4, 5}"};
  const std::string result = "(f32[6], s32[6], u8[1])";
  CHECK(Gives({"__cub$DeviceRadixSort", result, operands, R"({"descending":false})"},
              {"f32[6] {-nan, -1, 0, -0.0, 1, nan}", "s32[6] {4, 5, 1, 2, 0, 3}"}));
  CHECK(Gives({"__cub$DeviceRadixSort", result, operands, R"({"descending":true})"},
              {"f32[6] {nan, 1, 0, -0.0, -1, -nan}", "s32[6] {3, 0, 1, 2, 5, 4}"}));
}

TEST_CASE("library calls take arrays without elements") {
  CHECK(Gives({"__cublas$lt$matmul",
               "(f32[0,1], f32[])",
               {"f32[0,1] {}", "f32[1,1] {{2}}"},
               Gemm(R"("alpha_real":1,"epilogue":"RELU","damax_output":true)")},
              {"f32[0,1] {}", "f32[] 0"}));
  CHECK(Gives({"__onednn$softmax", "f32[0]", {"f32[0] {}"}, R"({"softmax_axis":0})"}, {"f32[0] {}"}));
  CHECK(Gives({"__cub$DeviceRadixSort", "(f32[0], u8[0])", {"f32[0] {}"}, R"({"descending":false})"}, {"f32[0] {}"}));
}

TEST_CASE("block-scaled dot: each operand times the scales of its blocks") {
  const Call call = {"__op$block_scaled_dot",
                     "f32[1,1]",
                     {"f8e4m3fn[1,4] {{1, 2, 3, 4}}", "f8e4m3fn[1,4] {{1, 1, 1, 1}}", "f8e8m0fnu[1,2] {{2, 4}}",
                      "f8e8m0fnu[1,2] {{1, 8}}", "f32[] 0.5"}};
  CHECK(Gives(call, {"f32[1,1] {{115}}"}));  // (2 (1 + 2) + 4 8 (3 + 4)) / 2
}

TEST_CASE("run-time sizes become operands and back") {
  const std::string text = R"(HloModule m
ENTRY e { x = f32[4] parameter(0)  n = s32[] parameter(1)
  d = f32[<=4] custom-call(x, n), custom_call_target="SliceToDynamic"
  ROOT p = (f32[4], s32[]) custom-call(d), custom_call_target="PadToStatic" }
)";
  const Literal value = Evaluated(text, Values({"f32[4] {1, 2, 3, 4}", "s32[] 3"}));
  CHECK(value.elements()[0].BitwiseEqual(Value("f32[4] {1, 2, 3, 0}")));
  CHECK(value.elements()[1].BitwiseEqual(Value("s32[] 3")));
  CHECK(WhyNot(text, Values({"f32[4] {1, 2, 3, 4}", "s32[] 5"})).message ==
        "custom-call: SliceToDynamic: the size of dimension 0 is 5, which its bound 4 does not allow");
}

TEST_CASE("targets of ROCm mean the same as those of CUDA") {
  int found = 0;
  for (const CustomCallTarget* target : AllCustomCallTargets()) {
    const std::vector<std::string> names = NamesOf(*target);
    for (const std::string& name : names) {
      if (!name.starts_with("cu")) continue;
      const std::string rocm = fmt::format("hip{}", name.substr(2));
      INFO(rocm);
      CHECK(std::ranges::find(names, rocm) != names.end());
      ++found;
    }
  }
  CHECK(found >= 19);
}

TEST_CASE("targets of compilers' own return their halves, words and permutations") {
  CHECK(Gives({"X64SplitLow", "u32[1]", {"u64[1] {4294967298}"}}, {"u32[1] {2}"}));
  CHECK(Gives({"X64SplitHigh", "u32[1]", {"u64[1] {4294967298}"}}, {"u32[1] {1}"}));
  CHECK(Gives({"X64Combine", "s64[1]", {"u32[1] {2}", "u32[1] {1}"}}, {"s64[1] {4294967298}"}));
  // The paper's first test vector: key and counter zero.
  CHECK(Gives({"cu_threefry2x32_ffi", "(u32[1], u32[1])", {"u32[1] {0}", "u32[1] {0}", "u32[1] {0}", "u32[1] {0}"}},
              {"u32[1] {1797259609}", "u32[1] {2579123966}"}));
  CHECK(Gives({"cu_lu_pivots_to_permutation", "s32[4]", {"s32[3] {2, 2, 2}"}}, {"s32[4] {2, 0, 1, 3}"}));
  CHECK(Gives({"hip_lu_pivots_to_permutation", "s32[4]", {"s32[3] {2, 2, 2}"}}, {"s32[4] {2, 0, 1, 3}"}));
  CHECK(ValueOf({"dce_sink", "()", {"f32[2] {1, 2}"}}).elements().empty());
  CHECK(ErrorOf({"dce_sink", "f32[2]", {"f32[2] {1, 2}"}}) ==
        "custom-call: dce_sink: the result must be (), found f32[2]");
}

TEST_CASE("cuSOLVER's targets are LAPACK's with a flag for the triangle") {
  const std::vector<std::string_view> operands = {"f32[2,2] {{4, 9}, {2, 5}}"};
  const std::string typed = ", api_version=API_VERSION_TYPED_FFI", result = "(f32[2,2], s32[])";
  CHECK(Gives({"cusolver_potrf_ffi", result, operands, "{lower = true}", typed},
              {"f32[2,2] {{2, 9}, {1, 2}}", "s32[] 0"}));
  CHECK(Gives({"__cublas$triangularSolve",
               "(f32[2,1], s8[0])",
               {"f32[2,2] {{2, 9}, {1, 4}}", "f32[2,1] {{6}, {11}}"},
               R"({"left_side":true,"lower":true,"transpose_a":"NO_TRANSPOSE"})"},
              {"f32[2,1] {{3}, {2}}"}));
  CHECK(Gives({"__cusolver$cholesky", "(f32[2,2], f32[8], s32[])", {"f32[2,2] {{4, 2}, {2, 5}}"}, R"({"lower":true})"},
              {"f32[2,2] {{2, 0}, {1, 2}}"}));
}

// --- what is wrong with a call ---

struct Wrong {
  Call call;
  std::string_view message;  // behind "custom-call: "
};

TEST_CASE("a call that does not fit its target is an error that names it") {
  const std::vector<std::string_view> matrices = {"f32[1,2] {{1, 1}}", "f32[2,1] {{1}, {1}}"};
  const std::string plain = R"("alpha_real":1)";
  const Wrong cases[] = {
      {{"__cublas$gemm", "f32[1,1]", matrices}, "__cublas$gemm: backend_config must be a JSON object, found none"},
      {{"__cublas$gemm", "f32[1,1]", matrices, R"({"gemm_backend_config":{"alpha_real":1}})"},
       "__cublas$gemm: backend_config must have dot_dimension_numbers"},
      {{"__cublas$gemm", "f32[1,1]", matrices, Gemm(R"("beta":0)")},
       "__cublas$gemm: backend_config must have alpha_real"},
      {{"__cublas$gemm", "f32[1,1]", matrices, Gemm(R"("alpha_real":"one")")},
       R"(__cublas$gemm: backend_config: alpha_real must be a number, found "one")"},
      {{"__cublas$gemm", "f32[1,2]", matrices, Gemm(plain)},
       "__cublas$gemm: the result must have the dimensions of f32[1,1], found f32[1,2]"},
      {{"__cublas$gemm", "f32[1,1]", matrices, Gemm(R"("alpha_real":1,"beta":1)")},
       "__cublas$gemm: the number of operands must be 3, found 2"},
      {{"__cublas$gemm", "f32[1,1]", matrices, Gemm(R"("alpha_real":1,"alpha_imag":1)")},
       "__cublas$gemm: an imaginary factor needs a complex result, found f32"},
      {{"__cublas$gemm", "f32[1,1]", matrices, Gemm(R"("alpha_real":1,"epilogue":"RELU")")},
       "__cublas$gemm: backend_config: epilogue must be DEFAULT, found RELU"},
      {{"__cublas$gemm", "f32[2,2]", matrices, Gemm(plain, R"("0"],"rhs_contracting_dimensions":["0")")},
       "__cublas$gemm: as dot: contracting dimensions must have equal sizes, found dimension 0 of f32[1,2] and "
       "dimension 0 of f32[2,1]"},
      {{"__cublas$lt$matmul", "(f32[1,1], f32[4])", matrices, Gemm(plain)},
       "__cublas$lt$matmul: the result must be (f32[1,1]), with or without scratch memory, found (f32[1,1], f32[4])"},
      {{"__cublas$lt$matmul",
        "f32[1,1]",
        {matrices[0], matrices[1], "f32[2] {1, 1}"},
        Gemm(R"("alpha_real":1,"epilogue":"BIAS")")},
       "__cublas$lt$matmul: operand 2 must fit the result f32[1,1], found f32[2]"},
      {{"__cudnn$convForward",
        "f32[1,2,1]",
        {"f32[1,2,1] {{{1}, {1}}}", "f32[1,1,1] {{{1}}}"},
        R"({"conv_result_scale":1})"},
       "__cudnn$convForward: dim_labels and window must be written"},
      {{"__cudnn$convForward",
        "f32[1,2,1]",
        {"f32[1,2,1] {{{1}, {1}}}", "f32[1,1,1] {{{1}}}"},
        R"({"conv_result_scale":1,"activation_mode":"kReluX"})",
        ", window={size=1}, dim_labels=b0f_0io->b0f"},
       "__cudnn$convForward: activation_mode kReluX is not evaluated: nothing says its bounds"},
      {{"__cudnn$convBiasActivationForward",
        "f32[1,2,1]",
        {"f32[1,2,1] {{{1}, {1}}}", "f32[1,1,1] {{{1}}}"},
        R"({"conv_result_scale":1})"},
       "__cudnn$convBiasActivationForward: the number of operands must be at least 3, found 2"},
      {{"__cudnn$convForwardGraph",
        "f32[1,2,1]",
        {"f32[1,2,1] {{{1}, {1}}}", "f32[1,1,1] {{{1}}}"},
        R"({"serialized_graph":"1:[f32]conv();2:[f32]tanh(1);"})",
        ", window={size=1}, dim_labels=b0f_0io->b0f"},
       "__cudnn$convForwardGraph: operation tanh of serialized_graph is not evaluated"},
      {Attention(R"("mask_type":"NO_MASK","dropout_rate":0.5)"),
       "__cudnn$fmhaSoftmax: which weights cuDNN drops is not documented"},
      {Attention(R"("mask_type":"PADDING")"), "__cudnn$fmhaSoftmax: the number of operands must be 5, found 3"},
      {{"__onednn$matmul", "f32[1,1]", matrices, R"({"onednn_matmul_config":{"fusions":{"ops":["BIAS"]}}})"},
       "__onednn$matmul: BIAS has no operand 2"},
      {{"__onednn$matmul", "f32[1,1]", matrices,
        R"({"onednn_matmul_config":{"optimization_config":{"weights_prepacked":true}}})"},
       "__onednn$matmul: the order of prepacked weights is oneDNN's own"},
      {{"__onednn$softmax", "f32[2]", {"f32[2] {1, 2}"}, R"({"softmax_axis":1})"},
       "__onednn$softmax: backend_config: softmax_axis must be in [0, 1), found 1"},
      {{"TopK", "(f32[3], s32[3])", {"f32[2] {1, 2}"}},
       "TopK: as topk: k must be in [0, 2], the size of the last dimension, found 3"},
      {{"X64SplitLow", "u32[1]", {"f64[1] {1}"}}, "X64SplitLow: only s64 and u64 have halves that are known"},
      {{"__gpu$xla.gpu.triton", "f32[1,1]", matrices},
       "__gpu$xla.gpu.triton: its backend_config is the code of a kernel, not its meaning"},
      {{"__cudnn$convReorderFilter", "s8[2]", {"s8[2] {1, 2}"}},
       "__cudnn$convReorderFilter: the order into which the library brings a filter is its own"},
  };
  for (const Wrong& wrong : cases) {
    CAPTURE(wrong.message);
    CHECK(ErrorOf(wrong.call) == fmt::format("custom-call: {}", wrong.message));
  }
}

}  // namespace
}  // namespace assay::testing
