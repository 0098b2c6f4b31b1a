// Reductions, sorts and map through the builder.
#include <functional>

#include "spec_tests/builder/built.h"

using namespace assay;
using namespace assay::xla;
using namespace assay::testing;

namespace {

const std::string kMaxer =
    "maxer { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT maximum = f32[] maximum(a, b) }\n";

XlaComputation Maxer() {
  XlaBuilder builder("maxer");
  Max(Parameter(&builder, 0, ShapeUtil::MakeScalarShape(F32), "a"),
      Parameter(&builder, 1, ShapeUtil::MakeScalarShape(F32), "b"));
  return Built(builder);
}

void CheckFolds(const std::function<XlaOp(XlaOp x, XlaOp init)>& function, const std::string& instruction) {
  CheckInstructions({"x = f32[4,6]", "init = f32[]"}, OF_ALL(p, function(p[0], p[1])), instruction, kMaxer);
}

}  // namespace

TEST_CASE("Reduce") {
  CheckFolds(OF_TWO(x, init, Reduce(x, init, Maxer(), {1})),
             "ROOT reduce = f32[4] reduce(x, init), dimensions={1}, to_apply=maxer");
  CheckFolds(OF_TWO(x, init, ReduceAll(x, init, Maxer())),
             "ROOT reduce = f32[] reduce(x, init), dimensions={0,1}, to_apply=maxer");
  const auto error = [](const XlaComputation& computation) {
    return WhyNotAdded({"x = s32[4]"}, OF_ALL(p, ReduceAll(p[0], Zero(p[0].builder(), S32), computation)));
  };
  CHECK_THAT(error(Maxer()), Catch::Matchers::StartsWith("reduce(s32[4], s32[]): "));
  CHECK(error(XlaComputation()) == "reduce(s32[4], s32[]): to_apply is not a computation");
}

// The specification's arg-max: f(max, argmax, value, index) keeps the later of equal values.
TEST_CASE("Reduce of several operands") {
  XlaBuilder reducer("argmax");
  const Shape real = ShapeUtil::MakeScalarShape(F32), integer = ShapeUtil::MakeScalarShape(S32);
  auto max = Parameter(&reducer, 0, real, "max"), value = Parameter(&reducer, 2, real, "value");
  auto argmax = Parameter(&reducer, 1, integer, "argmax"), index = Parameter(&reducer, 3, integer, "index");
  auto replaces = Ge(value, max);
  Tuple(&reducer, {Select(replaces, value, max), Select(replaces, index, argmax)});
  const XlaComputation computation = Built(reducer);

  XlaBuilder builder("test");
  auto values = ConstantR1<float>(&builder, {3, 7, 1, 7});
  Reduce(&builder, {values, Iota(&builder, S32, 4)}, {MinValue(&builder, F32), ConstantR0<std::int32_t>(&builder, -1)},
         computation, {0});
  const Literal result = Run(builder);
  CHECK(result.elements()[0].Get<float>({}) == 7);
  CHECK(result.elements()[1].Get<std::int32_t>({}) == 3);
}

// The running sums of a vector and their last carry; then the powers of two, which need no input.
TEST_CASE("Scan") {
  const Shape scalar = ShapeUtil::MakeScalarShape(F32);
  XlaBuilder step("step"), doubling("doubling");
  auto x = Parameter(&step, 0, scalar, "x");
  auto sum = x + Parameter(&step, 1, scalar, "carry");
  Tuple(&step, {sum, sum});
  for (const bool is_reverse : {false, true}) {
    XlaBuilder builder("test");
    Scan({ConstantR1<float>(&builder, {1, 2, 3})}, {Zero(&builder, F32)}, Built(step), 0, std::nullopt, is_reverse,
         TRI_STATE_TRUE);
    const Literal result = Run(builder);
    CHECK(LiteralUtil::ToString(result.elements()[0]) == (is_reverse ? "f32[3] {6, 5, 3}" : "f32[3] {1, 3, 6}"));
    CHECK(result.elements()[1].Get<float>({}) == 6);
  }
  auto power = Parameter(&doubling, 0, scalar, "power");
  Tuple(&doubling, {power, power + power});
  XlaBuilder builder("test");
  Scan({}, {One(&builder, F32)}, Built(doubling), 0, /*scan_dimension_size=*/4);
  CHECK(LiteralUtil::ToString(Run(builder).elements()[0]) == "f32[4] {1, 2, 4, 8}");
}

TEST_CASE("ReduceWindow") {
  CheckFolds(OF_TWO(x, init, ReduceWindow(x, init, Maxer(), {2, 3}, {2, 3}, Padding::kValid)),
             "ROOT reduce-window = f32[2,2] reduce-window(x, init), window={size=2x3 stride=2x3}, to_apply=maxer");
  CheckFolds(OF_TWO(x, init, ReduceWindow(x, init, Maxer(), {2, 4}, {1, 3}, Padding::kSame)),
             "ROOT reduce-window = f32[4,2] reduce-window(x, init), window={size=2x4 stride=1x3 pad=0_1x0_1}, "
             "to_apply=maxer");
  CheckFolds(
      OF_TWO(x, init, ReduceWindowWithGeneralPadding(x, init, Maxer(), {2, 2}, {}, {2, 1}, {1, 3}, {{1, 0}, {0, -1}})),
      "ROOT reduce-window = f32[7,2] reduce-window(x, init), "
      "window={size=2x2 pad=1_0x0_-1 lhs_dilate=2x1 rhs_dilate=1x3}, to_apply=maxer");
  CHECK(WhyNotAdded({"x = f32[4,6]"},
                    OF_ALL(p, ReduceWindow(p[0], Zero(p[0].builder(), F32), Maxer(), {2, 3}, {1}, Padding::kValid))) ==
        "reduce-window(f32[4,6], f32[]): window_strides must have one entry for each of the 2 window dimensions, found "
        "1");
}

// The specification's example of padding: the minimum over windows of 3 with stride 2, starting from the largest float.
TEST_CASE("Padding of a window") {
  for (const Padding padding : {Padding::kValid, Padding::kSame}) {
    XlaBuilder miner("miner");
    Min(Parameter(&miner, 0, ShapeUtil::MakeScalarShape(F32), "a"),
        Parameter(&miner, 1, ShapeUtil::MakeScalarShape(F32), "b"));
    XlaBuilder builder("test");
    ReduceWindow(ConstantR1<float>(&builder, {10000, 1000, 100, 10, 1}), MaxFiniteValue(&builder, F32), Built(miner),
                 {3}, {2}, padding);
    CHECK(LiteralUtil::ToString(Run(builder)) ==
          (padding == Padding::kValid ? "f32[2] {100, 1}" : "f32[3] {1000, 10, 1}"));
  }
  CHECK((MakePadding({5, 6}, {3, 2}, {2, 1}, Padding::kSame) == PaddingList{{1, 1}, {0, 1}}));
  CHECK((MakePadding({5, 6}, {3, 2}, {2, 1}, Padding::kValid) == PaddingList{{0, 0}, {0, 0}}));
}

TEST_CASE("A window over nothing has no position, padded or not") {
  for (const Padding padding : {Padding::kValid, Padding::kSame}) {
    XlaBuilder builder("test");
    ReduceWindow(Zeros(&builder, ShapeUtil::MakeShape(F32, {0})), Zero(&builder, F32), Maxer(), {3}, {1}, padding);
    CHECK(Built(builder).GetProgramShape()->result == ShapeUtil::MakeShape(F32, {0}));
  }
}

TEST_CASE("SelectAndScatter") {
  XlaBuilder selector("selector");
  Ge(Parameter(&selector, 0, ShapeUtil::MakeScalarShape(F32), "l"),
     Parameter(&selector, 1, ShapeUtil::MakeScalarShape(F32), "r"));
  const XlaComputation select = Built(selector);
  const std::string selects =
      "selector { l = f32[] parameter(0)  r = f32[] parameter(1)  ROOT compare = pred[] compare(l, r), direction=GE "
      "}\n";
  for (const bool is_general : {false, true}) {
    CheckInstructions(
        {"x = f32[4,6]", "source = f32[2,2]", "init = f32[]"},
        OF_ALL(p, is_general ? SelectAndScatterWithGeneralPadding(p[0], select, {2, 3}, {2, 3}, {{0, 0}, {0, 0}}, p[1],
                                                                  p[2], Maxer())
                             : SelectAndScatter(p[0], select, {2, 3}, {2, 3}, Padding::kValid, p[1], p[2], Maxer())),
        "ROOT select-and-scatter = f32[4,6] select-and-scatter(x, source, init), window={size=2x3 stride=2x3}, "
        "select=selector, scatter=maxer",
        selects + kMaxer);
  }
}

TEST_CASE("Sort and TopK") {
  const auto comparator = [] {
    XlaBuilder builder("less");
    LtTotalOrder(Parameter(&builder, 0, ShapeUtil::MakeScalarShape(F32), "l"),
                 Parameter(&builder, 1, ShapeUtil::MakeScalarShape(F32), "r"));
    return Built(builder);
  };
  const std::string less =
      "less { l = f32[] parameter(0)  r = f32[] parameter(1)  ROOT compare = pred[] compare(l, r), direction=LT, "
      "type=TOTALORDER }\n";
  CheckInstructions({"x = f32[2,3]"}, OF_ALL(p, Sort({p[0]}, comparator())),
                    "ROOT sort = f32[2,3] sort(x), dimensions={1}, to_apply=less", less);
  CheckInstructions({"x = f32[2,3]"}, OF_ALL(p, Sort({p[0]}, comparator(), 0, /*is_stable=*/true)),
                    "ROOT sort = f32[2,3] sort(x), dimensions={0}, is_stable=true, to_apply=less", less);

  XlaBuilder builder("test");
  TopK(ConstantR1<float>(&builder, {1, 5, 3, 4}), 2, /*largest=*/true);
  const Literal top = Run(builder);
  CHECK(LiteralUtil::ToString(top.elements()[0]) == "f32[2] {5, 4}");
  CHECK(LiteralUtil::ToString(top.elements()[1]) == "s32[2] {1, 3}");
}

TEST_CASE("Map") {
  CheckFolds(OF_TWO(x, init, Map(x.builder(), {x, x}, Maxer(), {0, 1})),
             "ROOT map = f32[4,6] map(x, x), dimensions={0,1}, to_apply=maxer");
  CHECK(WhyNotAdded({"x = f32[4,6]"}, OF_ALL(p, Map(p[0].builder(), {p[0], p[0]}, Maxer(), {1}))) ==
        "map(f32[4,6], f32[4,6]): dimensions must be all 2 of the operands in order");
}

TEST_CASE("Map takes scalars beside arrays in any order") {
  for (const bool scalar_first : {true, false}) {
    XlaBuilder builder("test");
    auto x = ConstantR1<float>(&builder, {1, 5, 3}), four = ConstantR0<float>(&builder, 4);
    Map(&builder, scalar_first ? std::vector{four, x} : std::vector{x, four}, Maxer(), {0});
    CHECK(LiteralUtil::ToString(Run(builder)) == "f32[3] {4, 5, 4}");
  }
  XlaBuilder builder("test");
  auto four = ConstantR0<float>(&builder, 4);
  Map(&builder, {four, ConstantR1<float>(&builder, {1})}, Maxer(), {});
  CHECK(WhyNotBuilt(builder) == "test: map(f32[], f32[1]): dimensions must be all 1 of the operands in order");
}

TEST_CASE("A computation that is called twice is there once") {
  CheckFolds([maxer = Maxer()](XlaOp x, XlaOp init) { return Reduce(Reduce(x, init, maxer, {1}), init, maxer, {0}); },
             "reduce = f32[4] reduce(x, init), dimensions={1}, to_apply=maxer\n"
             "ROOT reduce.1 = f32[] reduce(reduce, init), dimensions={0}, to_apply=maxer");
}

TEST_CASE("Computations of computations") {
  XlaBuilder inner("inner");
  ReduceAll(Parameter(&inner, 0, ShapeUtil::MakeShape(F32, {3}), "v"), MinValue(&inner, F32), Maxer());
  XlaBuilder builder("test");
  const XlaComputation reduction = Built(inner);
  auto x = ConstantR1<float>(&builder, {3, 9, 6});
  Call(&builder, reduction, {x}) + Call(&builder, reduction, {Neg(x)});
  CHECK(Run(builder).Get<float>({}) == 6);
}
