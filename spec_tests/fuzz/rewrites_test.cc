// Rewrites leave the reference's results what they are, to the last bit, on whatever programs are drawn; and each of
// them has something to do.
#include <map>

#include "fuzz/drawn_programs.h"
#include "fuzz/rewrites/rewrite.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "spec_tests/catch.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

// Programs, until a rewrite applies.
constexpr int kTries = 60;

// What rewrites apply to, where few programs have it.
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
  ProgramWishes wishes = {.seed = AnyBits(), .may_have_devices = true};
  if (const auto op = kWished.find(rewrite.name); op != kWished.end()) wishes.ops.push_back(FindOp(op->second));
  DrawnProgram drawn = DrawProgram(wishes, InRange(0, 1000));
  return {std::move(drawn.drawn.module), std::move(drawn.drawn.arguments)};
}

bool IsKept(const Subject& subject, const Rewritten& rewritten) {
  EvaluationOptions options;
  options.limits.seconds = 10;
  const Result<Literal> before = EvaluateTogether(*subject.module, subject.arguments, options);
  Presume(before.has_value());  // what the host has is not given here
  const Result<Literal> after = EvaluateTogether(*rewritten.subject.module, rewritten.subject.arguments, options);
  if (after && CompareExactly(*before, *after).verdict == Verdict::kExact) return true;
  UNSCOPED_INFO(PrintHloModule(*subject.module, PrintOptions::Exact())
                << PrintHloModule(*rewritten.subject.module, PrintOptions::Exact())
                << (after ? "other results" : after.error().message));
  return false;
}

TEST_CASE("no rewrite changes what the reference makes of a program", "[fuzz][rewrites]") {
  for (const Rewrite& rewrite : AllRewrites()) {
    std::int64_t applied = 0;
    Holds(std::string(rewrite.name), [&] {
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
    INFO(rewrite.name << " applied to " << applied << " of 100 programs");
    CHECK(applied >= 1);
  }
}

}  // namespace
}  // namespace assay::testing
