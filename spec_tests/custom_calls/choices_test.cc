// Outputs of programs with a factorization whose signs are free: the factors themselves are judged by their properties,
// and what follows by samples with random signs.
#include <algorithm>
#include <functional>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "interpreter/hlo/custom_call_target.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

constexpr std::string_view kSymmetric = "f32[2,2] {{2, 1}, {1, 2}}";  // with the eigenvalues 1 and 3

std::string EigenvectorsAnd(std::string_view rest) {
  return fmt::format(R"(HloModule m
ENTRY e {{ x = f32[2,2] parameter(0)
  c = (f32[2,2], f32[2], s32[]) custom-call(x), custom_call_target="lapack_ssyevd_ffi", )"
                     R"(api_version=API_VERSION_TYPED_FFI, backend_config={{mode = 86 : ui8, uplo = 76 : ui8}}
  {} }})",
                     rest);
}

// Judges the outputs after a change of the reference's.
SampleFinding Finding(const std::string& text, const std::function<void(Literal&)>& change,
                      std::string_view argument = kSymmetric) {
  const auto module = Parsed(text);
  const std::vector<Literal> arguments = Values({argument});
  const Literal want = Evaluated(*module, arguments);
  Literal got = want;
  change(got);
  return JudgeBySamples(*module, {arguments}, want, got, XlaProfile());
}

// Returns why samples do not explain them.
std::string Unexplained(const std::string& text, const std::function<void(Literal&)>& change,
                        std::string_view argument = kSymmetric) {
  return Finding(text, change, argument).unexplained;
}

void Scale(Literal& array, float factor) {
  for (float& x : array.mutable_values<float>()) x *= factor;
}

TEST_CASE("factors that are outputs are explained by their properties", "[lapack][trials]") {
  const std::string both = EigenvectorsAnd(R"(v = f32[2,2] get-tuple-element(c), index=0
  w = f32[2] get-tuple-element(c), index=1
  ROOT t = (f32[2,2], f32[2]) tuple(v, w))");
  CHECK(Unexplained(both, [](Literal& got) { Scale(got.mutable_elements()[0], -1); }).empty());
  const auto suspect = [&](const auto& change) { return Finding(both, change).suspect; };
  CHECK(suspect([](Literal& got) {
          Scale(got.mutable_elements()[0], 0);
        }).starts_with("far from lawful results: output 0: the result does not have the property V^H V = I"));
  CHECK(suspect([](Literal& got) { Scale(got.mutable_elements()[0], 1.01F); }) != "");
  CHECK(suspect([](Literal& got) { Scale(got.mutable_elements()[1], 2); }) != "");
  // Twice the bound is no more than rounding errors before the call may cause.
  CHECK(suspect([](Literal& got) { Scale(got.mutable_elements()[0], 1.00001F); }).empty());
  const std::string vectors = EigenvectorsAnd("ROOT v = f32[2,2] get-tuple-element(c), index=0");
  CHECK(Unexplained(vectors, [](Literal& got) { Scale(got, -1); }).empty());
  CHECK_FALSE(Finding(vectors, [](Literal& got) { Scale(got, 0); }).suspect.empty());
}

// Returns a program whose integer is 1, or 0 because a function may err below 1. The matrix is `matrix`.
std::string EigenvectorsBesideDecision(std::string_view matrix) {
  std::string text = EigenvectorsAnd(R"(v = f32[2,2] get-tuple-element(c), index=0
  w = f32[2] get-tuple-element(c), index=1  ROOT t = (f32[2,2], f32[2], s32[]) tuple(v, w, i))");
  const std::string_view parameter = "x = f32[2,2] parameter(0)";
  text.replace(text.find(parameter), parameter.size(),
               fmt::format(R"(y = f32[2,2] parameter(0)
  big = f32[] constant(80)  one = f32[] logistic(big)  i = s32[] convert(one)  f = f32[] convert(i)
  fs = f32[2,2] broadcast(f), dimensions={{}}  x = f32[2,2] {})",
                           matrix));
  return text;
}

TEST_CASE("properties of factors are asked of a matrix that no open decision moves", "[lapack][samples]") {
  const auto of_zero = [](Literal& got) {
    constexpr float kIdentity[] = {1, 0, 0, 1};
    std::ranges::copy(kIdentity, got.mutable_elements()[0].mutable_values<float>().begin());
    Scale(got.mutable_elements()[1], 0);
  };
  CHECK(Finding(EigenvectorsBesideDecision("multiply(y, fs)"), of_zero).suspect.empty());
  CHECK_FALSE(Finding(EigenvectorsBesideDecision("add(y, y)"), of_zero).suspect.empty());
}

TEST_CASE("factors behind a selection that took all of them are judged by their properties", "[lapack][trials]") {
  // As JAX lowers eigh: NaN in place of factors that do not exist.
  const std::string selected = EigenvectorsAnd(R"(v = f32[2,2] get-tuple-element(c), index=0
  i = s32[] get-tuple-element(c), index=2
  z = s32[] constant(0)  p = pred[] compare(i, z), direction=EQ
  pb = pred[2,2] broadcast(p), dimensions={}
  n = f32[] constant(nan)  nb = f32[2,2] broadcast(n), dimensions={}
  ROOT s = f32[2,2] select(pb, v, nb))");
  CHECK(Unexplained(selected, [](Literal& got) { Scale(got, -1); }).empty());
  CHECK(Finding(selected, [](Literal& got) { Scale(got, 0); }).suspect.starts_with("far from lawful results"));
  CHECK(Finding(selected, [](Literal& got) { Scale(got, 1.01F); }).suspect.starts_with("far from lawful results"));
  // The same in a function of its own.
  std::string called = selected;
  called.replace(called.find("ENTRY e"), 7, "eigh");
  called += "ENTRY e { x = f32[2,2] parameter(0) ROOT c = f32[2,2] call(x), to_apply=eigh }";
  CHECK(Unexplained(called, [](Literal& got) { Scale(got, -1); }).empty());
  CHECK_FALSE(Finding(called, [](Literal& got) { Scale(got, 0); }).suspect.empty());
}

TEST_CASE("outputs that depend on free signs are not explained, others are", "[lapack][trials]") {
  const std::string text = EigenvectorsAnd(R"(v = f32[2,2] get-tuple-element(c), index=0
  n = f32[2,2] negate(v)  e = f32[2,2] exponential(x)  ROOT t = (f32[2,2], f32[2,2]) tuple(n, e))");
  CHECK(Unexplained(text, [](Literal& got) { Scale(got.mutable_elements()[0], -1); }).starts_with("output 0 depends"));
  CHECK(Unexplained(text, [](Literal& got) { Scale(got.mutable_elements()[1], 1.0000001F); }).empty());
  CHECK(Unexplained(text, [](Literal& got) { Scale(got.mutable_elements()[1], 1.01F); }).starts_with("output 1 is"));
}

TEST_CASE("a factor that has one result is varied by trials", "[lapack][trials]") {
  const std::string text = R"(HloModule m
ENTRY e { x = f32[2,2] parameter(0)
  c = (f32[2,2], s32[]) custom-call(x), custom_call_target="lapack_spotrf_ffi", )"
                           R"(api_version=API_VERSION_TYPED_FFI, backend_config={uplo = 76 : ui8}
  l = f32[2,2] get-tuple-element(c), index=0
  ROOT n = f32[2,2] negate(l) })";
  CHECK(Unexplained(text, [](Literal& got) { Scale(got, 1.0000001F); }).empty());
  CHECK(Unexplained(text, [](Literal& got) { Scale(got, 0); }).starts_with("output 0 is"));
}

constexpr std::string_view kRebuilt = R"(v = f32[2,2] get-tuple-element(c), index=0
  w = f32[2] get-tuple-element(c), index=1
  b = f32[2,2] broadcast(w), dimensions={1}
  s = f32[2,2] multiply(v, b)  ROOT d = f32[2,2] dot(s, v), lhs_contracting_dims={1}, rhs_contracting_dims={1})";

TEST_CASE("outputs that depend on no sign are suspect if they are far from samples", "[lapack][samples]") {
  const std::string text = EigenvectorsAnd(kRebuilt);
  const auto zeros = [](Literal& got) { Scale(got, 0); };
  CHECK(Finding(text, zeros).suspect.starts_with("far from lawful results: output 0 is 2 off"));
  CHECK_FALSE(Finding(text, [](Literal& got) { Scale(got, 1.001F); }).suspect.empty());
  CHECK(Finding(text, [](Literal& got) { Scale(got, 1.0000001F); }).is_among_samples);
  const std::string values = EigenvectorsAnd("w = f32[2] get-tuple-element(c), index=1\n  ROOT n = f32[2] negate(w)");
  CHECK_FALSE(Finding(values, zeros).suspect.empty());
  // Any basis belongs to equal eigenvalues, and nearly any to near ones: samples vary it.
  for (const char* operand : {"f32[2,2] {{1, 0}, {0, 1}}", "f32[2,2] {{1, 1e-6}, {1e-6, 1}}"}) {
    CHECK_FALSE(Finding(text, zeros, operand).suspect.empty());
    CHECK(Finding(
              text, [](Literal& got) { Scale(got, 1.0000001F); }, operand)
              .is_among_samples);
  }
  const std::string vectors =
      EigenvectorsAnd("v = f32[2,2] get-tuple-element(c), index=0\n  ROOT n = f32[2,2] negate(v)");
  const auto turned = [](Literal& got) { got = Values({"f32[2,2] {{0.6, -0.8}, {0.8, 0.6}}"})[0]; };
  CHECK(Finding(vectors, turned, "f32[2,2] {{1, 0}, {0, 1}}").suspect.empty());
}

TEST_CASE("numbers that have the signs of a factorization have its magnitudes", "[lapack][samples]") {
  const auto finding = [](const std::string& root, std::string_view got, std::string_view operand) {
    const auto replace = [&](Literal& result) { result = Values({got})[0]; };
    return Finding(R"(HloModule m
ENTRY e { x = f32[2,2] parameter(0)
  c = (f32[2,2], f32[2]) custom-call(x), custom_call_target="lapack_sgeqrf_ffi", )"
                   R"(api_version=API_VERSION_TYPED_FFI, backend_config={}
  a = f32[2,2] get-tuple-element(c), index=0  t = f32[2] get-tuple-element(c), index=1
  q = f32[2,2] custom-call(a, t), custom_call_target="lapack_sorgqr_ffi", )"
                   R"(api_version=API_VERSION_TYPED_FFI, backend_config={}
  )" + root + "}",
                   replace, operand);
  };
  constexpr std::string_view kOperand = "f32[2,2] {{1, 2}, {3, 4}}", kZeros = "f32[2,2] {{0, 0}, {0, 0}}";
  constexpr std::string_view kFar = "far from lawful results: output 0: numbers whose signs are free";
  for (const std::string root : {"ROOT r = f32[2,2] copy(q)", "ROOT r = f32[2,2] negate(q)"}) {
    for (const std::string_view got :
         {kZeros, std::string_view("f32[2,2] {{1, 0}, {0, 1}}"), std::string_view("f32[2,2] {{nan, 0}, {0, 1}}")}) {
      CHECK(finding(root, got, kOperand).suspect.starts_with(kFar));
    }
    for (const std::string_view got : {"f32[2,2] {{0.3162278, 0.9486833}, {0.9486833, -0.3162278}}",
                                       "f32[2,2] {{-0.3162278, 0.9486833}, {-0.9486833, -0.3162278}}"}) {
      CHECK(finding(root, got, kOperand).suspect.empty());
    }
    // The second column is free.
    CHECK(finding(root, kZeros, "f32[2,2] {{1, 1}, {1, 1}}").suspect.empty());
  }
  // Signs decide about other numbers.
  CHECK(finding("z = f32[] constant(0)  b = f32[2,2] broadcast(z), dimensions={}  ROOT r = f32[2,2] maximum(q, b)",
                "f32[2,2] {{0, 0}, {0, 0.3162278}}", kOperand)
            .suspect.empty());
}

struct Free {
  std::string_view shape, operand, result, target, config;
};
constexpr Free kFactorizations[] = {
    {"f32[2,2]", "f32[2,2] {{2, 1}, {1, 3}}", "(f32[2,2], f32[2], s32[])", "lapack_ssyevd_ffi",
     "{mode = 86 : ui8, uplo = 76 : ui8}"},
    {"c64[2,2]", "c64[2,2] {{(2, 0), (1, -1)}, {(1, 1), (3, 0)}}", "(c64[2,2], f32[2], s32[])", "lapack_cheevd_ffi",
     "{mode = 86 : ui8, uplo = 76 : ui8}"},
    {"f32[3,2]", "f32[3,2] {{2, 1}, {1, 3}, {0, 5}}", "(f32[3,2], f32[2])", "lapack_sgeqrf_ffi", "{}"},
    {"c64[2,2]", "c64[2,2] {{(2, 0), (1, -1)}, {(1, 1), (3, 0)}}", "(c64[2,2], c64[2])", "lapack_cgeqrf_ffi", "{}"},
    {"f32[3,2]", "f32[3,2] {{2, 1}, {1, 3}, {0, 5}}", "(f32[3,2], f32[2], f32[3,3], f32[2,2], s32[])",
     "lapack_sgesdd_ffi", "{mode = 65 : ui8}"},
    {"c64[2,3]", "c64[2,3] {{(2, 0), (1, -1), (0, 1)}, {(1, 1), (3, 0), (5, 0)}}",
     "(c64[2,3], f32[2], c64[2,2], c64[2,3], s32[])", "lapack_cgesdd_ffi", "{mode = 83 : ui8}"},
};

TEST_CASE("a factorization with other signs has the properties", "[lapack][samples]") {
  for (const Free& factorization : kFactorizations) {
    INFO(factorization.target << " " << factorization.operand);
    const auto module =
        Parsed(fmt::format("HloModule m\nENTRY e {{\n  x = {} parameter(0)\n  ROOT c = {} custom-call(x), "
                           "custom_call_target=\"{}\", api_version=API_VERSION_TYPED_FFI, "
                           "backend_config={}\n}}",
                           factorization.shape, factorization.result, factorization.target, factorization.config));
    const std::vector<Literal> operands = Values({factorization.operand});
    const HloInstruction& call = *module->entry->root;
    const auto another = (*FindCustomCallTarget(call))->another;
    const Literal want = Evaluated(*module, operands);
    int changed = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const std::optional<Literal> other = another(call, operands, seed);
      REQUIRE(other);
      const Judgement judgement = JudgeInstruction(call, operands, want, *other, XlaProfile());
      CHECK(judgement.verdict <= Verdict::kLegal);
      CHECK(judgement.worst.share < 0.5);
      if (!other->BitwiseEqual(want)) ++changed;
    }
    CHECK(changed >= 4);
  }
}

TEST_CASE("equal singular values and columns that depend on others have more results", "[lapack][samples]") {
  const auto another = [](std::string_view target, std::string_view result, std::string_view operand,
                          std::string_view config) {
    const auto module =
        Parsed(fmt::format("HloModule m\nENTRY e {{\n  x = f32[2,2] parameter(0)\n  ROOT c = {} "
                           "custom-call(x), custom_call_target=\"{}\", "
                           "api_version=API_VERSION_TYPED_FFI, backend_config={}\n}}",
                           result, target, config));
    const HloInstruction& call = *module->entry->root;
    return (*FindCustomCallTarget(call))->another(call, Values({operand}), 1).has_value();
  };
  constexpr std::string_view kQr = "(f32[2,2], f32[2])", kSvd = "(f32[2,2], f32[2], f32[2,2], f32[2,2], s32[])";
  CHECK(another("lapack_sgeqrf_ffi", kQr, "f32[2,2] {{1, 2}, {3, 4}}", "{}"));
  CHECK_FALSE(another("lapack_sgeqrf_ffi", kQr, "f32[2,2] {{1, 2}, {2, 4}}", "{}"));
  CHECK(another("lapack_sgesdd_ffi", kSvd, "f32[2,2] {{1, 0}, {0, 2}}", "{mode = 65 : ui8}"));
  CHECK(another("lapack_sgesdd_ffi", kSvd, "f32[2,2] {{0, 1}, {-1, 0}}", "{mode = 65 : ui8}"));
  CHECK(another("lapack_sgesdd_ffi", kSvd, "f32[2,2] {{1, 2}, {2, 4}}", "{mode = 65 : ui8}"));
}

// LAPACK's targets with sizes and flags as operands.
TEST_CASE("targets from before the typed interface are sampled as these", "[lapack][samples]") {
  const auto finding = [](std::string_view call) {
    const std::string text = fmt::format(
        "HloModule m\nENTRY e {{ x = f32[2,2] parameter(0)\n  one = s32[] constant(1)\n  two = s32[] constant(2)\n"
        "  all = u8[] constant(86)\n  c = {}, api_version=API_VERSION_STATUS_RETURNING\n",
        call);
    const std::string element = call.find("geev") == std::string_view::npos ? "f32[2,2] get-tuple-element(c), index=0"
                                                                            : "f32[2] get-tuple-element(c), index=3";
    const std::string shape = element.substr(0, element.find(' '));
    return Finding(text + "  l = " + element + "\n  ROOT n = " + shape + " negate(l) }",
                   [](Literal& got) { Scale(got, 0); });
  };
  CHECK(finding("(f32[2,2], s32[]) custom-call(one, one, two, x), custom_call_target=\"lapack_spotrf\"").suspect != "");
  CHECK(finding("(f32[2,2], s32[2], s32[]) custom-call(one, two, two, x), custom_call_target=\"lapack_sgetrf\"")
            .suspect != "");
  CHECK(finding("(f32[2,2], f32[2], s32[], f32[21], s32[13]) custom-call(one, one, two, x), "
                "custom_call_target=\"lapack_ssyevd\"")
            .suspect.starts_with("far from lawful results: output 0: numbers whose signs are free"));
  CHECK(finding("(f32[2,2], f32[2,2], f32[2,2], f32[2], f32[2], c64[2,2], c64[2,2], s32[]) custom-call(one, two, all, "
                "all, x), custom_call_target=\"lapack_sgeev\"")
            .unexplained.starts_with("output 0 follows from custom-call"));
}

}  // namespace
}  // namespace assay::testing
