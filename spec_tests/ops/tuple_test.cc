// Ops that return operands unchanged: tuple, get-tuple-element, constant, opt-barrier, domain, add-dependency,
// after-all,
// copy-start, copy-done (XLA, Operation Semantics: Tuple, GetTupleElement, OptimizationBarrier, AfterAll).
#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

Shape Token() { return ShapeUtil::MakeTokenShape(); }

TEST_CASE("get-tuple-element: the example of XLA's documentation, sharing the elements") {
  Graph g;
  const Literal v = Array(F32, {10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), s = Array(S32, {}, {5});
  HloInstruction& tuple = g.Add(op_tuple, {&g.Parameter(v.shape()), &g.Parameter(s.shape())});
  const Literal t = Evaluate(tuple, {v, s});
  CHECK(t.elements()[0].data() == v.data());
  CHECK(Evaluate(g.Add(op_get_tuple_element, {&tuple}, {{"index", std::int64_t{1}}}), {t}).BitwiseEqual(s));
  const Literal first = Evaluate(g.Add(op_get_tuple_element, {&tuple}, {{"index", std::int64_t{0}}}), {t});
  CHECK(first.data() == v.data());
}

TEST_CASE("tuple: of nothing, and of tuples") {
  Graph g;
  CHECK(Evaluate(g.Add(op_tuple, {}), {}).shape() == ShapeUtil::MakeTupleShape({}));
  HloInstruction& nested = g.Parameter(ShapeUtil::MakeTupleShape({Token(), ShapeUtil::MakeShape(F32, {2})}));
  CHECK(op_tuple.legality.infer(g.Add(op_tuple, {&nested, &nested}))->ToStringWithoutLayout() ==
        "((token[], f32[2]), (token[], f32[2]))");
}

TEST_CASE("constant: the literal has the written shape") {
  Graph g;
  HloInstruction& constant = g.Add(op_constant, ShapeUtil::MakeShape(F32, {2}), {});
  constant.literal = Array(F32, {2}, {1, 2});
  CHECK(Evaluate(constant, {}).data() == constant.literal->data());
  constant.literal = Array(F32, {3}, {1, 2, 3});
  CHECK(WhyIllegal(constant) == "constant: the literal must have the shape of the constant f32[2], found f32[3]");
}

TEST_CASE("opt-barrier, domain and add-dependency return the operand, with its run-time sizes") {
  Graph g;
  const Shape bounded = ShapeUtil::MakeShape(F32, {3}, {true});
  const Shape shape = ShapeUtil::MakeTupleShape({bounded, ShapeUtil::MakeShape(S32, {})});
  Literal array = Array(F32, {3}, {1, 2, 3}).WithShape(bounded);
  array.set_dynamic_size(0, 2);
  const Literal value = Literal::MakeTuple({array, Array(S32, {}, {4})});
  HloInstruction& operand = g.Parameter(shape);
  HloInstruction& token = g.Parameter(Token());
  for (const Literal& result :
       {Evaluate(g.Add(op_opt_barrier, {&operand}), {value}), Evaluate(g.Add(op_domain, {&operand}), {value}),
        Evaluate(g.Add(op_add_dependency, {&operand, &token}), {value, Literal::MakeToken()})}) {
    CHECK(result.elements()[0].data() == array.data());
    CHECK(result.elements()[0].dynamic_size(0) == 2);
    CHECK(result.elements()[1].IntegerAt(0) == 4);
  }
  CHECK(WhyIllegal(g.Add(op_add_dependency, {&operand, &operand})) ==
        "add-dependency: operand 1 must be a token, found (f32[<=3], s32[])");
}

TEST_CASE("after-all: a token from tokens") {
  Graph g;
  HloInstruction& token = g.Parameter(Token());
  CHECK(Evaluate(g.Add(op_after_all, {}), {}).shape().IsToken());
  CHECK(
      Evaluate(g.Add(op_after_all, {&token, &token}), {Literal::MakeToken(), Literal::MakeToken()}).shape().IsToken());
  CHECK(WhyIllegal(g.Add(op_after_all, {&token, &g.Parameter(F32, {})})) ==
        "after-all: operand 1 must be a token, found f32[]");
}

TEST_CASE("copy-start gives destination, source and context, copy-done the destination") {
  Graph g;
  const Literal value = Array(F32, {2}, {1, 2});
  HloInstruction& start = g.Add(op_copy_start, {&g.Parameter(value.shape())});
  const Literal started = Evaluate(start, {value});
  CHECK(started.shape().ToStringWithoutLayout() == "(f32[2], f32[2], u32[])");
  const Literal done = Evaluate(g.Add(op_copy_done, {&start}), {started});
  CHECK(done.BitwiseEqual(value));
  CHECK(WhyIllegal(g.Add(op_copy_done, {&g.Parameter(F32, {2})})) ==
        "copy-done: operand 0 must be a tuple of destination, source and context as copy-start makes it, found f32[2]");
}

}  // namespace
}  // namespace assay::testing
