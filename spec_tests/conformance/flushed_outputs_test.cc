// Outputs that follow from decisions by subnormal numbers, of a backend that runs no part of the module.
#include "conformance/judging/compare.h"
#include "spec_tests/acceptance/judged.h"
#include "spec_tests/conformance/function_backend.h"

namespace assay::testing {
namespace {

// Returns the report on an output of the entry for x, a parameter.
ModuleReport ReportWithoutParts(const std::string& entry, std::string_view x, std::string_view output,
                                std::string_view profile = "xla") {
  const auto module = Parsed(Entry("  x = f32[2] parameter(0)\n" + entry));
  FunctionBackend backend([&](const HloModule& run, const DeviceValues&) {
    if (&run == module.get()) return Result<PerDevice<Literal>>(PerDevice<Literal>{Value(output)});
    return Result<PerDevice<Literal>>(Error{ErrorCode::kUnsupported, "a part"});
  });
  CompareOptions options;
  options.profile = BuiltInProfile(profile);
  Result<ModuleReport> report = CompareModule(backend, *module, {Values({x})}, options);
  REQUIRE(report);
  return *std::move(report);
}

Verdict VerdictWithoutParts(const std::string& entry, std::string_view x, std::string_view output,
                            std::string_view profile = "xla") {
  return ReportWithoutParts(entry, x, output, profile).verdict;
}

constexpr std::string_view kSubnormalAndTwo = "f32[2] {x00011111, 2}";

TEST_CASE("either side of a decision by a subnormal argument is lawful, and nothing between", "[conformance]") {
  const std::string leaky = R"(  z = f32[2] constant({0, 0})  p = pred[2] compare(x, z), direction=GT
  a = f32[2] constant({1, 1})  b = f32[2] constant({0.25, 0.25})  ROOT s = f32[2] select(p, a, b))";
  CHECK(VerdictWithoutParts(leaky, kSubnormalAndTwo, "f32[2] {1, 1}") == Verdict::kExact);
  CHECK(VerdictWithoutParts(leaky, kSubnormalAndTwo, "f32[2] {0.25, 1}") == Verdict::kLegal);
  CHECK(VerdictWithoutParts(leaky, kSubnormalAndTwo, "f32[2] {0.5, 1}") == Verdict::kSuspect);
  CHECK(VerdictWithoutParts(leaky, kSubnormalAndTwo, "f32[2] {0.25, 0.25}") == Verdict::kFail);
  CHECK(VerdictWithoutParts(leaky, kSubnormalAndTwo, "f32[2] {0.25, 1}", "ieee") == Verdict::kFail);
}

TEST_CASE("the logarithm of a flushed negative number is that of zero behind another operation", "[conformance]") {
  const std::string log2 =
      "  l = f32[2] log(x)  c = f32[2] constant({1.44269502, 1.44269502})  ROOT m = f32[2] multiply(l, c)";
  CHECK(VerdictWithoutParts(log2, "f32[2] {x80011111, 2}", "f32[2] {-inf, 1}") == Verdict::kLegal);
  CHECK(VerdictWithoutParts(log2, "f32[2] {-2, 2}", "f32[2] {-inf, 1}") == Verdict::kFail);
}

TEST_CASE("one output of several follows from a flushed argument", "[conformance]") {
  const std::string signs = R"(  s = f32[2] sign(x)  n = f32[2] negate(s)  e = f32[2] exponential(x)
  ROOT t = (f32[2], f32[2]) tuple(n, e))";
  CHECK(VerdictWithoutParts(signs, kSubnormalAndTwo, "(f32[2] {-0, -1}, f32[2] {1, 7.38905621})") == Verdict::kLegal);
}

// The logarithm of 4.8104777 is next to a pole of the tangent.
TEST_CASE("a module that is open says why, and that the backend declines its parts", "[conformance]") {
  const ModuleReport report = ReportWithoutParts("  l = f32[2] log(x)  ROOT t = f32[2] tan(l)", "f32[2] {2, 4.8104777}",
                                                 "f32[2] {0.83064085, 13245402}", "xla-cpu");
  CHECK(report.verdict == Verdict::kWeak);
  CAPTURE(report.reason);
  CHECK(report.reason.find("too wide to prove anything") != std::string::npos);
  CHECK(report.reason.find("the backend declines it alone") != std::string::npos);
}

}  // namespace
}  // namespace assay::testing
