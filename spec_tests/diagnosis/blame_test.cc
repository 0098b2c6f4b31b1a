// The passes that are blamed, for compilers with known faults.
#include "conformance/diagnosis/blame.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "interpreter/hlo/parser.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

using Names = std::vector<std::string>;

CompilerTrace TraceOf(int passes) {
  CompilerTrace trace;
  for (int i = 0; i < passes; ++i) trace.passes.push_back({fmt::format("p{}", i), "", ""});
  trace.passes.push_back(trace.passes.front());  // one that runs twice
  trace.settings = {{"level", "1"}, {"level", "0"}};
  return trace;
}

// Wrong as long as one of `guilty` runs; crashes without one of `needed`.
TryOptions Compiler(Names guilty, Names needed, CompilerSetting cure = {}) {
  return [=](const CompilerOptions& options) {
    const std::set<std::string> off(options.disabled_passes.begin(), options.disabled_passes.end());
    CHECK(off.size() == options.disabled_passes.size());
    const auto is_off = [&](const std::string& pass) { return off.contains(pass); };
    if (std::ranges::any_of(needed, is_off)) return WithOptions::kRefused;
    if (options.settings == std::vector{cure}) return WithOptions::kRight;
    return !guilty.empty() && std::ranges::all_of(guilty, is_off) ? WithOptions::kRight : WithOptions::kFails;
  };
}

Blame Find(const CompilerTrace& trace, const TryOptions& compiler, const Names& changing = {}) {
  return FindBlame(trace, compiler, [&](const std::string& pass) { return std::ranges::count(changing, pass) > 0; });
}

TEST_CASE("blame: one pass of many", "[blame]") {
  for (const int guilty : {0, 7, 39}) {
    const Blame blame = Find(TraceOf(40), Compiler({fmt::format("p{}", guilty)}, {}));
    CHECK(blame.passes == Names{fmt::format("p{}", guilty)});
    CHECK(blame.needed.empty());
    CHECK(blame.tries <= 20);
  }
}

TEST_CASE("blame: passes that a compiler cannot do without stay", "[blame]") {
  const Blame blame = Find(TraceOf(40), Compiler({"p20"}, {"p3", "p21", "p39"}));
  CHECK(blame.passes == Names{"p20"});
  CHECK(blame.needed == Names{"p3", "p21", "p39"});
  const Blame all = Find(TraceOf(2), Compiler({"p0"}, {"p0", "p1"}));
  CHECK(all.passes.empty());
  CHECK(all.needed == Names{"p0", "p1"});
}

TEST_CASE("blame: a pass that changes the value comes first", "[blame]") {
  // Without p1 the fault of p3 has no effect.
  const TryOptions compiler = [](const CompilerOptions& options) {
    const bool is_right = std::ranges::any_of(options.disabled_passes,
                                              [](const std::string& pass) { return pass == "p1" || pass == "p3"; });
    return is_right ? WithOptions::kRight : WithOptions::kFails;
  };
  const Blame blame = Find(TraceOf(10), compiler, {"p2", "p3"});
  CHECK(blame.passes == Names{"p3"});
  CHECK(blame.tries == 2);
}

TEST_CASE("blame: passes without which it is wrong in the same way", "[blame]") {
  const auto compiler = [](std::size_t most_off) {
    return [=](const CompilerOptions& options) {
      const auto is_off = [&](std::string_view pass) { return std::ranges::count(options.disabled_passes, pass) > 0; };
      const bool is_right = is_off("p1") && is_off("p3") == (most_off == 2) && !is_off("p7");
      return is_right ? WithOptions::kRight : WithOptions::kFails;
    };
  };
  CHECK(Find(TraceOf(10), compiler(1)).passes == Names{"p1"});
  const Blame two = Find(TraceOf(10), compiler(2));
  CHECK(two.passes == Names{"p1", "p3"});
  CHECK(two.needed == Names{"p7"});
}

TEST_CASE("blame: if no pass can be skipped, the pass that changes the value", "[blame]") {
  const Blame blame = Find(TraceOf(4), Compiler({}, {"p2"}), {"p2"});
  CHECK(blame.passes.empty());
  CHECK(blame.changing == "p2");
}

TEST_CASE("blame: two passes that are wrong each for itself", "[blame]") {
  CHECK(Find(TraceOf(10), Compiler({"p2", "p8"}, {})).passes == Names{"p2", "p8"});
}

TEST_CASE("blame: if no pass is at fault, the setting that makes the result right", "[blame]") {
  const Blame cured = Find(TraceOf(10), Compiler({}, {}, {"level", "0"}));
  CHECK(cured.passes.empty());
  REQUIRE(cured.setting);
  CHECK(*cured.setting == CompilerSetting{"level", "0"});
  CHECK(!Find(TraceOf(10), Compiler({}, {})).setting);
  CHECK(!Find({}, Compiler({}, {})).setting);
}

TEST_CASE("blame: the run of a pass that changes the value", "[blame]") {
  const auto module = [](std::string_view root) {
    return fmt::format(
        "HloModule m\nENTRY e {{\n  a = f32[] parameter(0)\n  ROOT r = f32[] {}(a), metadata={{op_name=\"{}\"}}\n}}\n",
        root, root);
  };
  const Subject subject = {ParseHloModule(module("negate")).value(), {{ParseLiteral("f32[] 2").value()}}};
  const std::string wrong = "HloModule m\nENTRY e {\n  ROOT a = f32[] parameter(0)\n}\n";
  CompilerTrace trace;
  trace.passes = {{"simplify", module("negate"), module("negate") + " "},
                  {"other", module("negate"), wrong},
                  {"simplify", module("negate"), module("abs")}};
  const BlamedRun run = FindRun(trace, "simplify", subject, {});
  CHECK(run.run == &trace.passes[2]);
  CHECK(run.value == BlamedRun::Value::kOther);
  CHECK(DifferentLines(run.run->before, run.run->after) ==
        Names{"-   ROOT r = f32[] negate(a)", "+   ROOT r = f32[] abs(a)"});
  trace.passes.pop_back();
  CHECK(FindRun(trace, "simplify", subject, {}).value == BlamedRun::Value::kSame);
  trace.passes[0].after = "no module";
  CHECK(FindRun(trace, "simplify", subject, {}).value == BlamedRun::Value::kUnknown);
  CHECK(FindRun(trace, "none", subject, {}).run == nullptr);
}

}  // namespace
}  // namespace assay::testing
