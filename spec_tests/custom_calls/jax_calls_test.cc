// Values, worked out by hand, of the calls that JAX lowers linear algebra to on GPUs and TPUs, and their judges.
// LAPACK's form of most of them has tests of its own (lapack_judge_test.cc, lapack_test.py).
#include "spec_tests/custom_calls/library_call.h"

namespace assay::testing {
namespace {

const std::string kFfi = ", api_version=API_VERSION_TYPED_FFI";

TEST_CASE("LuDecomposition numbers pivots from 0 and gives the permutation", "[lapack]") {
  // The largest of column 0 is in row 2; below it 0 and 2 remain, so that rows 1 and 2 are exchanged next.
  const JudgedCall lu({"LuDecomposition", "(f32[3,2], s32[2], s32[3])", {"f32[3,2] {{2, 4}, {0, 0}, {4, 4}}"}});
  CHECK(lu.Gives(0, "f32[3,2] {{4, 4}, {0.5, 2}, {0, 0}}"));
  CHECK(lu.Gives(1, "s32[2] {2, 2}"));
  CHECK(lu.Gives(2, "s32[3] {2, 0, 1}"));
  lu.Expect(
      "EXACT ({{4, 4}, {0.5, 2}, {0, 0}}, {2, 2}, {2, 0, 1}); FAIL ({{4, 4}, {0.5, 2}, {0, 0}}, {2, 2}, {2, 1, 0}); "
      "FAIL ({{4, 4}, {0.5, 2}, {0, 0}}, {3, 3}, {2, 0, 1})");
}

TEST_CASE("pivots of no row are skipped") {
  const JudgedCall order({"cu_lu_pivots_to_permutation", "s32[2]", {"s32[2] {1, 2}"}});
  CHECK(order.Gives(0, "s32[2] {1, 0}"));
}

TEST_CASE("Jacobi's method gives V, the others V^H", "[lapack]") {
  // (1) 2 (i, 0) = A: the first row of V^H is (i, 0), the first column of V its conjugate.
  const std::vector<std::string_view> a = {"c64[1,2] {{(0, 2), (0, 0)}}"};
  const std::string result = "(c64[1,2], f32[1], c64[1,1], c64[2,2], s32[])";
  const auto with = [&](std::string_view first) {
    return fmt::format(
        "{} ({{{{(0, 2), (0, 0)}}}}, {{2}}, {{{{(1, 0)}}}}, "
        "{{{{{}, (0, 0)}}, {{(0, 0), (1, 0)}}}}, 0)",
        result, first);
  };
  for (const std::string_view routine : {"cusolver_gesvdj_ffi", "hipsolver_gesvdp_ffi"}) {
    CAPTURE(routine);
    const JudgedCall svd({std::string(routine), result, a, "{compute_uv = true, full_matrices = true}", kFfi});
    CHECK(svd.Is(with("(0, -1)")) == Verdict::kLegal);
    CHECK(svd.Is(with("(0, 1)")) == Verdict::kFail);
  }
  const JudgedCall svd(
      {"hipsolver_gesdd_ffi", result, a, "{compute_uv = true, full_matrices = true, transposed = false}", kFfi});
  CHECK(svd.Is(with("(0, 1)")) == Verdict::kLegal);
  CHECK(svd.Is(with("(0, -1)")) == Verdict::kFail);
}

TEST_CASE("the polar decomposition of a nearly singular matrix is open", "[lapack]") {
  const std::string result = "(f32[2,2], f32[2], f32[2,2], f32[2,2], s32[])";
  for (const std::string_view routine : {"cusolver_gesvdj_ffi", "cusolver_gesvdp_ffi"}) {
    CAPTURE(routine);
    const JudgedCall svd({std::string(routine),
                          result,
                          {"f32[2,2] {{1, 0}, {0, 0}}"},
                          "{compute_uv = true, full_matrices = true}",
                          kFfi});
    const Verdict perturbed = svd.Is(result + " ({{1, 0}, {0, 0}}, {1, 0.001}, {{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}, 0)");
    CHECK(perturbed == (routine.ends_with("gesvdp_ffi") ? Verdict::kSpecGap : Verdict::kFail));
  }
}

TEST_CASE("a transposed gesvd gives V^H before U", "[lapack]") {
  JudgedCall({"cusolver_gesvd_ffi",
              "(f32[1,2], f32[1], f32[1,2], f32[1,1], s32[])",
              {"f32[1,2] {{3, 4}}"},
              "{compute_uv = true, full_matrices = false, transposed = true}",
              kFfi})
      .Expect("LEGAL ({{0, 0}}, {5}, {{0.6, 0.8}}, {{1}}, 0); FAIL ({{0, 0}}, {5}, {{0.6, 0.8}}, {{-1}}, 0)");
}

TEST_CASE("singular vectors that are not computed have a place, but mean nothing", "[lapack]") {
  const std::vector<std::string_view> a = {"f32[1,2] {{3, 4}}"};
  const JudgedCall values({"cusolver_gesvd_ffi", "(f32[1,2], f32[1], f32[], f32[], s32[])", a,
                           "{compute_uv = false, full_matrices = false, transposed = true}", kFfi});
  CHECK(values.Gives(1, "f32[1] {5}"));
  values.Expect("LEGAL ({{1, 1}}, {5}, 7, 7, 0); FAIL ({{1, 1}}, {4}, 7, 7, 0)");
  JudgedCall({"cusolver_gesvdj_ffi", "(f32[1,2], f32[1], f32[1,1], f32[2,1], s32[])", a,
              "{compute_uv = false, full_matrices = false}", kFfi})
      .Expect("LEGAL ({{1, 1}}, {5}, {{7}}, {{7}, {7}}, 0)");
}

TEST_CASE("cuSOLVER packs the eigenvectors of a pair", "[lapack]") {
  // A (1, i) = i (1, i).
  const std::string result = "(f32[2,2], c64[2], f32[2,2], f32[2,2], s32[])";
  const JudgedCall eigen(
      {"cusolver_geev_ffi", result, {"f32[2,2] {{0, 1}, {-1, 0}}"}, "{left = false, right = true}", kFfi});
  const auto with = [&](double imaginary) {
    return fmt::format(
        "{} ({{{{0, 0}}, {{0, 0}}}}, {{(0, 1), (0, -1)}}, {{{{0, 0}}, {{0, 0}}}}, "
        "{{{{0.70710678, 0}}, {{0, {}}}}}, 0)",
        result, imaginary);
  };
  CHECK(eigen.Is(with(0.70710678)) == Verdict::kLegal);
  CHECK(eigen.Is(with(-0.70710678)) == Verdict::kFail);
  CHECK(eigen.want().elements()[3].values<float>()[0] != 0);
}

TEST_CASE("only LAPACK keeps the other triangle of a tridiagonal reduction", "[lapack]") {
  const std::string result = "(f32[2,2], f32[2], f32[1], f32[1], s32[])";
  const std::string changed = result + " ({{1, 7}, {0, 1}}, {1, 1}, {0}, {0}, 0)";
  const std::vector<std::string_view> a = {"f32[2,2] {{1, 0}, {0, 1}}"};
  CHECK(JudgedCall({"cusolver_sytrd_ffi", result, a, "{lower = true}", kFfi}).Is(changed) == Verdict::kLegal);
  CHECK(JudgedCall({"cusolver_sytrd_ffi", result, a, "{lower = false}", kFfi}).Is(changed) == Verdict::kFail);
  CHECK(JudgedCall({"lapack_ssytrd_ffi", result, a, "{uplo = 76 : ui8}", kFfi}).Is(changed) == Verdict::kFail);
}

TEST_CASE("Eigh: the order and the tolerance of its configuration", "[lapack]") {
  const auto eigen = [](std::string config) {
    return JudgedCall({"Eigh", "(f32[2,2], f32[2])", {"f32[2,2] {{2, 9}, {0, 1}}"}, std::move(config)});
  };
  const std::string_view descending = "(f32[2,2], f32[2]) ({{1, 0}, {0, 1}}, {2, 1})";
  CHECK(eigen(R"("1,1,100,1e-6")").Gives(1, "f32[2] {1, 2}"));
  CHECK(eigen(R"("1,1,100,1e-6")").Is(descending) == Verdict::kFail);
  CHECK(eigen(R"("1,0,100,1e-6")").Is(descending) == Verdict::kLegal);
  // 60 ulps of the norm 2 are 1.4e-5, and the tolerance adds 2 times 2 times as much as it is.
  const std::string_view off = "(f32[2,2], f32[2]) ({{0, 1}, {1, 0}}, {1, 2.0001})";
  CHECK(eigen(R"("1,1,100,1e-6")").Is(off) == Verdict::kFail);
  CHECK(eigen(R"("1,1,100,1e-4")").Is(off) == Verdict::kLegal);
  CHECK(WhyNot(Text({"Eigh", "(f32[1,1], f32[1])", {"f32[1,1] {{2}}"}, R"("1,1,100")"}), Values({"f32[1,1] {{2}}"}))
            .message ==
        "custom-call: Eigh: backend_config must be four numbers, lower,ascends,iterations,tolerance, "
        "found 1,1,100");
}

TEST_CASE("cuSPARSE's solution of a tridiagonal system", "[lapack]") {
  const std::string_view sides = "f32[3,1] {{3}, {4}, {3}}", ones = "f32[3] {1, 1, 1}";
  const JudgedCall solve({"cusparse_gtsv2_ffi", "f32[3,1]", {ones, "f32[3] {2, 2, 2}", ones, sides}, "{}", kFfi});
  CHECK(solve.Gives(0, "f32[3,1] {{1}, {1}, {1}}"));
  solve.Expect("FAIL {{1}, {1.001}, {1}}");
  const std::string_view zeros = "f32[3] {0, 0, 0}";
  JudgedCall({"cusparse_gtsv2_ffi", "f32[3,1]", {zeros, zeros, zeros, sides}, "{}", kFfi})
      .Expect("SPEC-GAP {{1}, {2}, {3}}");
}

TEST_CASE("updates of a Cholesky factor and of a symmetric matrix", "[lapack]") {
  // 3^2 + 4^2 = 5^2; the second row is not touched.
  const JudgedCall factor(
      {"cu_cholesky_update_ffi", "(f32[2,2], f32[2])", {"f32[2,2] {{3, 0}, {0, 3}}", "f32[2] {4, 0}"}, "{}", kFfi});
  CHECK(factor.Gives(0, "f32[2,2] {{5, 0}, {0, 3}}"));
  factor.Expect(
      "LEGAL ({{5, 0}, {0, 3}}, {7, 7}); FAIL ({{-5, 0}, {0, 3}}, {0, 0}); FAIL ({{5, 0.01}, {0, 3}}, {0, 0})");
  const auto update = [](std::string_view a, std::string config) {
    return JudgedCall({"cusolver_syrk_ffi",
                       "f32[2,2]",
                       {a, "f32[2,2] {{10, 77}, {20, 30}}", "f32[] 2", "f32[] 1"},
                       std::move(config),
                       kFfi});
  };
  const JudgedCall product = update("f32[2,1] {{1}, {2}}", "{transpose = false}");
  CHECK(product.Gives(0, "f32[2,2] {{12, 77}, {24, 38}}"));
  product.Expect("LEGAL {{12, 24}, {24, 38}}; FAIL {{12, 77}, {24.01, 38}}");
  CHECK(update("f32[1,2] {{1, 2}}", "{transpose = true}").Gives(0, "f32[2,2] {{12, 77}, {24, 38}}"));
}

JudgedCall Selection(std::string_view target, std::string_view config) {
  return JudgedCall(fmt::format(R"(HloModule m
before {{ a = f32[] parameter(0)  b = f32[] parameter(1)  i = s32[] parameter(2)  j = s32[] parameter(3)
  ROOT less = pred[] compare(a, b), direction=GT }}
ENTRY e {{ x = f32[1,5] parameter(0)  i = s32[1,5] parameter(1)  x0 = f32[] parameter(2)  i0 = s32[] parameter(3)
  ROOT k = (f32[1,2], s32[1,2]) custom-call(x, i, x0, i0), called_computations={{before}},
    custom_call_target="{}", backend_config={}{}
}}
)",
                                target, config, target == "ApproxTopK" ? kFfi : ""),
                    {"f32[1,5] {{1, 5, 3, 2, 5}}", "s32[1,5] {{0, 1, 2, 3, 4}}", "f32[] -inf", "s32[] -1"});
}

TEST_CASE("an approximate selection may lack any element but the first") {
  const std::string type = "(f32[1,2], s32[1,2]) ";
  const JudgedCall top =
      Selection("ApproxTopK", "{aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 2 : i64}");
  const JudgedCall part = Selection("PartialReduce", R"({"log2_reduction": 1, "reduction_dim": 1, "top_k": 2})");
  for (const JudgedCall* judged : {&top, &part}) {
    CHECK(judged->Gives(0, "f32[1,2] {{5, 5}}"));
    CHECK(judged->Gives(1, "s32[1,2] {{1, 4}}"));
    CHECK(judged->Is(type + "({{5, 2}}, {{1, 3}})") == Verdict::kLegal);
    CHECK(judged->Is(type + "({{5, -inf}}, {{4, -1}})") == Verdict::kLegal);
    CHECK(judged->Is(type + "({{3, 2}}, {{2, 3}})") == Verdict::kFail);  // the first is not there
    CHECK(judged->Is(type + "({{5, 2}}, {{1, 2}})") == Verdict::kFail);  // not the index of 2
    CHECK(judged->Is(type + "({{5, 5}}, {{1, 1}})") == Verdict::kFail);  // one element twice
  }
  top.Expect("FAIL ({{2, 5}}, {{3, 1}})");
  part.Expect("LEGAL ({{2, 5}}, {{3, 1}})");
}

}  // namespace
}  // namespace assay::testing
