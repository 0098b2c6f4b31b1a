// Factors and solutions are judged by their residuals, worked out by hand. The threshold is 30 n ulp of the norm; an
// ulp of f32 is 2^-23.
#include "spec_tests/acceptance/judged.h"

namespace assay::testing {
namespace {

Judged Cholesky(const std::string& type, std::string_view a) {
  return Judged(Entry("a = " + type + "[2,2] parameter(0)\nROOT r = " + type + "[2,2] cholesky(a), lower=true"), {a});
}

TEST_CASE("a Cholesky factor is judged by its product", "[acceptance]") {
  // L = {{2, 0}, {1, 2}}, |A| = 7: the product may be off by 30 * 2 * 7 ulp, and L22 by a quarter of these 420.
  const Judged factor = Cholesky("f32", "f32[2,2] {{4, 2}, {2, 5}}");
  REQUIRE(factor.want().BitwiseEqual(Value("f32[2,2] {{2, 0}, {1, 2}}")));
  factor.Expect(
      "LEGAL at 3 2+104ulp; FAIL at 3 2+106ulp; LEGAL at 3 2-104ulp; FAIL at 3 2-107ulp; ieee LEGAL at 3 2+104ulp; "
      "exact FAIL at 3 2+104ulp; FAIL at 3 nan");
  // The specification leaves the other triangle open.
  factor.Expect("LEGAL at 1 9");
  // These have the same product with their adjoint.
  factor.Expect("FAIL {{-2, 0}, {-1, 2}}; FAIL {{2, 0}, {1, -2}}");
  const Judged complex = Cholesky("c64", "c64[2,2] {{(4, 0), (2, 0)}, {(2, 0), (5, 0)}}");
  complex.Expect("FAIL {{(0, 2), (0, 0)}, {(0, 1), (2, 0)}}");
  // The imaginary part of L22 times L22 may be 420 ulp: that of x conj(x) is a rounding error with a fused
  // multiply-add.
  complex.Expect(
      "LEGAL {{(2, 0), (0, 0)}, {(1, 0), (2, 0.0000249)}}; FAIL {{(2, 0), (0, 0)}, {(1, 0), (2, 0.0000251)}}; FAIL "
      "{{(2, 0), (0, 0)}, {(1, 0), (-2, 0)}}");
}

// Found by fuzzing XLA:CPU: the result of a branch on a matrix that is not positive definite is unspecified.
TEST_CASE("a result that is SPEC-GAP in a branch is SPEC-GAP after the conditional", "[acceptance]") {
  Judged(R"(a { p = f32[2,2] parameter(0)  ROOT c = f32[2,2] cholesky(p) }
b { ROOT p = f32[2,2] parameter(0) }
ENTRY e { ROOT r = f32[2,2] conditional(t, x, x), true_computation=a, false_computation=b })",
         {"t = pred[] true", "x = f32[2,2] {{1, 1}, {1, 1}}"})
      .Expect("WEAK {{1, 0}, {1, 0}}");
}

TEST_CASE("a Cholesky factor of a matrix that is nearly singular may be far from the exact one", "[acceptance]") {
  // L22 = 2^-10, and 30 * 2 ulp of |A| = 2 are 1.43e-5: L22 may be anything up to 0.0039.
  const Judged factor = Cholesky("f32", "f32[2,2] {{1, 1}, {1, 1.00000095367431640625}}");
  REQUIRE(factor.want().values<float>()[3] == 0x1p-10f);
  factor.Expect("LEGAL at 3 0.0038; FAIL at 3 0.0040");
  // Rounding errors may make it indefinite.
  factor.Expect("SPEC-GAP at 3 nan");
}

TEST_CASE("matrices of narrow types are judged by the bound of the algorithm", "[acceptance]") {
  // bf16 has an ulp of 2^-7: (2 + 1) ulp of | |L| |L^H| | = 7 are 0.164; L22 = 2 has steps of 2^-6.
  Cholesky("bf16", "bf16[2,2] {{4, 2}, {2, 5}}").Expect("LEGAL {{2, 0}, {1, 2.03125}}; FAIL {{2, 0}, {1, 2.046875}}");
}

Judged Solution(std::string_view a, std::string_view b) {
  return Judged(R"(a = f32[2,2] parameter(0)  b = f32[2,1] parameter(1)
  ROOT r = f32[2,1] triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE)",
                {a, b});
}

TEST_CASE("the solution of a triangular system is judged by its residual", "[acceptance]") {
  // x = (1, 2), |A| = 3: 30 * 2 * 3 sqrt(5) ulp = 402.5 ulp for the residual, of which x2 makes twice its error.
  const Judged solution = Solution("f32[2,2] {{2, 7}, {1, 2}}", "f32[2,1] {{2}, {5}}");
  REQUIRE(solution.want().BitwiseEqual(Value("f32[2,1] {{1}, {2}}")));
  solution.Expect(
      "LEGAL at 1 2+200ulp; FAIL at 1 2+202ulp; LEGAL at 1 2-201ulp; FAIL at 1 2-202ulp; FAIL at 1 nan; exact FAIL at "
      "1 2+200ulp");
}

// The first solution is -24 / -0.0625 = 384, for which the type has 28; the second system is singular, and its 0 or -0.
TEST_CASE("a solution that saturates is lawful beside one that differs", "[acceptance]") {
  Judged("ROOT r = f6e3m2fn[2,1,1] triangular-solve(a, b), left_side=true, transpose_a=NO_TRANSPOSE",
         {"a = f6e3m2fn[2,1,1] {{{x21}},{{x00}}}", "b = f6e3m2fn[2,1,1] {{{x3e}},{{x00}}}"})
      .Expect("SPEC-GAP {{{28}},{{0}}}");
}

TEST_CASE("a triangular system that cancels may be far from its solution", "[acceptance]") {
  // 2^-12 x2 = 1 - 1: the residual may be 30 * 2 ulp of |A| |x| = 2, 1.43e-5, and x2 2^12 of that, 0.0586.
  const Judged solution = Solution("f32[2,2] {{1, 0}, {1, 0.000244140625}}", "f32[2,1] {{1}, {1}}");
  REQUIRE(solution.want().values<float>()[1] == 0);
  solution.Expect("LEGAL at 1 0.058; FAIL at 1 0.059");
}

TEST_CASE("the solution of a singular system is SPEC-GAP", "[acceptance]") {
  Solution("f32[2,2] {{0, 0}, {1, 1}}", "f32[2,1] {{1}, {1}}").Expect("SPEC-GAP at 0 7");
}

}  // namespace
}  // namespace assay::testing
