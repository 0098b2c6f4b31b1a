// Outputs with other run-time sizes than the reference's: wrong, unless real numbers decide the sizes, or a declared
// shape hides them.
#include "conformance/judging/compare.h"
#include "spec_tests/acceptance/program.h"
#include "spec_tests/conformance/function_backend.h"

namespace assay::testing {
namespace {

// The verdict on a backend that returns `outputs`.
Verdict VerdictOn(const std::string& text, const std::vector<std::string_view>& arguments, std::string_view outputs) {
  const auto module = Parsed(text);
  FunctionBackend backend = Returning(Value(outputs));
  const Result<ModuleReport> report =
      CompareModule(backend, *module, {Values(arguments)}, {.profile = BuiltInProfile("xla"), .limits = {}});
  REQUIRE(report);
  return report->verdict;
}

Verdict VerdictOnTwoElements(const std::string& size) {
  return VerdictOn(Entry("  a = f32[2] parameter(0)\n  x = f32[] parameter(1)\n  n = s32[] parameter(2)\n" + size +
                         "  ROOT r = f32[<=2] set-dimension-size(a, s), dimensions={0}"),
                   {"f32[2] {1, 2}", "f32[] 3", "s32[] 1"}, "f32[2] {1, 2}");
}

TEST_CASE("a size that a quotient decides may be another one", "[conformance]") {
  CHECK(VerdictOnTwoElements("  q = f32[] divide(x, x)\n  s = s32[] convert(q)\n") == Verdict::kWeak);
}

TEST_CASE("a size that whole numbers decide has one value", "[conformance]") {
  CHECK(VerdictOnTwoElements("  s = s32[] copy(n)\n") == Verdict::kFail);
  CHECK(VerdictOnTwoElements("  q = f32[] divide(x, x)\n  m = s32[] negate(n)\n  s = s32[] negate(m)\n") ==
        Verdict::kFail);
}

// The verdict on a backend that gives two elements to an array whose size a called computation returns: 1.
Verdict VerdictOnSizeOf(const std::string& computation, const std::string& type, std::string_view argument) {
  return VerdictOn("HloModule m\nf {\n  p = " + type + " parameter(0)\n" + computation +
                       "}\nENTRY e {\n  a = f32[2] parameter(0)\n  x = " + type +
                       " parameter(1)\n  s = s32[] call(x), to_apply=f\n"
                       "  ROOT r = f32[<=2] set-dimension-size(a, s), dimensions={0}\n}",
                   {"f32[2] {1, 2}", argument}, "f32[2] {1, 2}");
}

TEST_CASE("a size that a called computation decides is open if that one computes real numbers", "[conformance]") {
  CHECK(VerdictOnSizeOf("  q = f32[] divide(p, p)\n  ROOT r = s32[] convert(q)\n", "f32[]", "f32[] 3") ==
        Verdict::kWeak);
  CHECK(VerdictOnSizeOf("  ROOT r = s32[] convert(p)\n", "f32[]", "f32[] 1") == Verdict::kFail);
  CHECK(VerdictOnSizeOf("  q = f32[] convert(p)\n  e = f32[] exponential(q)\n  ROOT r = s32[] negate(p)\n", "s32[]",
                        "s32[] -1") == Verdict::kFail);
}

// The verdict on a sum of the first of {1, 2}, of which the backend returns `sum`.
Verdict VerdictOnSum(const std::string& negated_shape, std::string_view sum) {
  const std::string entry =
      Entry(
          "  a = s32[2] parameter(0)\n  n = s32[] parameter(1)\n  zero = s32[] constant(0)\n"
          "  s = s32[<=2] set-dimension-size(a, n), dimensions={0}\n  m = " +
          negated_shape + " negate(s)\n  ROOT r = s32[] reduce(m, zero), dimensions={0}, to_apply=add")
          .substr(std::string_view("HloModule m\n").size());
  return VerdictOn(
      "HloModule m\nadd {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  ROOT z = s32[] add(x, y)\n}\n" + entry,
      {"s32[2] {1, 2}", "s32[] 1"}, sum);
}

TEST_CASE("a declared shape that hides a run-time size leaves open which elements count", "[conformance]") {
  CHECK(VerdictOnSum("s32[<=2]", "s32[] -1") == Verdict::kExact);
  CHECK(VerdictOnSum("s32[<=2]", "s32[] -3") == Verdict::kFail);
  CHECK(VerdictOnSum("s32[2]", "s32[] -1") == Verdict::kExact);
  CHECK(VerdictOnSum("s32[2]", "s32[] -3") == Verdict::kSpecGap);
}

// The verdict on negate({1, 2}) declared s32[2], of which one element counts, and on floor(-1.5).
Verdict VerdictOnTwoOutputs(std::string_view outputs) {
  return VerdictOn(
      Entry("  a = s32[2] parameter(0)\n  n = s32[] parameter(1)\n  b = f32[] parameter(2)\n"
            "  s = s32[<=2] set-dimension-size(a, n), dimensions={0}\n  m = s32[2] negate(s)\n  f = f32[] floor(b)\n"
            "  ROOT r = (s32[2], f32[]) tuple(m, f)"),
      {"s32[2] {1, 2}", "s32[] 1", "f32[] -1.5"}, outputs);
}

TEST_CASE("a hidden run-time size makes only the outputs that depend on it SPEC-GAP", "[conformance]") {
  CHECK(VerdictOnTwoOutputs("(s32[2] {-1, -2}, f32[] -2)") == Verdict::kSpecGap);
  CHECK(VerdictOnTwoOutputs("(s32[2] {-1, -2}, f32[] -1)") == Verdict::kWeak);
}

// The verdict on the first element of {1, 2} and on exp(1) = 2.718281828, which is 402df854 rounded.
Verdict VerdictBesideExponential(std::string_view outputs) {
  return VerdictOn(Entry("  a = s32[2] parameter(0)\n  n = s32[] parameter(1)\n  x = f32[] parameter(2)\n"
                         "  s = s32[<=2] set-dimension-size(a, n), dimensions={0}\n  e = f32[] exponential(x)\n"
                         "  ROOT r = (s32[<=2], f32[]) tuple(s, e)"),
                   {"s32[2] {1, 2}", "s32[] 1", "f32[] 1"}, outputs);
}

TEST_CASE("an instruction that sets a run-time size is judged alone", "[conformance]") {
  CHECK(VerdictBesideExponential("(s32[1] {1}, f32[] x402df854)") == Verdict::kExact);
  CHECK(VerdictBesideExponential("(s32[1] {1}, f32[] x402df855)") == Verdict::kLegal);
  CHECK(VerdictBesideExponential("(s32[1] {2}, f32[] x402df855)") == Verdict::kFail);
  CHECK(VerdictBesideExponential("(s32[2] {1, 2}, f32[] x402df855)") == Verdict::kFail);
}

}  // namespace
}  // namespace assay::testing
