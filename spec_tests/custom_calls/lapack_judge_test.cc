// The acceptance of LAPACK's routines: for each property a result just inside and one just outside of the threshold of
// the test ratio, worked out by hand. An ulp is 2^-23 in f32. A matrix of order 2 and norm 1 has the threshold (30 * 2
// ulps) = (60 * 2^-23). The tiny number that the ratio adds for subnormal products is far below that.
#include <cmath>

#include "spec_tests/custom_calls/library_call.h"

namespace assay::testing {
namespace {

constexpr float kUlp = 0x1p-23f;
constexpr float kInside = 59 * kUlp;
constexpr float kOutside = 61 * kUlp;

class Routine : public JudgedCall {
 public:
  Routine(const std::string& target, const std::string& result, const std::vector<std::string_view>& operands,
          const std::string& config)
      : JudgedCall({target, result, operands, config, ", api_version=API_VERSION_TYPED_FFI"}) {}

  // Checks that the result is LEGAL with component `at` of element `i` off by kInside, and lacks the property with it
  // off by kOutside.
  void CheckThreshold(std::size_t i, std::size_t at, const std::string& property, float norm = 1) const {
    CAPTURE(i, at, property);
    const auto off = [&](float by) { return Changed(i, at, [by](float x) { return x + by; }); };
    CHECK(off(kInside * norm).verdict == Verdict::kLegal);
    CHECK(off(kInside * norm).reason == "approximation");
    CHECK(off(kOutside * norm).verdict == Verdict::kFail);
    CHECK(off(kOutside * norm).reason == "the result does not have the property " + property);
    CHECK(off(NAN).verdict == Verdict::kFail);
    CHECK(off(INFINITY).verdict == Verdict::kFail);
  }
};

constexpr std::string_view kIdentity = "f32[2,2] {{1, 0}, {0, 1}}";
constexpr std::string_view kNan = "f32[2,2] {{nan, 0}, {0, 1}}";

// --- Cholesky ---

Routine Cholesky(std::string_view a) { return {"lapack_spotrf_ffi", "(f32[2,2], s32[])", {a}, "{uplo = 76 : ui8}"}; }

TEST_CASE("a Cholesky factor", "[lapack]") {
  const Routine identity = Cholesky(kIdentity);
  CHECK(identity.want().BitwiseEqual(Value("(f32[2,2], s32[]) ({{1, 0}, {0, 1}}, 0)")));
  // The product has l off the diagonal twice, and 1 + l^2 on it.
  identity.CheckThreshold(0, 2, "L L^H = A");
  // An element of the other triangle that differs is not part of the factor.
  CHECK(identity.Of("(f32[2,2], s32[]) ({{1, 1e-9}, {0, 1}}, 0)").reason ==
        "the result does not have the property the other triangle is the operand's");
  identity.Expect("FAIL ({{1, 0}, {0, -1}}, 0); FAIL ({{1, 0}, {0, 1}}, 1)");
}

TEST_CASE("a Cholesky factorization that fails", "[lapack]") {
  const Routine indefinite = Cholesky("f32[2,2] {{1, 2}, {2, 1}}");
  CHECK(indefinite.want().BitwiseEqual(Value("(f32[2,2], s32[]) ({{1, 2}, {2, 1}}, 2)")));
  indefinite.Expect("SPEC-GAP ({{1, 2}, {2, -3}}, 2); FAIL ({{1, 2}, {2, -3}}, 1); FAIL ({{1, 2}, {2, 0}}, 0)");
  // Singular: whether the last pivot is positive is up to rounding errors.
  const Routine singular = Cholesky("f32[2,2] {{1, 1}, {1, 1}}");
  CHECK(singular.want().elements()[1].IntegerAt(0) == 2);
  singular.Expect("SPEC-GAP ({{1, 1}, {1, 1e-4}}, 0)");
  Cholesky(kNan).Expect("SPEC-GAP ({{nan, 0}, {nan, nan}}, 1)");
}

// --- Triangular systems ---

TEST_CASE("a triangular system", "[lapack]") {
  const Routine solve("lapack_strsm_ffi", "f32[2,1]", {kIdentity, "f32[2,1] {{1}, {0}}"},
                      "{diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}");
  CHECK(solve.want().BitwiseEqual(Value("f32[2,1] {{1}, {0}}")));
  solve.CheckThreshold(0, 1, "op(A) X = B");
  const Routine singular("lapack_strsm_ffi", "f32[2,1]", {"f32[2,2] {{1, 0}, {0, 0}}", "f32[2,1] {{1}, {1}}"},
                         "{diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}");
  CHECK(singular.want().BitwiseEqual(Value("f32[2,1] {{1}, {inf}}")));
  singular.Expect("SPEC-GAP {{1}, {nan}}");
}

// --- LU ---

Routine Lu(std::string_view a) { return {"lapack_sgetrf_ffi", "(f32[2,2], s32[2], s32[])", {a}, "{}"}; }

TEST_CASE("an LU factorization", "[lapack]") {
  const Routine identity = Lu(kIdentity);
  CHECK(identity.want().BitwiseEqual(Value("(f32[2,2], s32[2], s32[]) ({{1, 0}, {0, 1}}, {1, 2}, 0)")));
  identity.CheckThreshold(0, 1, "P L U = A");
  identity.CheckThreshold(0, 2, "P L U = A");
  // Exchanging the rows of {{1, 1}, {1, 2}} also takes a largest pivot: L = {{1, 0}, {1, 1}} both times.
  const Routine tie = Lu("f32[2,2] {{1, 1}, {1, 2}}");
  CHECK(tie.want().BitwiseEqual(Value("(f32[2,2], s32[2], s32[]) ({{1, 1}, {1, 1}}, {1, 2}, 0)")));
  tie.Expect(
      "LEGAL ({{1, 2}, {1, -1}}, {2, 2}, 0); FAIL ({{1, 2}, {1, -1}}, {1, 2}, 0); FAIL ({{1, 2}, {1, -1}}, {3, 2}, 0)");
  // {{1, 0}, {2, 1}} without an exchange: the element of L is larger than its pivot.
  CHECK(Lu("f32[2,2] {{1, 0}, {2, 1}}").Of("(f32[2,2], s32[2], s32[]) ({{1, 0}, {2, 1}}, {1, 2}, 0)").reason ==
        "the result does not have the property no element of L is larger than its pivot");
}

TEST_CASE("the LU factorization of a singular matrix", "[lapack]") {
  const Routine singular = Lu("f32[2,2] {{0, 0}, {0, 1}}");
  CHECK(singular.want().BitwiseEqual(Value("(f32[2,2], s32[2], s32[]) ({{0, 0}, {0, 1}}, {1, 2}, 1)")));
  singular.Expect("FAIL ({{0, 0}, {0, 1}}, {2, 2}, 1); FAIL ({{0, 0}, {0, 1}}, {1, 2}, 0)");
  Lu(kNan).Expect("SPEC-GAP ({{nan, 0}, {0, 1}}, {1, 2}, 0)");
}

// --- QR ---

TEST_CASE("a QR factorization", "[lapack]") {
  const Routine identity("lapack_sgeqrf_ffi", "(f32[2,2], f32[2])", {kIdentity}, "{}");
  CHECK(identity.want().BitwiseEqual(Value("(f32[2,2], f32[2]) ({{1, 0}, {0, 1}}, {0, 0})")));
  identity.CheckThreshold(0, 1, "Q R = A");
  // Q = diag(-1, 1) by a reflector of tau = 2: R has the other sign.
  identity.Expect("LEGAL ({{-1, 0}, {0, 1}}, {2, 0}); FAIL ({{1, 0}, {0, 1}}, {2, 0})");
  // tau = 2 is orthogonal with v = e_1 only: Q Q^H would be 5 with v = (1, 1) and tau = 2.
  identity.Expect("FAIL ({{-1, 0}, {1, 1}}, {2, 0})");
  // A factor Q that is 1 + x instead of 1, with R to match: Q^H Q = 1 + 2x + x^2.
  const Routine one("lapack_sgeqrf_ffi", "(f32[1,1], f32[1])", {"f32[1,1] {{1}}"}, "{}");
  CHECK(one.Is("(f32[1,1], f32[1]) ({{1}}, {-1.6689e-6})") == Verdict::kLegal);                  // 14 ulps
  const Judgement not_orthonormal = one.Of("(f32[1,1], f32[1]) ({{0.9999981}}, {-1.9073e-6})");  // 16 ulps
  CHECK(not_orthonormal.verdict == Verdict::kFail);
  CHECK(not_orthonormal.reason == "the result does not have the property Q^H Q = I");
}

TEST_CASE("factors out of the range of their type prove nothing", "[lapack]") {
  // The norm of the first column is 4.2e38.
  const Routine qr("lapack_sgeqrf_ffi", "(f32[2,2], f32[2])", {"f32[2,2] {{3e38, 0}, {3e38, 0}}"}, "{}");
  qr.Expect("WEAK ({{1, 0}, {0, 0}}, {1, 0})");
  const Routine q("lapack_sorgqr_ffi", "f32[2,2]", {"f32[2,2] {{1, 0}, {1e30, 0}}", "f32[1] {1}"}, "{}");
  q.Expect("WEAK {{0, -1e30}, {-1e30, -3e38}}");
}

TEST_CASE("a QR factorization with pivoting", "[lapack]") {
  const auto judged = [](std::string_view fixed) {
    return Routine("lapack_sgeqp3_ffi", "(f32[2,2], s32[2], f32[2])", {"f32[2,2] {{1, 0}, {0, 2}}", fixed}, "{}");
  };
  const Routine free = judged("s32[2] {0, 0}");
  CHECK(free.want().BitwiseEqual(Value("(f32[2,2], s32[2], f32[2]) ({{-0, -1}, {1, 0}}, {2, 1}, {1, 0})")) == false);
  CHECK(free.want().elements()[1].BitwiseEqual(Value("s32[2] {2, 1}")));
  // Without an exchange the smaller column comes first.
  CHECK(free.Of("(f32[2,2], s32[2], f32[2]) ({{1, 0}, {0, 2}}, {1, 2}, {0, 0})").reason ==
        "the result does not have the property the largest column is taken");
  free.Expect("FAIL ({{1, 0}, {0, 2}}, {1, 1}, {0, 0}); FAIL ({{1, 0}, {0, 2}}, {0, 2}, {0, 0})");
  // With column 1 fixed that is right.
  const Routine fixed = judged("s32[2] {1, 0}");
  CHECK(fixed.want().BitwiseEqual(Value("(f32[2,2], s32[2], f32[2]) ({{1, 0}, {0, 2}}, {1, 2}, {0, 0})")));
  fixed.Expect("FAIL ({{2, 0}, {0, 1}}, {2, 1}, {0, 0})");
}

TEST_CASE("products of reflectors", "[lapack]") {
  const Routine product("lapack_sorgqr_ffi", "f32[2,2]", {kIdentity, "f32[2] {0, 0}"}, "{}");
  CHECK(product.want().BitwiseEqual(Value(kIdentity)));
  product.CheckThreshold(0, 2, "Q, the product of the reflectors");
  const Routine multiplied("lapack_sormqr_ffi", "f32[2,2]", {"f32[2,1] {{1}, {0}}", "f32[1] {2}", kIdentity},
                           "{left = true, transpose = false}");
  CHECK(multiplied.want().BitwiseEqual(Value("f32[2,2] {{-1, 0}, {0, 1}}")));
  multiplied.CheckThreshold(0, 1, "the product with Q");
}

// --- Eigenvalues and singular values ---

TEST_CASE("the eigenvalues of a symmetric matrix", "[lapack]") {
  const std::string shape = "(f32[2,2], f32[2], s32[])";
  const Routine eigen("lapack_ssyevd_ffi", shape, {"f32[2,2] {{0, 1}, {1, 0}}"}, "{mode = 86 : ui8, uplo = 76 : ui8}");
  CHECK(eigen.want().elements()[1].BitwiseEqual(Value("f32[2] {-1, 1}")));
  // The signs are free, but the order is ascending.
  const std::string s = "0.70710677";
  CHECK(eigen.Is(shape + " ({{" + s + ", " + s + "}, {-" + s + ", " + s + "}}, {-1, 1}, 0)") <= Verdict::kLegal);
  CHECK(eigen.Is(shape + " ({{-" + s + ", " + s + "}, {" + s + ", " + s + "}}, {-1, 1}, 0)") <= Verdict::kLegal);
  CHECK(eigen.Is(shape + " ({{" + s + ", -" + s + "}, {" + s + ", " + s + "}}, {1, -1}, 0)") == Verdict::kFail);
  CHECK(eigen.Is(shape + " ({{" + s + ", " + s + "}, {-" + s + ", " + s + "}}, {-1, 1}, 1)") == Verdict::kFail);
  const Routine identity("lapack_ssyevd_ffi", shape, {kIdentity}, "{mode = 86 : ui8, uplo = 76 : ui8}");
  // Any orthonormal basis.
  identity.Expect("LEGAL ({{0.6, -0.8}, {0.8, 0.6}}, {1, 1}, 0); FAIL ({{0.6, 0.8}, {0.8, 0.6}}, {1, 1}, 0)");
  const Routine values("lapack_ssyevd_ffi", shape, {kIdentity}, "{mode = 78 : ui8, uplo = 76 : ui8}");
  values.CheckThreshold(1, 1, "eigenvalues");
  CHECK(values.Is(shape + " ({{7, 7}, {7, 7}}, {1, 1}, 0)") == Verdict::kLegal);  // vectors were not requested
}

TEST_CASE("singular values", "[lapack]") {
  const std::string shape = "(f32[2,2], f32[2], f32[2,2], f32[2,2], s32[])";
  const Routine svd("lapack_sgesdd_ffi", shape, {kIdentity}, "{mode = 65 : ui8}");
  svd.CheckThreshold(1, 0, "singular values");
  // U and V are rotated together; the place of the operand may have any contents.
  svd.Expect("LEGAL ({{9, 9}, {9, 9}}, {1, 1}, {{0.6, -0.8}, {0.8, 0.6}}, {{0.6, 0.8}, {-0.8, 0.6}}, 0)");
  CHECK(svd.Of(shape + " ({{0, 0}, {0, 0}}, {1, 1}, {{0.6, -0.8}, {0.8, 0.6}}, {{1, 0}, {0, 1}}, 0)").reason ==
        "the result does not have the property U S V^H = A");
  svd.Expect("FAIL ({{0, 0}, {0, 0}}, {1, -1}, {{1, 0}, {0, 1}}, {{1, 0}, {0, -1}}, 0)");
  // Two values, the smaller one first.
  const Routine two("lapack_sgesvd_ffi", shape, {"f32[2,2] {{1, 0}, {0, 2}}"}, "{mode = 65 : ui8}");
  CHECK(two.want().elements()[1].BitwiseEqual(Value("f32[2] {2, 1}")));
  two.Expect(
      "FAIL ({{0, 0}, {0, 0}}, {1, 2}, {{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}, 0); LEGAL ({{0, 0}, {0, 0}}, {2, 1}, {{0, "
      "1}, {1, 0}}, {{0, 1}, {1, 0}}, 0)");
}

TEST_CASE("general eigenvalues", "[lapack]") {
  const std::string shape = "(f32[2], f32[2], c64[2,2], c64[2,2], s32[])";
  // A rotation by 90 degrees: i and -i, with (1, -i) and (1, i) over sqrt(2).
  const Routine rotation("lapack_sgeev_ffi", shape, {"f32[2,2] {{0, -1}, {1, 0}}"},
                         "{compute_left = 78 : ui8, compute_right = 86 : ui8}");
  const std::string s = "0.70710677", none = "{{(0, 0), (0, 0)}, {(0, 0), (0, 0)}}";
  const auto with = [&](const std::string& values, const std::string& vectors) {
    return rotation.Of(shape + " (" + values + ", " + none + ", " + vectors + ", 0)");
  };
  const std::string right = "{{(S, 0), (S, 0)}, {(0, -S), (0, S)}}", negated = "{{(-S, 0), (S, 0)}, {(0, S), (0, S)}}",
                    turned = "{{(0, S), (S, 0)}, {(S, 0), (0, S)}}", longer = "{{(1, 0), (S, 0)}, {(0, -1), (0, S)}}",
                    swapped = "{{(S, 0), (S, 0)}, {(0, S), (0, -S)}}";
  const auto of = [&](std::string vectors) {
    for (std::size_t at = vectors.find('S'); at != std::string::npos; at = vectors.find('S')) vectors.replace(at, 1, s);
    return vectors;
  };
  CHECK(with("{0, 0}, {1, -1}", of(right)).verdict == Verdict::kLegal);
  CHECK(with("{0, 0}, {1, -1}", of(negated)).verdict == Verdict::kLegal);
  CHECK(with("{0, 0}, {1, -1}", of(swapped)).reason == "the result does not have the property A V = V W");
  CHECK(with("{0, 0}, {1, -1}", of(longer)).reason == "the result does not have the property eigenvectors have norm 1");
  CHECK(with("{0, 0}, {1, 1}", of(right)).verdict == Verdict::kFail);
  CHECK(with("{0, 0}, {-1, 1}", of(swapped)).verdict == Verdict::kLegal);
  CHECK(with("{0, 0}, {1, -1}", of(turned)).verdict == Verdict::kLegal);  // two largest elements, one of them is real
  const Routine values("lapack_sgeev_ffi", shape, {kIdentity}, "{compute_left = 78 : ui8, compute_right = 78 : ui8}");
  values.CheckThreshold(0, 0, "eigenvalues");
}

TEST_CASE("a Schur form", "[lapack]") {
  const std::string shape = "(f32[2,2], f32[2,2], f32[2], f32[2], s32[], s32[])";
  const Routine rotation("lapack_sgees_ffi", shape, {"f32[2,2] {{0, -1}, {1, 0}}"},
                         "{mode = 86 : ui8, sort = 78 : ui8}");
  const std::string identity = "{{1, 0}, {0, 1}}", exchange = "{{0, 1}, {1, 0}}";
  const auto with = [&](const std::string& form, const std::string& vectors, const std::string& values) {
    return rotation.Is(shape + " (" + form + ", " + vectors + ", " + values + ", 0, 0)");
  };
  CHECK(with("{{0, -1}, {1, 0}}", identity, "{0, 0}, {1, -1}") <= Verdict::kLegal);
  CHECK(with("{{0, 1}, {-1, 0}}", exchange, "{0, 0}, {1, -1}") <= Verdict::kLegal);
  CHECK(with("{{0, 1}, {-1, 0}}", identity, "{0, 0}, {1, -1}") == Verdict::kFail);
  CHECK(with("{{0, -1}, {1, 0}}", identity, "{0, 0}, {1, 1}") == Verdict::kFail);
  // The same matrix with a block that is not brought into its standard form: {{1, -2}, {1, -1}} has +-i too.
  const Routine skew("lapack_sgees_ffi", shape, {"f32[2,2] {{1, -2}, {1, -1}}"}, "{mode = 86 : ui8, sort = 78 : ui8}");
  CHECK(skew.Of(shape + " ({{1, -2}, {1, -1}}, " + identity + ", {0, 0}, {1, -1}, 0, 0)").reason ==
        "the result does not have the property blocks of T are standard");
  const Routine triangular("lapack_sgees_ffi", shape, {kIdentity}, "{mode = 86 : ui8, sort = 78 : ui8}");
  triangular.CheckThreshold(0, 1, "V T V^H = A");
}

// --- Reductions ---

TEST_CASE("a Hessenberg form", "[lapack]") {
  const Routine identity("lapack_sgehrd_ffi", "(f32[2,2], f32[1], s32[])", {kIdentity},
                         "{high = 2 : i32, low = 1 : i32}");
  CHECK(identity.want().BitwiseEqual(Value("(f32[2,2], f32[1], s32[]) ({{1, 0}, {0, 1}}, {0}, 0)")));
  identity.CheckThreshold(0, 1, "Q H Q^H = A");
  // Q = diag(1, -1).
  identity.Expect("LEGAL ({{1, 0}, {0, 1}}, {2}, 0); FAIL ({{1, 0}, {0, 1}}, {1}, 0)");
}

TEST_CASE("a tridiagonal form", "[lapack]") {
  const std::string shape = "(f32[2,2], f32[2], f32[1], f32[1], s32[])";
  const Routine identity("lapack_ssytrd_ffi", shape, {kIdentity}, "{uplo = 76 : ui8}");
  CHECK(identity.want().BitwiseEqual(Value(shape + " ({{1, 0}, {0, 1}}, {1, 1}, {0}, {0}, 0)")));
  CHECK(identity.Is(shape + " ({{1, 0}, {7.0e-6, 1}}, {1, 1}, {7.0e-6}, {0}, 0)") == Verdict::kLegal);  // 58.7 ulps
  CHECK(identity.Is(shape + " ({{1, 0}, {7.3e-6, 1}}, {1, 1}, {7.3e-6}, {0}, 0)") == Verdict::kFail);   // 61.2 ulps
  CHECK(identity.Is(shape + " ({{1, 0}, {0, 1}}, {1, 1}, {7.0e-6}, {0}, 0)") == Verdict::kFail);        // not in place
  CHECK(identity.Is(shape + " ({{1, 1}, {0, 1}}, {1, 1}, {0}, {0}, 0)") == Verdict::kFail);  // the other triangle
}

TEST_CASE("a tridiagonal system", "[lapack]") {
  const std::vector<std::string_view> operands = {"f32[2] {0, 0}", "f32[2] {1, 1}", "f32[2] {0, 0}",
                                                  "f32[2,1] {{1}, {0}}"};
  const std::string shape = "(f32[2], f32[2], f32[2], f32[2,1], s32[])";
  const Routine solve("lapack_sgtsv_ffi", shape, operands, "{}");
  solve.CheckThreshold(3, 1, "T X = B");
  solve.Expect("LEGAL ({5, 5}, {5, 5}, {5, 5}, {{1}, {0}}, 0); FAIL ({0, 0}, {1, 1}, {0, 0}, {{1}, {0}}, 1)");
  Routine("tridiagonal_solve_perturbed_ffi", "f32[2,1]", operands, "{}").CheckThreshold(0, 1, "T X = B");
  std::vector<std::string_view> zero = operands;
  zero[1] = "f32[2] {1, 0}";
  const Routine singular("lapack_sgtsv_ffi", shape, zero, "{}");
  CHECK(singular.want().elements()[4].IntegerAt(0) == 2);
  singular.Expect("SPEC-GAP ({0, 0}, {1, 0}, {0, 0}, {{1}, {nan}}, 2)");
}

TEST_CASE("without approximation only the reference's result is right", "[lapack]") {
  const Routine identity = Lu(kIdentity);
  CHECK(identity.Of(identity.want(), ExactProfile()).verdict == Verdict::kExact);
  CHECK(identity.Of(Value("(f32[2,2], s32[2], s32[]) ({{1, 1e-9}, {0, 1}}, {1, 2}, 0)"), ExactProfile()).verdict ==
        Verdict::kFail);
}

// --- What a routine refuses ---

Error Refusal(const std::string& target, const std::string& result, const std::vector<std::string>& operands,
              const std::string& config) {
  std::string text = "HloModule m\nENTRY e {\n", names;
  std::vector<Literal> values;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    text += fmt::format("  a{} = {} parameter({})\n", i, operands[i], i);
    names += fmt::format("{}a{}", i == 0 ? "" : ", ", i);
    values.emplace_back(
        Parsed("HloModule m\nENTRY e { ROOT a = " + operands[i] + " parameter(0) }")->entry->root->shape);
  }
  return WhyNot(text + fmt::format("  ROOT r = {} custom-call({}), custom_call_target=\"{}\", backend_config={}\n}}\n",
                                   result, names, target, config),
                std::move(values));
}

TEST_CASE("operands, results and attributes of a routine are checked", "[lapack]") {
  const auto message = [](const std::string& target, const std::string& result,
                          const std::vector<std::string>& operands, const std::string& config) {
    const Error error = Refusal(target, result, operands, config);
    CHECK(error.code == ErrorCode::kIllegal);
    const std::string prefix = "custom-call: " + target;
    REQUIRE(error.message.starts_with(prefix));
    return error.message.substr(prefix.size());
  };
  const std::string potrf = "lapack_spotrf_ffi", result = "(f32[2,2], s32[])", lower = "{uplo = 76 : ui8}";
  CHECK(message(potrf, result, {}, lower) == ": the number of operands must be 1, found 0");
  CHECK(message(potrf, result, {"f64[2,2]"}, lower) == ": operand 0 must be matrices of f32, found f64[2,2]");
  CHECK(message(potrf, result, {"f32[4]"}, lower) == ": operand 0 must be matrices of f32, found f32[4]");
  CHECK(message(potrf, result, {"f32[2,<=2]"}, lower) == ": operand 0 must have a fixed size, found f32[2,<=2]");
  CHECK(message(potrf, "(f32[2,<=2], s32[])", {"f32[2,2]"}, lower) ==
        ": the result must be (f32[2,2], s32[]), found (f32[2,<=2], s32[])");
  CHECK(message(potrf, result, {"f32[2,3]"}, lower) == ": operand 0 must be square matrices, found f32[2,3]");
  CHECK(message(potrf, "f32[2,2]", {"f32[2,2]"}, lower) == ": the result must be (f32[2,2], s32[]), found f32[2,2]");
  CHECK(message(potrf, result, {"f32[2,2]"}, "{}") == ": backend_config must have uplo, found {}");
  CHECK(message(potrf, result, {"f32[2,2]"}, "\"L\"") == ": backend_config must be a dictionary, found L");
  CHECK(message(potrf, result, {"f32[2,2]"}, "{uplo = 77 : ui8}") ==
        ": backend_config: uplo must be the code of one of LU, found 77");
  CHECK(message(potrf, result, {"f32[2,2]"}, "{uplo = 7.0 : f32}") ==
        ": backend_config: uplo must be an integer, found 7.0");
  CHECK(message("lapack_strsm_ffi", "f32[2,2]", {"f32[2,2]", "f32[3,1]"},
                "{diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}") ==
        ": operand 1 must be f32[2,1], found f32[3,1]");
  CHECK(message("lapack_sormqr_ffi", "f32[2,2]", {"f32[2,1]", "f32[1]", "f32[2,2]"}, "{left = 1, transpose = true}") ==
        ": backend_config: left must be true or false, found 1");
  CHECK(message("lapack_sorgqr_ffi", "f32[2,3]", {"f32[2,3]", "f32[1]"}, "{}") ==
        ": operand 0 must not have more columns than rows, found f32[2,3]");
  CHECK(message("lapack_sgehrd_ffi", "(f32[2,2], f32[1], s32[])", {"f32[2,2]"}, "{high = 3 : i32, low = 1 : i32}") ==
        ": backend_config must have 1 <= low <= high <= 2, found 1 and 3");
  CHECK(message("lapack_sgtsv_ffi", "f32[2,1]", {"f32[2]", "f32[2]", "f32[2]"}, "{}") ==
        ": the number of operands must be 4, found 3");
  CHECK(message("tridiagonal_solve_perturbed_ffi", "s32[2,1]", {"s32[2]", "s32[2]", "s32[2]", "s32[2,1]"}, "{}") ==
        ": operand 3 must be matrices of f32, f64, c64 or c128, found s32[2,1]");
  CHECK(message("lapack_sgtsv_ffi", "f32[2,1]", {"f32[3]", "f32[2]", "f32[2]", "f32[2,1]"}, "{}") ==
        ": operand 0 must be f32[2], found f32[3]");
}

}  // namespace
}  // namespace assay::testing
