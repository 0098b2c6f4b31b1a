// Laws of the ops that return or reshape their operand, or call a computation: two ways to the same value, on random
// shapes and values. spec_tests/oracle has the other ops, on random shapes too, against definitions of their own.

#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/types/join_text.h"
#include "spec_tests/evaluator/module.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

using Sizes = std::vector<std::int64_t>;

std::int64_t Between(std::int64_t low, std::int64_t high) { return InRange(low, high + 1); }

Sizes AnySizes() {
  Sizes sizes(Between(0, 4));
  for (std::int64_t& size : sizes) size = Between(0, 4);
  return sizes;
}

std::int64_t Count(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

Literal AnyArray(const Sizes& sizes) {
  Literal array(ShapeUtil::MakeShape(F32, sizes));
  for (float& number : array.mutable_values<float>()) number = static_cast<float>(Between(-8, 8));
  return array;
}

std::string F32Of(const Sizes& sizes) { return fmt::format("f32[{}]", JoinText(sizes, ",")); }

// The entry has parameters x, y, ... of the arguments' shapes, and its instructions end in one named r.
Literal Result(std::string_view instructions, std::vector<Literal> arguments, std::string_view computations = "") {
  std::string text = fmt::format("HloModule m\n{}\nENTRY e {{\n", computations);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    text += fmt::format("{} = {} parameter({})\n", "xyzw"[i], arguments[i].shape().ToStringWithoutLayout(), i);
  }
  return Evaluated(text + std::string(instructions) + "\n}\n", std::move(arguments));
}

// Checks that Holds() fails the case if ENSURE fails: Catch2 does not know them.
TEST_CASE("A law that fails for some value fails its case", "[!shouldfail]") {
  Holds([] { ENSURE(AnyInteger() < 10); });
}

TEST_CASE("add-dependency, opt-barrier, domain, bitcast and async pairs return their operand") {
  Holds("copy-start, opt-barrier, copy, add-dependency, domain, bitcast", [] {
    const Sizes sizes = AnySizes();
    const Literal x = AnyArray(sizes);
    for (const char* instructions :
         {"s = ({0}, {0}, u32[]) copy-start(x)\nROOT r = {0} copy-done(s)", "ROOT r = {0} opt-barrier(x)",
          "ROOT r = {0} copy(x)", "t = token[] after-all()\nROOT r = {0} add-dependency(x, t)",
          "ROOT r = {0} domain(x), domain={{kind=\"sharding\", entry={{replicated}}, "
          "exit={{maximal device=0}}}}",
          "a = f32[{1}] bitcast(x)\nROOT r = {0} bitcast(a)"}) {
      ENSURE(Result(fmt::format(fmt::runtime(instructions), F32Of(sizes), Count(sizes)), {x}).BitwiseEqual(x));
    }
  });
  Holds("a fusion, and a computation that is started and waited for, are their computation", [] {
    const std::int64_t n = Between(0, 5);
    const Literal x = AnyArray({n}), y = AnyArray({n});
    // A computation of several instructions can be asynchronous only on another thread.
    const auto body_named = [n](std::string_view name, std::string_view thread) {
      return fmt::format(
          "{0} {{ {0}.p = f32[{1}] parameter(0) {0}.q = f32[{1}] parameter(1) {0}.s = f32[{1}] subtract({0}.p, {0}.q)\n"
          "ROOT {0}.m = f32[{1}] multiply({0}.s, {0}.q) }}{2}\n",
          name, n, thread);
    };
    const std::string body = body_named("body", ""), other = body_named("other", ", execution_thread=\"other\"");
    const Literal called = Result(fmt::format("ROOT r = f32[{}] call(x, y), to_apply=body", n), {x, y}, body);
    ENSURE(Result(fmt::format("ROOT r = f32[{}] fusion(x, y), kind=kLoop, calls=body", n), {x, y}, body)
               .BitwiseEqual(called));
    ENSURE(Result(fmt::format("s = ((f32[{0}], f32[{0}]), f32[{0}], u32[]) async-start(x, y), calls=other, "
                              "async_execution_thread=\"other\"\n"
                              "u = ((f32[{0}], f32[{0}]), f32[{0}], u32[]) async-update(s)\n"
                              "ROOT r = f32[{0}] async-done(u)",
                              n),
                  {x, y}, other)
               .BitwiseEqual(called));
  });
  Holds("dynamic-reshape to sizes that are the bounds is reshape", [] {
    const std::int64_t n = Between(1, 4), m = Between(1, 4);
    const Literal x = AnyArray({n * m});
    const Literal reshaped = Result(fmt::format("i = s32[] constant({0})\nj = s32[] constant({1})\n"
                                                "a = f32[<={0},<={1}] dynamic-reshape(x, i, j)\nb = f32[{0},<={1}] "
                                                "set-dimension-size(a, i), dimensions={{0}}\n"
                                                "ROOT r = f32[{0},{1}] set-dimension-size(b, j), dimensions={{1}}",
                                                n, m),
                                    {x});
    ENSURE(Result(fmt::format("ROOT r = f32[{},{}] reshape(x)", n, m), {x}).BitwiseEqual(reshaped));
  });
}

}  // namespace
}  // namespace assay::testing
