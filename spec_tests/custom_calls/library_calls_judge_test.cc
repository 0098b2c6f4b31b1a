// The allowed errors of a backend in the library calls of XLA's optimized modules.
#include <cmath>

#include "spec_tests/custom_calls/library_call.h"

namespace assay::testing {
namespace {

// Judges the result with component `at` of element `i` increased.
Verdict WithError(const JudgedCall& call, std::size_t i, std::size_t at, float by) {
  return call.Changed(i, at, [by](float x) { return x + by; }).verdict;
}

TEST_CASE("the bound of a product is that of its sum and one rounding more") {
  // 1 + 1: (n + 2) u sum|terms| + 2 u |value| = 4 u 2 + 4 u = 12 u, three steps of 4 u = 2^-22 from 2 on.
  const JudgedCall judged({"__cublas$lt$matmul",
                           "(f32[1,1], s8[4])",
                           {"f32[1,2] {{1, 1}}", "f32[2,1] {{1}, {1}}"},
                           Gemm(R"("alpha_real":1)")});
  CHECK(WithError(judged, 0, 0, 3 * 0x1p-22f) == Verdict::kLegal);
  CHECK(WithError(judged, 0, 0, 4 * 0x1p-22f) == Verdict::kFail);
  CHECK(WithError(judged, 0, 0, NAN) == Verdict::kFail);
}

TEST_CASE("scratch memory is not compared") {
  const JudgedCall judged({"__cublas$lt$matmul",
                           "(f32[1,1], s8[4])",
                           {"f32[1,2] {{1, 1}}", "f32[2,1] {{1}, {1}}"},
                           Gemm(R"("alpha_real":1)")});
  Literal got = judged.want();
  got.mutable_elements()[1].mutable_values<std::int8_t>()[2] = 17;
  CHECK(judged.Of(got).verdict == Verdict::kLegal);
}

TEST_CASE("integer products, sorted keys and sizes are exact") {
  JudgedCall({"__cublas$gemm", "s32[1,1]", {"s8[1,1] {{3}}", "s8[1,1] {{5}}"}, Gemm(R"("alpha_real":1)")})
      .Expect("EXACT {{15}}; FAIL {{16}}");
  JudgedCall({"__cub$DeviceRadixSort", "(s32[2], u8[2])", {"s32[2] {2, 1}"}, R"({"descending":false})"})
      .Expect("LEGAL ({1, 2}, {7, 7}); FAIL ({2, 1}, {0, 0})");
}

TEST_CASE("attention, softmax and layer normalization: some roundings, not many") {
  const JudgedCall attention(Attention(R"("mask_type":"NO_MASK")"));
  CHECK(WithError(attention, 0, 0, 4 * 0x1p-22f) == Verdict::kLegal);
  CHECK(WithError(attention, 0, 0, 0x1p-12f) == Verdict::kFail);
  CHECK(WithError(attention, 1, 0, 0x1p-10f) == Verdict::kFail);
  const JudgedCall softmax({"__onednn$softmax", "f32[2]", {"f32[2] {1, 2}"}, R"({"softmax_axis":0})"});
  CHECK(WithError(softmax, 0, 0, 0x1p-23f) == Verdict::kLegal);
  CHECK(WithError(softmax, 0, 0, 0x1p-15f) == Verdict::kFail);
  const JudgedCall norm({"__cudnn$norm",
                         "(f32[1,2], f32[1,1], f32[1,1], u8[0])",
                         {"f32[1,2] {{1, 3}}", "f32[1,2] {{2, 4}}", "f32[1,2] {{10, 20}}"},
                         R"({"kind":"LAYER_FWD_TRAIN","epsilon":0})"});
  CHECK(WithError(norm, 0, 0, 0x1p-20f) == Verdict::kLegal);
  CHECK(WithError(norm, 0, 0, 0x1p-12f) == Verdict::kFail);
  CHECK(WithError(norm, 1, 0, 0x1p-12f) == Verdict::kFail);
  CHECK(WithError(norm, 2, 0, 0x1p-12f) == Verdict::kFail);
}

// The variance of 499 and 501 is 1. With u = 2^-24, the mean is off by up to m = 5 u 500, the variance by up to 10 u
// (250001 + 250000) + (2 (500 + 500) + m) m = 0.596. So the result lies below 1 / sqrt(1 - 0.596) = 1.573. The slope of
// 1 / sqrt at 1 or at 1 - 0.596, or e / (2 v sqrt(v - e)), would give 1.298, 2.16 or 1.469.
TEST_CASE("a reciprocal deviation errs as far as the variance does") {
  const JudgedCall norm({"__cudnn$norm",
                         "(f32[1,2], f32[1,1], f32[1,1], u8[0])",
                         {"f32[1,2] {{499, 501}}", "f32[1,2] {{1, 1}}", "f32[1,2] {{0, 0}}"},
                         R"({"kind":"LAYER_FWD_TRAIN","epsilon":0})"});
  CHECK(WithError(norm, 2, 0, 0.57F) == Verdict::kLegal);
  CHECK(WithError(norm, 2, 0, 0.58F) == Verdict::kFail);
}

constexpr std::string_view kMatrix = "f32[2,2] {{1, 2}, {3, 5}}", kOther = "f32[2,2] {{0.5, -1}, {2, 0.25}}";
constexpr std::string_view kLine = "f32[1,3,1] {{{1}, {2}, {4}}}", kKernel = "f32[1,1,1] {{{1.5}}}";
constexpr std::string_view kScaled = R"({"conv_result_scale":1,"activation_mode":"kTanh"})";
constexpr std::string_view kLabels = ", window={size=1}, dim_labels=b0f_0io->b0f";
constexpr std::string_view kKeys = "f32[1,1,2,1] {{{{1}, {2}}}}", kQuery = "f32[1,1,1,1] {{{{0.5}}}}";

std::string Backward() {
  const auto numbers = [](std::string_view name, int lhs, int rhs) {
    return fmt::format(R"("bmm{}_dot_dimension_numbers":{{"lhs_contracting_dimensions":["{}"],)"
                       R"("rhs_contracting_dimensions":["{}"],"lhs_batch_dimensions":["0","1"],)"
                       R"("rhs_batch_dimensions":["0","1"]}})",
                       name, lhs, rhs);
  };
  return fmt::format(R"({{"fmha_scale":1,{},{},{},{}}})", numbers("1_grad_gemm1", 2, 2), numbers("1_grad_gemm2", 3, 2),
                     numbers("2_grad_gemm1", 2, 2), numbers("2_grad_gemm2", 3, 3));
}

TEST_CASE("every judge of a library call accepts a neighboring result and refuses a distant one") {
  const std::string conv(kScaled), labels(kLabels);
  const Call calls[] = {
      {"__cublas$lt$matmul",
       "(f32[2,2], f32[2,2], s8[1])",
       {kMatrix, kOther},
       Gemm(R"("alpha_real":1,"epilogue":"GELU_AUX")")},
      {"__cublas$lt$matmul",
       "(c64[1,1], s8[1])",
       {"c64[1,1] {{(1, 2)}}", "c64[1,1] {{(3, -1)}}"},
       Gemm(R"("alpha_real":0,"alpha_imag":1)")},
      {"__cublas$lt$matmul$f8",
       "(f32[1,1], f32[], s8[1])",
       {"f8e4m3fn[1,1] {{2}}", "f8e4m3fn[1,1] {{4}}", "f32[] 0.5", "f32[] 3"},
       Gemm(R"("alpha_real":1,"damax_output":true)")},
      {"__cudnn$convForward", "(f32[1,3,1], u8[1])", {kLine, kKernel}, conv, labels},
      {"__cudnn$convBackwardInput", "(f32[1,3,1], u8[1])", {kLine, kKernel}, conv, labels},
      {"__cudnn$convBackwardFilter", "(f32[1,1,1], u8[1])", {kLine, kLine}, conv, labels},
      {"__cudnn$convBiasActivationForward", "(f32[1,3,1], u8[1])", {kLine, kKernel, "f32[1] {-2}"}, conv, labels},
      {"__cudnn$convForwardGraph",
       "(f32[1,3,1], f32[], u8[1])",
       {kLine, kKernel, "f32[] 3", "f32[] 2"},
       R"({"serialized_graph":"1:[f32]conv();2:[f32]scale(1);3:[f32]invscale(2);4:[f32]amax(2);"})",
       labels},
      {"__cudnn$norm",
       "(f32[2,2], f32[1,2], f32[1,2], u8[1])",
       {kMatrix, "f32[1,2] {{2, 4}}", kOther, "f32[2,1] {{1.5}, {4}}", "f32[2,1] {{2}, {1}}"},
       R"({"kind":"LAYER_BWD"})"},
      {"__cudnn$fmhaSoftmaxBackward",
       "(f32[1,1,1,1], f32[1,1,2,1], f32[1,1,2,1], u8[1])",
       {kQuery, kKeys, "f32[1,1,2,1] {{{{2}, {6}}}}", "f32[1,1,1] {{{1.5}}}", "f32[1,1,1,1] {{{{1}}}}",
        "f32[1,1,1,1] {{{{4}}}}"},
       Backward()},
      {"__onednn$matmul", "f32[2,2]", {kMatrix, kOther}, R"({"onednn_matmul_config":{"fusions":{"ops":["SWISH"]}}})"},
      {"__onednn$layernorm",
       "f32[2,2]",
       {kMatrix, "f32[2] {2, 4}", "f32[2] {1, 0}"},
       R"({"onednn_layer_norm_config":{"rescale":"SCALE_AND_SHIFT","epsilon_typecast":1065353216}})"},
      {"__op$block_scaled_dot",
       "f32[1,1]",
       {"f8e4m3fn[1,2] {{1, 2}}", "f8e4m3fn[1,2] {{1, 1}}", "f8e8m0fnu[1,1] {{2}}", "f8e8m0fnu[1,1] {{1}}"}},
      {"__cublas$triangularSolve",
       "(f32[2,2], s8[1])",
       {kMatrix, kOther},
       R"({"left_side":true,"lower":true,"transpose_a":"NO_TRANSPOSE"})"},
      {"__cusolver$cholesky", "(f32[2,2], f32[1], s32[])", {"f32[2,2] {{4, 2}, {2, 5}}"}, R"({"lower":true})"},
  };
  for (const Call& call : calls) {
    CAPTURE(call.target);
    const JudgedCall judged(call);
    const std::vector<Literal> leaves =
        judged.want().shape().IsTuple() ? judged.want().elements() : std::vector<Literal>{judged.want()};
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const bool is_scratch = call.target == "__cusolver$cholesky" && i == 1;
      if ((leaves[i].element_type() != F32 && leaves[i].element_type() != C64) || is_scratch) continue;
      CAPTURE(i);
      CHECK(judged.Changed(i, 0, [](float x) { return std::nextafter(x, INFINITY); }).verdict == Verdict::kLegal);
      CHECK(WithError(judged, i, 0, 0.25f) == Verdict::kFail);
    }
  }
}

}  // namespace
}  // namespace assay::testing
