// Rewrites preserve the reference's results, to the last bit, on any drawn program; and each of them applies to some.
#include <algorithm>
#include <map>

#include "backends/mutant/mutant.h"
#include "fuzz/drawn_programs.h"
#include "fuzz/rewrites/compare_rewritten.h"
#include "fuzz/rewrites/rewrite.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "spec_tests/conformance/function_backend.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/nightly.h"
#include "spec_tests/property.h"

namespace assay::testing {
using namespace generate;
namespace {

// The number of programs to try until a rewrite applies.
constexpr int kTries = 60;

// The ops that rewrites apply to, for rewrites that apply to few programs.
const std::map<std::string_view, std::string_view> kWished = {
    {"broadcast-early", "broadcast"},
    {"broadcast-late", "broadcast"},
    {"concatenate-in-steps", "concatenate"},
    {"dot-from-behind", "dot"},
    {"inline", "call"},
    {"peel", "while"},
    {"reduce-in-parts", "reduce"},
    {"reduce-in-steps", "reduce"},
    {"reduce-of-transposed", "reduce"},
    {"slice-at-run-time", "slice"},
    {"select-from-behind", "select"},
    {"compare-from-behind", "compare"},
};

Subject AnySubject(const Rewrite& rewrite) {
  ProgramWishes constraints = {.seed = AnyBits(), .may_have_devices = true};
  if (const auto op = kWished.find(rewrite.name); op != kWished.end()) constraints.ops.push_back(FindOp(op->second));
  DrawnProgram drawn = DrawProgram(constraints, InRange(0, 1000));
  return {std::move(drawn.drawn.module), std::move(drawn.drawn.arguments)};
}

bool IsKept(const Subject& subject, const Rewritten& rewritten) {
  EvaluationOptions options;
  options.limits.seconds = 10;
  const Result<Literal> before = EvaluateTogether(*subject.module, subject.arguments, options);
  Presume(before.has_value());  // what the host has is not given here
  options.limits.seconds = 0;   // the other program does as much, on a machine that may be busy now
  const Result<Literal> after = EvaluateTogether(*rewritten.subject.module, rewritten.subject.arguments, options);
  if (after && CompareExactly(*before, *after).verdict == Verdict::kExact) return true;
  UNSCOPED_INFO(PrintHloModule(*subject.module, PrintOptions::Exact())
                << PrintHloModule(*rewritten.subject.module, PrintOptions::Exact())
                << (after ? "other results" : after.error().message));
  return false;
}

TEST_CASE("no rewrite changes the reference's results of a program", "[fuzz][rewrites]") {
  // Programs grow from the first to the last; every seventh has all sizes. A rewrite that has not applied yet runs on
  // each.
  const std::int64_t step = IsNightly("each rewrite of 100 programs") ? 1 : 7;
  for (const Rewrite& rewrite : AllRewrites()) {
    std::int64_t drawn = 0, applied = 0;
    Holds(std::string(rewrite.name), [&] {
      if (drawn++ % step != 0 && applied > 0) return;
      Subject subject;
      std::optional<Rewritten> rewritten;
      for (int i = 0; i < kTries && !rewritten; ++i) {
        subject = AnySubject(rewrite);
        Random random(AnyBits());
        rewritten = RewriteSome(subject, random, 3, {&rewrite, 1});
      }
      if (!rewritten) return;
      ENSURE(IsKept(subject, *rewritten));
      ++applied;
    });
    INFO(rewrite.name << " applied to " << applied << " programs, " << drawn << " drawn");
    CHECK(applied >= 1);
  }
}

// Concatenates with another array and slices the result out again, on a backend that swaps operands of concatenate.
Result<RewrittenReport> OnWrongOrder(const std::string& text, std::int64_t steps) {
  const Subject before = {Parsed(text), {{Value("s32[3] {1, 2, 3}")}}};
  const Rewrite rewrite = *std::ranges::find(RewritesOfPlaces(), "concatenate-and-slice", &Rewrite::name);
  // Concatenated with itself, the order makes no difference.
  std::optional<Rewritten> after;
  for (std::uint64_t seed = 0; !after || TextOf(after->subject).find("broadcast") == std::string::npos; ++seed) {
    Random random(seed);
    after = RewriteSome(before, random, 1, {&rewrite, 1});
  }
  MutantBackend backend(*FindMutant("concat_order"));
  CompareOptions options;
  options.limits.steps = steps;
  return CompareRewritten(backend, before, *after, options);
}

TEST_CASE("beyond the limits of the reference a backend is judged by itself", "[fuzz][rewrites]") {
  const std::string integers = "HloModule m\nENTRY e {\n x = s32[3] parameter(0)\n ROOT n = s32[3] negate(x)\n}\n";
  const std::string numbers =
      "HloModule m\nENTRY e {\n x = s32[3] parameter(0)\n c = f32[3] convert(x)\n ROOT t = f32[3] tanh(c)\n}\n";
  const Result<RewrittenReport> judged = OnWrongOrder(integers, INT64_MAX);
  REQUIRE(judged);
  CHECK(!judged->is_by_results);
  CHECK(judged->report.verdict == Verdict::kFail);
  // The reference fails before the first step.
  const Result<RewrittenReport> exact = OnWrongOrder(integers, 0), open = OnWrongOrder(numbers, 0);
  REQUIRE(exact);
  CHECK(exact->is_by_results);
  CHECK(exact->report.verdict == Verdict::kFail);
  CHECK(exact->report.reason.find("concatenate-and-slice") != std::string::npos);
  REQUIRE(open);
  CHECK(open->report.verdict == Verdict::kWeak);
}

TEST_CASE("a backend that declines a module and ends at the rewritten one has failed", "[fuzz][rewrites]") {
  const std::string text = "HloModule m\nENTRY e {\n x = s32[3] parameter(0)\n ROOT n = s32[3] negate(x)\n}\n";
  const Subject before = {Parsed(text), {{Value("s32[3] {1, 2, 3}")}}};
  const Rewritten after = {{Parsed(text), before.arguments}, {"inline"}};
  FunctionBackend backend([&](const HloModule& module, const DeviceValues&) -> Result<PerDevice<Literal>> {
    if (&module == before.module.get()) return Error{ErrorCode::kUnsupported, "not this one"};
    return Error{ErrorCode::kBackend, "ended"};
  });
  const Result<RewrittenReport> report = CompareRewritten(backend, before, after, {});
  REQUIRE(report);
  CHECK(report->report.verdict == Verdict::kCrash);
  CHECK(report->subject.module == after.subject.module);
}

}  // namespace
}  // namespace assay::testing
