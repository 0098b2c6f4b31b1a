// Sums whose order a profile promises, alone and within programs that are judged by their sets.
#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

Profile Promising(const std::string& row, const std::string& base) {
  const std::string text = R"({"name": "p", "meaning": "m", "extends": ")" + base +
                           R"(", "orders": [{"source": "s", "accumulator": "f32", )" + row + "}]}";
  return Profile::Parse(text, "p.json").value();
}

// Judges the result of a program by its set.
Verdict Judge(const std::string& row, const std::string& instructions, const std::vector<std::string_view>& arguments,
              std::string_view got, const std::string& base = "ieee") {
  const auto module = Parsed(instructions);
  const Profile profile = Promising(row, base);
  const Result<ValueSet> set = EvaluateSets(*module, Values(arguments), profile);
  REQUIRE(set);
  return JudgeBySet(*set, Value(got)).verdict;
}

// 1 + 2^-24 + 2^-24 is 1 from the first term to the last, and 1 + 2^-23 from the last to the first, which is exact.
constexpr std::string_view kThreeTerms = "f32[3] {1, 5.9604644775390625e-08, 5.9604644775390625e-08}";
constexpr std::string_view kBackward = "f32[] 1.00000011920928955078125", kForward = "f32[] 1";
const std::string kSum =
    "x = f32[3] parameter(0) z = f32[] constant(0)\n"
    "s = f32[] reduce(x, z), dimensions={0}, to_apply=add_f32\n";

TEST_CASE("a broken promise of an order fails inside of a program", "[acceptance][orders]") {
  const std::string program = kSum + "ROOT r = f32[] maximum(s, z)";
  const std::string forward = R"("op": "reduce", "levels": [[1, 0]])", back = R"("op": "reduce", "levels": [[-1, 0]])";
  CHECK(Judge(forward, program, {kThreeTerms}, kBackward) == Verdict::kExact);
  CHECK(Judge(forward, program, {kThreeTerms}, kForward) == Verdict::kLegal);
  CHECK(Judge(back, program, {kThreeTerms}, kBackward) == Verdict::kExact);
  CHECK(Judge(back, program, {kThreeTerms}, kForward) == Verdict::kFail);
  // The promise is of another op.
  CHECK(Judge(R"("op": "dot", "levels": [[-1, 0]])", program, {kThreeTerms}, kForward) == Verdict::kLegal);
}

TEST_CASE("a promised order of open terms has the sums of all orders", "[acceptance][orders]") {
  const std::string program =
      "y = f32[3] parameter(0) x = f32[3] exponential(y) z = f32[] constant(0)\n"
      "ROOT s = f32[] reduce(x, z), dimensions={0}, to_apply=add_f32";
  const std::string back = R"("op": "reduce", "levels": [[-1, 0]])";
  // The logarithm of 2^-24 is rounded: the exact sum is near 1 + 2^-23, and 1 is the sum in the other order.
  CHECK(Judge(back, program, {"f32[3] {0, -16.635532, -16.635532}"}, kForward, "xla") == Verdict::kLegal);
}

TEST_CASE("a promise of operands holds for their shapes", "[acceptance][orders]") {
  const std::string vectors =
      "x = f32[1,3] parameter(0) y = f32[3,1] parameter(1)\n"
      "s = f32[1,1] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "ROOT r = f32[] reshape(s)";
  const std::vector<std::string_view> arguments = {"f32[1,3] {{1, 5.9604644775390625e-08, 5.9604644775390625e-08}}",
                                                   "f32[3,1] {{1}, {1}, {1}}"};
  const std::string back = R"("op": "dot", "levels": [[-1, 0]], "operands": )";
  CHECK(Judge(back + "[[1, 0], [0, 1]]", vectors, arguments, kForward) == Verdict::kFail);
  CHECK(Judge(back + "[[1, 3]]", vectors, arguments, kForward) == Verdict::kFail);
  for (const std::string others :
       {"[[0, 0], [0, 1]]", "[[1, 0], [0, 0]]", "[[1, 4]]", "[[3]]", "[[1, 3], [3, 1], []]"}) {
    INFO(others);
    CHECK(Judge(back + others, vectors, arguments, kForward) == Verdict::kLegal);
  }
}

}  // namespace
}  // namespace assay::testing
