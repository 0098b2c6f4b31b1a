// Outputs of programs with a factorization whose signs are free: the factors themselves are judged by their properties.
#include <fmt/format.h>

#include <functional>

#include "interpreter/acceptance/samples/judge_by_samples.h"
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

// Returns why trials do not explain the outputs after a change of the reference's.
std::string Unexplained(const std::string& text, const std::function<void(Literal&)>& change) {
  const auto module = Parsed(text);
  const std::vector<Literal> arguments = Values({kSymmetric});
  const Literal want = Evaluated(*module, arguments);
  Literal got = want;
  change(got);
  return JudgeBySamples(*module, {arguments}, want, got, XlaProfile()).unexplained;
}

void Scale(Literal& array, float factor) {
  for (float& x : array.mutable_values<float>()) x *= factor;
}

TEST_CASE("factors that are outputs are explained by their properties", "[lapack][trials]") {
  const std::string both = EigenvectorsAnd(R"(v = f32[2,2] get-tuple-element(c), index=0
  w = f32[2] get-tuple-element(c), index=1
  ROOT t = (f32[2,2], f32[2]) tuple(v, w))");
  CHECK(Unexplained(both, [](Literal& got) { Scale(got.mutable_elements()[0], -1); }).empty());
  CHECK(Unexplained(both, [](Literal& got) { Scale(got.mutable_elements()[0], 0); }).starts_with("output 0 follows"));
  CHECK(Unexplained(both, [](Literal& got) { Scale(got.mutable_elements()[1], 2); }).starts_with("output 1 follows"));
  const std::string vectors = EigenvectorsAnd("ROOT v = f32[2,2] get-tuple-element(c), index=0");
  CHECK(Unexplained(vectors, [](Literal& got) { Scale(got, -1); }).empty());
  CHECK(Unexplained(vectors, [](Literal& got) {
          Scale(got, 0);
        }).starts_with("output 0 follows from custom-call (line 3)"));
}

TEST_CASE("outputs that follow from free signs are not explained by trials, others are", "[lapack][trials]") {
  const std::string text = EigenvectorsAnd(R"(v = f32[2,2] get-tuple-element(c), index=0
  n = f32[2,2] negate(v)
  e = f32[2,2] exponential(x)
  ROOT t = (f32[2,2], f32[2,2]) tuple(n, e))");
  CHECK(Unexplained(text, [](Literal& got) { Scale(got.mutable_elements()[0], -1); }).starts_with("output 0 follows"));
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

}  // namespace
}  // namespace assay::testing
