// The calls that lead to an executed instruction, as an observer of executions sees them.

#include <string>
#include <vector>

#include "interpreter/types/join_text.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

// Returns "caller/callee#call" for each call that leads to each execution of an instruction with this name.
std::vector<std::string> PathsTo(const std::string& name, const std::string& module, std::vector<Literal> arguments) {
  std::vector<std::string> paths;
  EvaluationOptions options;
  options.on_execution = [&](const ExecutedInstruction& executed) {
    if (executed.instruction.name != name) return;
    std::vector<std::string> steps;
    for (const CallStep& step : executed.calls) {
      steps.push_back(fmt::format("{}/{}#{}", step.caller->name, step.callee->name, step.call));
    }
    paths.push_back(JoinText(steps, " "));
  };
  Evaluated(module, std::move(arguments), options);
  return paths;
}

TEST_CASE("the path to an instruction of nested loops has both iterations", "[evaluator][observer]") {
  // The outer loop runs for 2 and 3, the inner one for 0 and 1 each time.
  const std::string module = R"(
below_two { p = s32[] parameter(0) two = s32[] constant(2) ROOT less = pred[] compare(p, two), direction=LT }
inner { p = s32[] parameter(0) one = s32[] constant(1) ROOT n = s32[] add(p, one) }
below_four { p = s32[] parameter(0) four = s32[] constant(4) ROOT fewer = pred[] compare(p, four), direction=LT }
outer {
  p = s32[] parameter(0)
  zero = s32[] constant(0)
  i = s32[] while(zero), condition=below_two, body=inner
  step = s32[] divide(i, i)
  ROOT next = s32[] add(p, step)
}
ENTRY e { p = s32[] parameter(0) ROOT w = s32[] while(p), condition=below_four, body=outer }
)";
  CHECK(PathsTo("n", module, Values({"s32[] 2"})) ==
        std::vector<std::string>{"w/outer#0 i/inner#0", "w/outer#0 i/inner#1", "w/outer#1 i/inner#0",
                                 "w/outer#1 i/inner#1"});
  CHECK(PathsTo("fewer", module, Values({"s32[] 2"})) ==
        std::vector<std::string>{"w/below_four#0", "w/below_four#1", "w/below_four#2"});
  CHECK(PathsTo("w", module, Values({"s32[] 2"})) == std::vector<std::string>{""});
}

TEST_CASE("a computation that two instructions call has the path of each", "[evaluator][observer]") {
  const std::string module = R"(negated { p = f32[] parameter(0) ROOT n = f32[] negate(p) }
ENTRY e {
  p = f32[] parameter(0)
  first = f32[] call(p), to_apply=negated
  ROOT second = f32[] call(first), to_apply=negated
})";
  CHECK(PathsTo("n", module, Values({"f32[] 1"})) == std::vector<std::string>{"first/negated#0", "second/negated#0"});
}

TEST_CASE("a computation that runs asynchronously has the path of its start", "[evaluator][observer]") {
  const std::string module = R"(negated { p = f32[] parameter(0) ROOT n = f32[] negate(p) }
ENTRY e {
  p = f32[] parameter(0)
  start = ((f32[]), f32[], s32[]) async-start(p), calls=negated
  ROOT done = f32[] async-done(start), calls=negated
})";
  CHECK(PathsTo("n", module, Values({"f32[] 1"})) == std::vector<std::string>{"start/negated#0"});
}

}  // namespace
}  // namespace assay::testing
