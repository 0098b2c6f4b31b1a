// The evaluation of a computation: arguments, order, observed and skipped instructions, and limits.
#include "interpreter/evaluator/evaluator.h"

#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

constexpr char kAdd[] = R"(a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  ROOT r = f32[2] add(a, b))";

constexpr char kEndless[] = R"(always { p = s32[] parameter(0) ROOT t = pred[] constant(true) }
next { p = s32[] parameter(0) one = s32[] constant(1) ROOT n = s32[] add(p, one) }
ENTRY e { p = s32[] parameter(0) ROOT w = s32[] while(p), condition=always, body=next }
)";

TEST_CASE("arguments are checked", "[evaluator]") {
  const Error few = WhyNot(kAdd, Values({"f32[2] {1, 2}"}));
  CHECK(few.code == ErrorCode::kInput);
  CHECK(few.message == "the entry computation e takes 2 arguments, found 1");
  CHECK(WhyNot(kAdd, Values({"f32[2] {1, 2}", "f32[2] {1, 2}", "f32[2] {1, 2}"})).code == ErrorCode::kInput);
  const Error shape = WhyNot(kAdd, Values({"f32[2] {1, 2}", "f32[3] {1, 2, 3}"}));
  CHECK(shape.code == ErrorCode::kInput);
  CHECK(shape.message == "argument 1 has shape f32[3], parameter b expects f32[2]");
  CHECK(WhyNot(kAdd, Values({"f32[2] {1, 2}", "s32[2] {1, 2}"})).code == ErrorCode::kInput);
  CHECK(WhyNot(kAdd, Values({"f32[2] {1, 2}", "(f32[2]) ({1, 2})"})).code == ErrorCode::kInput);
}

TEST_CASE("a sort compares what its comparator compares, and not only pairs of one operand", "[evaluator]") {
  const auto second = [](std::string_view comparator) {
    const std::string text = fmt::format(R"(before {{
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  e = s32[] parameter(4)
  f = s32[] parameter(5)
  {}
}}
ENTRY e {{
  x = s32[4] parameter(0)
  i = s32[4] iota(), iota_dimension=0
  s = (s32[4], s32[4], s32[4]) sort(x, i, x), dimensions={{0}}, to_apply=before
  ROOT r = s32[4] get-tuple-element(s), index=1
}})",
                                         comparator);
    return Evaluated(text, {Value("s32[4] {3, 1, 2, 3}")});
  };
  // The larger of equal copies, and the larger of numbers that are their absolute values, come first.
  const Literal descending = Value("s32[4] {0, 3, 2, 1}");
  CHECK(second("ROOT t = pred[] compare(b, e), direction=LT").BitwiseEqual(descending));
  CHECK(second("g = s32[] abs(b) ROOT t = pred[] compare(g, a), direction=LT").BitwiseEqual(descending));
}

TEST_CASE("layouts of arguments do not matter", "[evaluator]") {
  const std::string text = "HloModule m\nENTRY e { ROOT a = s8[2,2]{1,0} parameter(0) }";
  const Literal value = Value("s8[2,2]{0,1} {{1, 2}, {3, 4}}");
  CHECK(Evaluated(text, {value}).BitwiseEqual(value));
}

TEST_CASE("an op that is not evaluated is named with its place", "[evaluator]") {
  const Error error = WhyNot(R"(a = f32[] parameter(0)
  ROOT r = f32[] custom-call(a), custom_call_target="unknown")",
                             Values({"f32[] 1"}));
  CHECK(error.code == ErrorCode::kUnsupported);
  CHECK(error.location.line == 4);
}

TEST_CASE("a constant whose values the text elides has none", "[evaluator]") {
  const Error error = WhyNot(R"(bits { k = s8[5,6] constant({...}) ROOT x = s8[5,6] xor(k, k) }
ENTRY e { ROOT c = s8[5,6] call(), to_apply=bits })",
                             {});
  CHECK(error.code == ErrorCode::kInput);
  CHECK(error.location.line == 2);
  CHECK(error.message == "k has no values: the text elides them ({...}); FillElidedConstants fills them");
}

TEST_CASE("sparse and block-scaled operands of a product are not evaluated", "[evaluator]") {
  const Error error = WhyNot(R"(a = f32[2] parameter(0)
  ROOT r = f32[] dot(a, a), lhs_contracting_dims={0}, rhs_contracting_dims={0}, block_scaling_config={})",
                             Values({"f32[2] {1, 2}"}));
  CHECK(error.code == ErrorCode::kUnsupported);
  CHECK(error.message == "dot with block_scaling_config is not evaluated: only dense operands are");
  CHECK(error.location.line == 4);
}

TEST_CASE("steps and time are limited", "[evaluator][limits]") {
  const Error steps = WhyNot(kEndless, Values({"s32[] 0"}), {.limits = {.steps = 500, .seconds = 0}});
  CHECK(steps.code == ErrorCode::kLimit);
  CHECK(steps.message.starts_with("step limit: 500 instructions"));
  const Error time = WhyNot(kEndless, Values({"s32[] 0"}), {.limits = {.steps = INT64_MAX, .seconds = 0.05}});
  CHECK(time.code == ErrorCode::kLimit);
  CHECK(time.message.starts_with("time limit of 0.05 s"));
  // Two parameters and an addition.
  CHECK(WhyNot(kAdd, Values({"f32[2] {1, 2}", "f32[2] {1, 2}"}), {.limits = {.steps = 2, .seconds = 0}}).code ==
        ErrorCode::kLimit);
  Evaluated(kAdd, Values({"f32[2] {1, 2}", "f32[2] {1, 2}"}), {.limits = {.steps = 3, .seconds = 0}});
}

// Returns computations c0 to c(depth - 1), each of which calls the previous one; c0 negates.
std::string Chain(int depth) {
  std::string text = "HloModule m\nc_0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n";
  for (int i = 1; i < depth; ++i) {
    text += fmt::format("c_{} {{ p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=c_{} }}\n", i, i - 1);
  }
  return text;
}

TEST_CASE("calls may nest deep, and too deep is an error", "[evaluator][limits]") {
  const std::string root = "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=c_";
  const Literal one = Value("f32[] 1");
  CHECK(Evaluated(Chain(900) + root + "899 }", {one}).BitwiseEqual(Value("f32[] -1")));
  CHECK(WhyNot(Chain(100000) + root + "99999 }", {one}).code == ErrorCode::kLimit);
}

TEST_CASE("too deep is an error even when each part is reached by a short way first", "[evaluator][limits]") {
  std::string text = Chain(9000) + "ENTRY e {\n r0 = f32[] parameter(0)\n";
  for (int i = 1; i <= 10; ++i) text += fmt::format(" r{} = f32[] call(r{}), to_apply=c_{}\n", i, i - 1, 900 * i - 1);
  CHECK(WhyNot(text + " ROOT r = f32[] copy(r10)\n}", Values({"f32[] 1"})).code == ErrorCode::kLimit);
}

TEST_CASE("dead code is not evaluated", "[evaluator]") {
  const MemoryLimit limit(1 << 20);
  const std::string body = R"(ENTRY e {
  a = f32[] parameter(0)
  unused = f32[] parameter(1)
  huge = f32[1000000000000] broadcast(a), dimensions={}
  twice = f32[1000000000000] add(huge, huge)
)";
  const std::vector<Literal> arguments = Values({"f32[] 1", "f32[] 2"});
  CHECK(Evaluated(body + " ROOT r = f32[] negate(a)\n}", arguments).BitwiseEqual(Value("f32[] -1")));
  // The check can fail: a use makes it live.
  CHECK(WhyNot(body + " ROOT r = (f32[], f32[1000000000000]) tuple(a, twice)\n}", arguments).code == ErrorCode::kLimit);
}

TEST_CASE("a value used twice by one instruction is whole both times", "[evaluator][sharing]") {
  const Literal x = Value("f32[3] {1, 2, 4}");
  CHECK(Evaluated("HloModule m\nENTRY e { a = f32[3] parameter(0) ROOT r = f32[3] add(a, a) }", {x})
            .BitwiseEqual(Value("f32[3] {2, 4, 8}")));
  CHECK(Evaluated("HloModule m\nENTRY e { a = f32[3] parameter(0) ROOT r = (f32[3], f32[3]) tuple(a, a) }", {x})
            .BitwiseEqual(Value("(f32[3], f32[3]) ({1, 2, 4}, {1, 2, 4})")));
}

TEST_CASE("an in-place update leaves what others still need", "[evaluator][sharing]") {
  const std::vector<Literal> arguments = Values({"f32[3] {1, 2, 4}", "f32[1] {9}", "s32[] 1"});
  const std::string body = R"(ENTRY e {
  a = f32[3] parameter(0)
  u = f32[1] parameter(1)
  i = s32[] parameter(2)
)";
  // The operand is used later.
  CHECK(Evaluated(body + R"(
  d = f32[3] dynamic-update-slice(a, u, i)
  ROOT r = (f32[3], f32[3]) tuple(a, d)
})",
                  arguments)
            .BitwiseEqual(Value("(f32[3], f32[3]) ({1, 2, 4}, {1, 9, 4})")));
  // The operand's buffer is also an element of a tuple.
  CHECK(Evaluated(body + R"(
  t = (f32[3], f32[3]) tuple(a, a)
  x = f32[3] get-tuple-element(t), index=0
  y = f32[3] get-tuple-element(t), index=1
  d = f32[3] dynamic-update-slice(x, u, i)
  ROOT r = (f32[3], f32[3]) tuple(d, y)
})",
                  arguments)
            .BitwiseEqual(Value("(f32[3], f32[3]) ({1, 9, 4}, {1, 2, 4})")));
  // A reshape shares the elements.
  CHECK(Evaluated(body + R"(
  s = f32[3,1] reshape(a)
  d = f32[3] dynamic-update-slice(a, u, i)
  ROOT r = (f32[3,1], f32[3]) tuple(s, d)
})",
                  arguments)
            .BitwiseEqual(Value("(f32[3,1], f32[3]) ({{1}, {2}, {4}}, {1, 9, 4})")));
  // The caller's own literals stay unchanged.
  CHECK(Evaluated(body + " ROOT r = f32[3] dynamic-update-slice(a, u, i)\n}", arguments)
            .BitwiseEqual(Value("f32[3] {1, 9, 4}")));
  CHECK(arguments[0].BitwiseEqual(Value("f32[3] {1, 2, 4}")));
}

TEST_CASE("a constant is not changed by updates of it", "[evaluator][sharing]") {
  const auto module = Parsed(R"(c = f32[2] constant({1, 2})
  u = f32[1] constant({9})
  i = s32[] constant(0)
  ROOT d = f32[2] dynamic-update-slice(c, u, i))");
  for (int run = 0; run < 2; ++run) CHECK(Evaluated(*module, {}).BitwiseEqual(Value("f32[2] {9, 2}")));
  CHECK(module->entry->instructions[0]->literal->BitwiseEqual(Value("f32[2] {1, 2}")));
}

TEST_CASE("the observer sees what computes, in order, with the operands as they were", "[evaluator][observer]") {
  std::vector<std::string> seen;
  EvaluationOptions options;
  options.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                         DeviceId) {
    seen.push_back(instruction.name);
    if (instruction.name == "d") {
      REQUIRE(operands.size() == 3);
      CHECK(operands[0].BitwiseEqual(Value("f32[2] {2, 4}")));
      CHECK(result.BitwiseEqual(Value("f32[2] {9, 4}")));
    }
    if (instruction.name == "n") CHECK(operands[0].BitwiseEqual(Value("s32[] 1")));
  };
  Evaluated(R"(inner { p = s32[] parameter(0) ROOT n = s32[] negate(p) }
ENTRY e {
  a = f32[2] parameter(0)
  u = f32[1] constant({9})
  one = s32[] constant(1)
  minus = s32[] call(one), to_apply=inner
  s = f32[2] add(a, a)
  d = f32[2] dynamic-update-slice(s, u, minus)
  t = (f32[2], s32[]) tuple(d, minus)
  ROOT r = f32[2] get-tuple-element(t), index=0
})",
            Values({"f32[2] {1, 2}"}), options);
  CHECK(seen == std::vector<std::string>{"n", "minus", "s", "d", "t"});
}

TEST_CASE("the observer sees each trip of a loop", "[evaluator][observer]") {
  int bodies = 0, conditions = 0;
  EvaluationOptions options;
  options.observer = [&](const HloInstruction& instruction, std::span<const Literal>, const Literal&, DeviceId) {
    bodies += instruction.name == "n";
    conditions += instruction.name == "less";
  };
  const Literal result = Evaluated(R"(
below { p = s32[] parameter(0) five = s32[] constant(5) ROOT less = pred[] compare(p, five), direction=LT }
next { p = s32[] parameter(0) one = s32[] constant(1) ROOT n = s32[] add(p, one) }
ENTRY e { p = s32[] parameter(0) ROOT w = s32[] while(p), condition=below, body=next }
)",
                                   Values({"s32[] 0"}), options);
  CHECK(result.BitwiseEqual(Value("s32[] 5")));
  CHECK(bodies == 5);
  CHECK(conditions == 6);
}

}  // namespace
}  // namespace assay::testing
