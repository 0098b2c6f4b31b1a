// An iteration of a loop returns what it changes.
#include "conformance/judging/loop_step.h"

#include "conformance/judging/compare.h"
#include "spec_tests/evaluator/module.h"

namespace assay::testing {
namespace {

constexpr char kScan[] =
    R"(condition {{ p = (s32[], f32[2], f32[2,2], f32[2]) parameter(0)  ROOT r = pred[] constant(false) }}
body {{ p = (s32[], f32[2], f32[2,2], f32[2]) parameter(0)  i = s32[] get-tuple-element(p), index=0
  x = f32[2] get-tuple-element(p), index=1
  w = f32[2,2] get-tuple-element(p), index=2
  last = f32[2] get-tuple-element(p), index=3
  one = s32[] constant(1)  j = s32[] add(i, one)
  y = f32[2] dot(w, x), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  ROOT r = (s32[], f32[2], f32[2,2], f32[2]) tuple({}) }}
ENTRY e {{ t = (s32[], f32[2], f32[2,2], f32[2]) parameter(0)
  ROOT l = (s32[], f32[2], f32[2,2], f32[2]) while(t), condition=condition, body=body }})";

Literal State(std::string_view counter, std::string_view x, std::string_view last) {
  return Literal::MakeTuple({Value(counter), Value(x), Value("f32[2,2] { { 1, 2 }, { 3, 4 } }"), Value(last)});
}

// Returns the shape of the results, and the state after the iteration of a body that ends in these elements.
std::pair<std::string, Literal> Step(std::string_view elements) {
  const auto module = Parsed(fmt::format(kScan, elements));
  const LoopStep step(module->entry->root->Computation("body"));
  const Literal before = State("s32[] 7", "f32[2] { 1, 10 }", "f32[2] { 5, 6 }");
  Result<Literal> result = Evaluate(step.module(), step.InputsFrom(before));
  REQUIRE(result);
  Result<Literal> after = step.StateAfter(before, *result);
  REQUIRE(after);
  return {step.module().entry->root->shape.ToStringWithoutLayout(), *std::move(after)};
}

}  // namespace

TEST_CASE("an iteration leaves out the elements that it keeps", "[judging]") {
  const auto [shape, after] = Step("j, y, w, last");
  CHECK(shape == "(s32[], f32[2])");
  CHECK(after.BitwiseEqual(State("s32[] 8", "f32[2] { 21, 43 }", "f32[2] { 5, 6 }")));
}

TEST_CASE("an element that moves to another place is no kept one", "[judging]") {
  const auto [shape, after] = Step("i, last, w, x");
  CHECK(shape == "(f32[2], f32[2])");
  CHECK(after.BitwiseEqual(State("s32[] 7", "f32[2] { 5, 6 }", "f32[2] { 1, 10 }")));
}

TEST_CASE("one result becomes several elements", "[judging]") {
  const auto [shape, after] = Step("i, y, w, y");
  CHECK(shape == "f32[2]");
  CHECK(after.BitwiseEqual(State("s32[] 7", "f32[2] { 21, 43 }", "f32[2] { 21, 43 }")));
}

// Rows 0 and 1 of the weights are stacked outputs here.
TEST_CASE("an iteration returns the part of an array that it replaces", "[judging]") {
  std::string text = fmt::format(kScan, "j, y, s, last");
  const std::string y = "  y = f32[2] dot";
  text.insert(text.find("  ROOT r = (s32[]"),
              "  k = s32[] subtract(i, six)\n  row = f32[1,2] reshape(y)\n"
              "  s = f32[2,2] dynamic-update-slice(w, row, k, zero)\n");
  text.insert(text.find(y), "  six = s32[] constant(6)\n  zero = s32[] constant(0)\n");
  const auto module = Parsed(text);
  const LoopStep step(module->entry->root->Computation("body"));
  const Literal before = State("s32[] 7", "f32[2] { 1, 10 }", "f32[2] { 5, 6 }");
  const Result<Literal> result = Evaluate(step.module(), step.InputsFrom(before));
  REQUIRE(result);
  CHECK(step.module().entry->root->shape.ToStringWithoutLayout() == "(s32[], f32[2], s32[], f32[1,2])");
  const Result<Literal> after = step.StateAfter(before, *result);
  REQUIRE(after);
  const Literal stacked = Value("f32[2,2] { { 1, 2 }, { 21, 43 } }");
  CHECK(after->elements()[2].BitwiseEqual(stacked));
  CHECK(before.elements()[2].BitwiseEqual(Value("f32[2,2] { { 1, 2 }, { 3, 4 } }")));
  CHECK(step.ChangesOf(before, *result).elements()[2].BitwiseEqual(Value("f32[1,2] { { 21, 43 } }")));
  ElementReport element;
  element.tuple_index = {2};
  element.offset = 1;
  step.MoveToState(before, *result, element);
  CHECK(element.offset == 3);
  CHECK(element.name == "element (2)[1,1]");
}

TEST_CASE("an iteration that keeps all returns the whole state", "[judging]") {
  const auto [shape, after] = Step("i, x, w, last");
  CHECK(shape == "(s32[], f32[2], f32[2,2], f32[2])");
  CHECK(after.BitwiseEqual(State("s32[] 7", "f32[2] { 1, 10 }", "f32[2] { 5, 6 }")));
}

}  // namespace assay::testing
