// The builder itself: names, roots, called computations, errors.
#include "interpreter/builder/add_instruction.h"
#include "spec_tests/builder/built.h"

using namespace assay;
using namespace assay::xla;
using namespace assay::testing;

namespace {

const Shape kVector = ShapeUtil::MakeShape(F32, {4});

}  // namespace

TEST_CASE("The last operation is the root, or the one that is named") {
  XlaBuilder builder("axpy");
  auto a = Parameter(&builder, 0, ShapeUtil::MakeScalarShape(F32), "a");
  auto x = Parameter(&builder, 1, kVector, "x");
  auto product = a * x;
  auto sum = product + Parameter(&builder, 2, kVector, "y");
  Neg(sum);
  const auto named = builder.Build(sum);
  REQUIRE(named.has_value());
  CheckIsText(*named, R"(ENTRY axpy { a = f32[] parameter(0)  broadcast = f32[4] broadcast(a), dimensions={}
    x = f32[4] parameter(1)  multiply = f32[4] multiply(broadcast, x)  y = f32[4] parameter(2)
    ROOT add = f32[4] add(multiply, y)
    negate = f32[4] negate(add)
  })");
  const auto arguments = [] {
    return std::vector<Literal>{LiteralUtil::CreateR0<float>(2), LiteralUtil::CreateR1<float>({1, 2, 3, 4}),
                                LiteralUtil::CreateR1<float>({10, 20, 30, 40})};
  };
  CHECK(LiteralUtil::ToString(Run(*named, arguments())) == "f32[4] {12, 24, 36, 48}");
  CHECK(LiteralUtil::ToString(Run(builder, arguments())) == "f32[4] {-12, -24, -36, -48}");
}

TEST_CASE("Names are the op's, made unique; those of parameters are made legal") {
  XlaBuilder builder("2 steps");
  auto x = Parameter(&builder, 0, kVector, "my x");
  Abs(Abs(Add(x, Parameter(&builder, 1, kVector, "my x"))));
  CheckIsText(Built(builder), R"(ENTRY __steps { my_x = f32[4] parameter(0)  my_x.1 = f32[4] parameter(1)
    add = f32[4] add(my_x, my_x.1)  abs = f32[4] abs(add)  ROOT abs.1 = f32[4] abs(abs) })");
}

TEST_CASE("A computation has the shape of its program") {
  XlaBuilder builder("test");
  auto x = Parameter(&builder, 0, kVector, "x");
  CHECK(*builder.GetShape(x) == kVector);
  Lt(x, Parameter(&builder, 1, kVector, "y"));
  const Result<ProgramShape> so_far = builder.GetProgramShape();
  const XlaComputation computation = Built(builder);
  for (const Result<ProgramShape>& shape : {so_far, computation.GetProgramShape()}) {
    REQUIRE(shape.has_value());
    CHECK(shape->parameters == std::vector<Shape>{kVector, kVector});
    CHECK(shape->parameter_names == std::vector<std::string>{"x", "y"});
    CHECK(shape->result == ShapeUtil::MakeShape(PRED, {4}));
  }
  CHECK(computation.name() == "test");
  CHECK_FALSE(XlaComputation().GetProgramShape().has_value());
}

TEST_CASE("The first error is reported with the number of the others") {
  XlaBuilder builder("test");
  auto x = Parameter(&builder, 0, kVector, "x");
  auto y = Parameter(&builder, 1, ShapeUtil::MakeShape(F32, {5}), "y");
  CHECK(builder.first_error().has_value());
  auto bad = Add(x, y);
  CHECK_FALSE(bad.valid());
  CHECK(bad.builder() == &builder);
  const std::string message =
      "test: add(f32[4], f32[5]): dimension 0 of f32[4] and f32[5] is not compatible: sizes must be equal or one of "
      "them 1, found 4 and 5";
  CHECK(WhyNotBuilt(builder) == message);
  // Users of the erroneous operation add no errors.
  auto also_bad = Select(Lt(bad, x), Neg(bad), x) * ScalarLike(bad, 2);
  CHECK_FALSE(also_bad.valid());
  CHECK_FALSE(builder.GetShape(also_bad).has_value());
  CHECK(WhyNotBuilt(builder) == message);
  Not(x);
  CHECK(WhyNotBuilt(builder) == message + " (and 1 more error)");
  Sub(y, x);
  CHECK(WhyNotBuilt(builder) == message + " (and 2 more errors)");
  CHECK_FALSE(builder.first_error().has_value());
}

TEST_CASE("Operations stay within their builder") {
  XlaBuilder builder("test"), other("other");
  auto x = Parameter(&builder, 0, kVector, "x");
  auto foreign = Parameter(&other, 0, kVector, "x");
  Add(x, foreign);
  CHECK(WhyNotBuilt(builder) == "test: add(f32[4], f32[4]): operand 1 belongs to another builder");
  CHECK(Built(other).name() == "other");
  CHECK_FALSE(other.GetShape(x).has_value());
  const auto with_foreign_root = other.Build(x);
  REQUIRE_FALSE(with_foreign_root.has_value());
  CHECK(with_foreign_root.error().message == "other: the root belongs to another builder, or to none");

  XlaBuilder unset("unset");
  Add(Parameter(&unset, 0, kVector, "x"), XlaOp());
  CHECK(WhyNotBuilt(unset) == "unset: add(f32[4], ?): operand 1 is not an operation");
}

TEST_CASE("An operation without a builder is an error of the builder that is used next") {
  const auto error = [](auto add) {
    XlaBuilder builder("test");
    One(&builder, F32);
    CHECK(add().IsUninitialized());
    CHECK_FALSE(builder.first_error().has_value());
    const std::string message = WhyNotBuilt(builder);
    // The error has been reported.
    XlaBuilder other("other");
    One(&other, F32);
    CHECK(other.Build().has_value());
    return message;
  };
  XlaBuilder less("less");
  Lt(Parameter(&less, 0, ShapeUtil::MakeScalarShape(F32), "x"),
     Parameter(&less, 1, ShapeUtil::MakeScalarShape(F32), "y"));
  const XlaComputation function = Built(less);
  const std::string none = "takes at least 1 operand, found 0";
  CHECK(error([] { return Concatenate({}, 0); }) == "test: concatenate(): " + none);
  CHECK(error([&] { return Sort({}, function); }) == "test: sort(): " + none);
  CHECK(error([&] {
          return ReduceWindow(std::vector<XlaOp>{}, std::vector<XlaOp>{}, function, {1}, {1}, Padding::kValid);
        }) == "test: reduce-window(): " + none);
  CHECK(error([] { return AllToAllTuple(std::vector<XlaOp>{}); }) == "test: all-to-all(): " + none);
  CHECK(error([] { return Neg(XlaOp()); }) == "test: negate(?): no operand is an operation");
  CHECK(error([] { return Outfeed(XlaOp(), kVector); }) == "test: outfeed(?): no operand is an operation");
  // It precedes errors that the builder itself finds.
  XlaBuilder builder("test");
  auto x = Parameter(&builder, 0, kVector, "x");
  Concatenate({}, 0);
  Not(x);
  CHECK(WhyNotBuilt(builder) == "test: concatenate(): " + none + " (and 1 more error)");
}

TEST_CASE("A given shape is that of the result") {
  const auto error = [](auto add) {
    XlaBuilder builder("test");
    add(Zero(&builder, F32), One(&builder, F32));
    return WhyNotBuilt(builder);
  };
  CHECK(error(OF_TWO(a, b, RngUniform(a, b, ShapeUtil::MakeShape(F64, {3})))) ==
        "test: rng(f32[], f32[]): declared f64[3], inferred f32[3]");
  CHECK(error(OF_TWO(a, b, RngUniform(a, b, ShapeUtil::MakeShape(S32, {3})))) ==
        "test: rng(f32[], f32[]): declared s32[3], inferred f32[3]");
  CHECK(error(OF_TWO(a, b, RngNormal(a, b, ShapeUtil::MakeShape(F64, {3})))) ==
        "test: rng(f32[], f32[]): declared f64[3], inferred f32[3]");
  XlaBuilder adder("adder");
  Add(Parameter(&adder, 0, ShapeUtil::MakeScalarShape(F32), "a"),
      Parameter(&adder, 1, ShapeUtil::MakeScalarShape(F32), "b"));
  const XlaComputation sum = Built(adder);
  for (const Shape& shape : {ShapeUtil::MakeShape(F32, {3}), ShapeUtil::MakeShape(S32, {2})}) {
    CHECK(error(OF_TWO(a, n, AllReduce(Broadcast(a, {2}), sum, {}, std::nullopt, shape))) ==
          "test: all-reduce(f32[2]): declared " + shape.ToStringWithoutLayout() + ", inferred f32[2]");
  }
  const Shape pair = ShapeUtil::MakeTupleShape({ShapeUtil::MakeShape(F32, {}), ShapeUtil::MakeShape(F32, {3})});
  CHECK(error(OF_TWO(a, b, AllReduce(Tuple(a.builder(), {a, b}), sum, {}, std::nullopt, pair))) ==
        "test: all-reduce(f32[], f32[]): declared (f32[], f32[3]), inferred (f32[], f32[])");
}

TEST_CASE("Parameters are numbered without gaps") {
  XlaBuilder empty("empty");
  CHECK(WhyNotBuilt(empty) == "empty: the computation has no operations");
  CHECK_FALSE(empty.GetProgramShape().has_value());
  XlaBuilder twice("twice");
  Parameter(&twice, 0, kVector, "x");
  Parameter(&twice, 0, kVector, "y");
  CHECK(WhyNotBuilt(twice) == "twice: parameter 0 y of f32[4]: there is a parameter of this number");
  XlaBuilder gap("gap");
  Parameter(&gap, 1, kVector, "x");
  CHECK_FALSE(gap.GetProgramShape().has_value());
  CHECK(WhyNotBuilt(gap) == "gap: x: parameter numbers of gap must be 0 to 0, found 1");
  XlaBuilder negative("negative");
  Parameter(&negative, -1, kVector, "x");
  CHECK_FALSE(negative.Build().has_value());
}

TEST_CASE("Shapes that no value can have are errors") {
  XlaBuilder builder("test");
  Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {-2}), "x");
  Iota(&builder, ShapeUtil::MakeShape(S32, {1 << 20, 1 << 20, 1 << 20, 1 << 20}), 0);
  Iota(&builder, ShapeUtil::MakeShape(S32, {4}), 1);
  Iota(&builder, Shape(), 0);
  CHECK_THAT(WhyNotBuilt(builder), Catch::Matchers::EndsWith("(and 3 more errors)"));
}

TEST_CASE("Ops that have no function are added by name") {
  XlaBuilder builder("test");
  auto x = Parameter(&builder, 0, kVector, "x");
  AddInstruction("shuffle", {x}, {{"dimensions", Int64List{0}}, {"mode", "rotate"}, {"shifts", Int64List{1}}});
  CheckIsText(Built(builder), R"(ENTRY test { x = f32[4] parameter(0)
    ROOT shuffle = f32[4] shuffle(x), dimensions={0}, mode=rotate, shifts={1} })");

  const auto error = [](auto add) {
    XlaBuilder b("test");
    add(Parameter(&b, 0, kVector, "x"));
    return WhyNotBuilt(b);
  };
  CHECK(error(OF(y, AddInstruction("shuffled", {y}))) == "test: shuffled(f32[4]): there is no op of this name");
  CHECK(error(OF(y, AddInstruction("abs", {y}, {{"mode", "rotate"}}))) ==
        "test: abs(f32[4]): the op has no attribute mode");
  CHECK(error(OF(y, AddInstruction("abs", {y, y}))) == "test: abs(f32[4], f32[4]): abs takes 1 operand, found 2");
  CHECK(error(OF(y, AddInstruction("reverse", {y}))) ==
        "test: reverse(f32[4]): reverse needs the attribute dimensions");
  CHECK(error(OF(y, AddInstruction("reverse", {y}, {{"dimensions", std::int64_t{0}}}))) ==
        "test: reverse(f32[4]): the attribute dimensions has a value of the wrong kind");
}

TEST_CASE("Constants have the values of LiteralUtil") {
  const auto text = [](const auto& make) {
    XlaBuilder builder("test");
    make(&builder);
    return LiteralUtil::ToString(Run(builder));
  };
  CHECK(text([](XlaBuilder* b) { ConstantR0<float>(b, 1.5F); }) == "f32[] 1.5");
  CHECK(text([](XlaBuilder* b) { ConstantR1<std::int64_t>(b, {1, -2}); }) == "s64[2] {1, -2}");
  CHECK(text([](XlaBuilder* b) { ConstantR1<double>(b, 3, 0.5); }) == "f64[3] {0.5, 0.5, 0.5}");
  CHECK(text([](XlaBuilder* b) { ConstantR2<bool>(b, {{true}, {false}}); }) == "pred[2,1] { {1}, {0} }");
  CHECK(text([](XlaBuilder* b) { ConstantR0WithType(b, BF16, 0.1); }) == "bf16[] 0.1001");
  CHECK(text([](XlaBuilder* b) { One(b, F8E4M3FN); }) == "f8e4m3fn[] 1");
  CHECK(text([](XlaBuilder* b) { MinValue(b, F32); }) == "f32[] -inf");
  CHECK(text([](XlaBuilder* b) { MaxValue(b, F8E4M3FN); }) == "f8e4m3fn[] 448");
  CHECK(text([](XlaBuilder* b) { MinFiniteValue(b, F16); }) == "f16[] -65504");
  CHECK(text([](XlaBuilder* b) { MaxFiniteValue(b, F16); }) == "f16[] 65504");
  CHECK(text([](XlaBuilder* b) { MinValue(b, S8); }) == "s8[] -128");
  CHECK(text([](XlaBuilder* b) { MaxValue(b, S64); }) == "s64[] 9223372036854775807");
  CHECK(text([](XlaBuilder* b) { MaxValue(b, U4); }) == "u4[] 15");
  CHECK(text([](XlaBuilder* b) { MinValue(b, F8E8M0FNU); }) == "f8e8m0fnu[] 5.9e-39");
  CHECK(text([](XlaBuilder* b) { FullLike(Iota(b, F64, 2), 3); }) == "f64[2] {3, 3}");
  CHECK(text([](XlaBuilder* b) { ZerosLike(Iota(b, S16, 2)); }) == "s16[2] {0, 0}");
  CHECK(text([](XlaBuilder* b) {
          Iota(b, ShapeUtil::MakeShape(S32, {2, 3}), 1);
        }) == "s32[2,3] { { 0, 1, 2 }, { 0, 1, 2 } }");
}

TEST_CASE("Literals are made of rows") {
  const Literal cube = LiteralUtil::CreateR3<float>({{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}});
  CHECK(cube.shape() == ShapeUtil::MakeShape(F32, {2, 3, 2}));
  CHECK(cube.Get<float>({1, 0, 1}) == 8);
  CHECK(cube.Get<float>({0, 2, 0}) == 5);
  const Literal four = LiteralUtil::CreateR4<std::int32_t>({{{{1}, {2}}}});
  CHECK(four.shape() == ShapeUtil::MakeShape(S32, {1, 1, 2, 1}));
  CHECK(LiteralUtil::CreateR2<float>({}).shape() == ShapeUtil::MakeShape(F32, {0, 0}));
  CHECK(LiteralUtil::CreateR2<float>({{}, {}}).shape() == ShapeUtil::MakeShape(F32, {2, 0}));
  Literal written(ShapeUtil::MakeShape(S32, {2, 2}));
  written.Set<std::int32_t>({1, 0}, 7);
  CHECK(LiteralUtil::ToString(written) == "s32[2,2] { { 0, 0 }, { 7, 0 } }");
  CHECK(LiteralUtil::ToString(LiteralUtil::Convert(written, F16)) == "f16[2,2] { { 0, 0 }, { 7, 0 } }");
}

TEST_CASE("Rows of different lengths are an error, not the end of the process") {
  for (const bool is_shorter : {true, false}) {
    XlaBuilder builder("test");
    is_shorter ? ConstantR2<float>(&builder, {{1, 2}, {3}}) : ConstantR2<float>(&builder, {{}, {1, 2}});
    CHECK(WhyNotBuilt(builder) == "test: constant: the rows of an array must be equally long");
  }
}

TEST_CASE("Frontend attributes go to the operations that follow") {
  XlaBuilder builder("test");
  auto x = Parameter(&builder, 0, kVector, "x");
  builder.SetFrontendAttributes({{"b", "2"}, {"a", "{x=\"1\"}"}});
  auto y = Neg(x);
  CHECK(builder.SwapFrontendAttributes({}).at("b") == "2");
  Abs(y);
  CheckIsText(Built(builder), R"(ENTRY test { x = f32[4] parameter(0)
    negate = f32[4] negate(x), frontend_attributes={b="2",a={x="1"}}
    ROOT abs = f32[4] abs(negate) })");
}
