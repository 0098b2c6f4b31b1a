// The examples of XLA, Operation Semantics, through the builder, in the order of the text. C++ code is the same as on
// the page; "let x = ..." is written with the builder's functions. The numbers are those of the page.
#include <numeric>
#include <vector>

#include "interpreter/custom_calls/user_targets.h"
#include "interpreter/types/per_device.h"
#include "spec_tests/builder/built.h"

using namespace assay;
using namespace assay::xla;
using namespace assay::testing;

namespace {

// Returns the value of the operation that was added last.
std::string Value(XlaBuilder& b) { return LiteralUtil::ToString(Run(b)); }

// Floats, row-major, under any dimensions.
XlaOp Floats(XlaBuilder& b, Dimensions dimensions, const std::vector<float>& values) {
  return ConstantFromArray<float>(&b, std::move(dimensions), values);
}

// The elements of v of Collapse and Reshape, f32[4x2x3], row-major and by the dimensions {1, 2, 0}.
const std::vector<float> kRows = {10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27,
                                  30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47};
const std::vector<float> kByColumns = {10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42,
                                       15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47};

// 0, 1, 2 and so on, as in the examples of slices.
XlaOp Rising(XlaBuilder& b, const Dimensions& dimensions) {
  std::vector<float> values(ShapeUtil::ElementsIn(ShapeUtil::MakeShape(F32, dimensions)));
  std::iota(values.begin(), values.end(), 0.0f);
  return Floats(b, dimensions, values);
}

XlaOp Cuboid(XlaBuilder& b) { return Floats(b, {4, 2, 3}, kRows); }

// True if the operation that was added last has these elements, row-major.
bool Is(XlaBuilder& b, Dimensions dimensions, const std::vector<float>& values) {
  return Run(b).BitwiseEqual(LiteralUtil::Create<float>(F32, std::move(dimensions), values));
}

XlaOp Scalar(XlaBuilder& b, std::int32_t value) { return ConstantR0<std::int32_t>(&b, value); }

// Returns the value of an operation, which calls its builder b.
#define VALUE(...)     \
  [&] {                \
    XlaBuilder b("b"); \
    __VA_ARGS__;       \
    return Value(b);   \
  }()

}  // namespace

TEST_CASE("AllToAll") {
  XlaBuilder b("alltoall");
  auto x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {4, 16}), "x");
  AllToAll(x, /*split_dimension=*/1, /*concat_dimension=*/0, /*split_count=*/4);

  b.SetDeviceCounts(4, 1);
  const XlaComputation computation = Built(b);
  CHECK(computation.GetProgramShape()->result == ShapeUtil::MakeShape(F32, {16, 4}));

  // Block j of core i, its columns 4 j to 4 j + 3, becomes rows 4 i to 4 i + 3 of core j.
  DeviceValues arguments(4);
  for (int core = 0; core < 4; ++core) {
    Literal operand(ShapeUtil::MakeShape(F32, {4, 16}));
    for (int k = 0; k < 64; ++k) operand.mutable_values<float>()[k] = static_cast<float>(100 * core + k);
    arguments[core].push_back(std::move(operand));
  }
  const auto outputs = EvaluateOnDevices(computation.module(), std::move(arguments));
  REQUIRE(outputs);
  for (int core = 0; core < 4; ++core) {
    const auto values = (*outputs)[core].output.values<float>();
    for (int k = 0; k < 64; ++k) {
      const int sender = k / 16, row = k / 4 % 4, column = k % 4;
      CHECK(values[k] == static_cast<float>(100 * sender + 16 * row + 4 * core + column));
    }
  }
}

TEST_CASE("BitcastConvertType between widths") {
  XlaBuilder b("b");
  auto wide = BitcastConvertType(Parameter(&b, 0, ShapeUtil::MakeShape(F32, {10}), "input"), F16);
  CHECK(*b.GetShape(wide) == ShapeUtil::MakeShape(F16, {10, 2}));
  auto scalar = BitcastConvertType(Parameter(&b, 1, ShapeUtil::MakeShape(F32, {}), "input"), F16);
  CHECK(*b.GetShape(scalar) == ShapeUtil::MakeShape(F16, {2}));
  auto narrow = BitcastConvertType(Parameter(&b, 2, ShapeUtil::MakeShape(F16, {10, 2}), "input"), F32);
  CHECK(*b.GetShape(narrow) == ShapeUtil::MakeShape(F32, {10}));
}

TEST_CASE("Broadcast") {
  CHECK(VALUE(Broadcast(ConstantR0<float>(&b, 2.0f), {2, 3})) == "f32[2,3] { { 2, 2, 2 }, { 2, 2, 2 } }");
}

TEST_CASE("Clamp") {
  CHECK(VALUE(Clamp(Scalar(b, 0), ConstantR1<std::int32_t>(&b, {-1, 5, 9}), Scalar(b, 6))) == "s32[3] {0, 5, 6}");
}

TEST_CASE("Collapse") {
  XlaBuilder v012("b"), v01("b"), v12("b");
  Collapse(Cuboid(v012), {0, 1, 2});
  CHECK(Is(v012, {24}, kRows));
  Collapse(Cuboid(v01), {0, 1});
  CHECK(Is(v01, {8, 3}, kRows));
  Collapse(Cuboid(v12), {1, 2});
  CHECK(Is(v12, {4, 6}, kRows));
}

TEST_CASE("Concatenate") {
  CHECK(VALUE(Concatenate({ConstantR1<float>(&b, {2, 3}), ConstantR1<float>(&b, {4, 5}), ConstantR1<float>(&b, {6, 7})},
                          0)) == "f32[6] {2, 3, 4, 5, 6, 7}");
  CHECK(VALUE(Concatenate({Floats(b, {3, 2}, {1, 2, 3, 4, 5, 6}), Floats(b, {1, 2}, {7, 8})}, 0)) ==
        "f32[4,2] { { 1, 2 }, { 3, 4 }, { 5, 6 }, { 7, 8 } }");
}

TEST_CASE("ConvertElementType") {
  CHECK(VALUE(ConvertElementType(ConstantR1<std::int32_t>(&b, {0, 1, 2}), F32)) == "f32[3] {0, 1, 2}");
}

#define EXPECT_EQ(expected, found) CHECK((expected) == (found))

extern "C" void myfunc(void* out, void** in) {
  float(&x)[2] = *static_cast<float(*)[2]>(in[0]);
  float(&y)[2][3] = *static_cast<float(*)[2][3]>(in[1]);
  EXPECT_EQ(1, x[0]);
  EXPECT_EQ(2, x[1]);
  EXPECT_EQ(10, y[0][0]);
  EXPECT_EQ(20, y[0][1]);
  EXPECT_EQ(30, y[0][2]);
  EXPECT_EQ(40, y[1][0]);
  EXPECT_EQ(50, y[1][1]);
  EXPECT_EQ(60, y[1][2]);
  float(&z)[3][3] = *static_cast<float(*)[3][3]>(out);
  z[0][0] = x[1] + y[1][0];
  // ...
}

TEST_CASE("CustomCall") {
  REQUIRE(RegisterCustomCall("myfunc", myfunc).has_value());
  XlaBuilder b("b");
  auto x = ConstantR1<float>(&b, {1, 2});
  auto y = ConstantR2<float>(&b, {{10, 20, 30}, {40, 50, 60}});
  CustomCall(&b, "myfunc", {x, y}, ShapeUtil::MakeShape(F32, {3, 3}));
  CHECK(Run(b).Get<float>({0, 0}) == 42);
}

TEST_CASE("DotGeneral with contracting dimensions") {
  XlaBuilder b("b");
  auto lhs = ConstantR2<float>(&b, {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  auto rhs = ConstantR2<float>(&b, {{1.0, 1.0, 1.0}, {2.0, 2.0, 2.0}});

  DotDimensionNumbers dnums;
  dnums.add_lhs_contracting_dimensions(1);
  dnums.add_rhs_contracting_dimensions(1);
  DotGeneral(lhs, rhs, dnums);

  CHECK(Value(b) == "f32[2,2] { { 6, 12 }, { 15, 30 } }");
}

TEST_CASE("DotGeneral with batch dimensions") {
  XlaBuilder b("b");
  auto lhs = Floats(b, {2, 2, 2}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0});
  auto rhs = Floats(b, {2, 2, 2}, {1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0});

  DotDimensionNumbers dnums;
  dnums.add_lhs_contracting_dimensions(2);
  dnums.add_rhs_contracting_dimensions(1);
  dnums.add_lhs_batch_dimensions(0);
  dnums.add_rhs_batch_dimensions(0);
  DotGeneral(lhs, rhs, dnums);

  CHECK(Run(b).BitwiseEqual(LiteralUtil::CreateR3<float>({{{1.0, 2.0}, {3.0, 4.0}}, {{5.0, 6.0}, {7.0, 8.0}}})));
}

TEST_CASE("DynamicSlice") {
  CHECK(VALUE(DynamicSlice(Rising(b, {5}), ConstantR1<std::int32_t>(&b, {2}), {2})) == "f32[2] {2, 3}");
  CHECK(VALUE(DynamicSlice(Rising(b, {4, 3}), {Scalar(b, 2), Scalar(b, 1)}, {2, 2})) ==
        "f32[2,2] { { 7, 8 }, { 10, 11 } }");
}

TEST_CASE("DynamicUpdateSlice") {
  CHECK(VALUE(DynamicUpdateSlice(Rising(b, {5}), ConstantR1<float>(&b, {5.0, 6.0}), {Scalar(b, 2)})) ==
        "f32[5] {0, 1, 5, 6, 4}");
  CHECK(VALUE(DynamicUpdateSlice(Rising(b, {4, 3}), Floats(b, {3, 2}, {12.0, 13.0, 14.0, 15.0, 16.0, 17.0}),
                                 {Scalar(b, 1), Scalar(b, 1)})) ==
        "f32[4,3] { { 0, 1, 2 }, { 3, 12, 13 }, { 6, 14, 15 }, { 9, 16, 17 } }");
}

TEST_CASE("SetDimensionSize") {
  const auto reduced = [](XlaOp (*fold)(XlaOp, XlaOp, const Int64List&), float init, std::int32_t size) {
    XlaBuilder computation("fold"), b("b");
    auto x = Parameter(&computation, 0, ShapeUtil::MakeShape(F32, {}), "x");
    fold(x, Parameter(&computation, 1, ShapeUtil::MakeShape(F32, {}), "y"), {});
    auto v = ConstantR1<float>(&b, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    auto padded = SetDimensionSize(v, Scalar(b, size), /*dimension=*/0);
    ReduceAll(padded, ConstantR0<float>(&b, init), Built(computation));
    return Run(b).Get<float>({});
  };
  CHECK(reduced(Add, 0, 5) == 1 + 2 + 3 + 4 + 5);
  CHECK(reduced(Mul, 1, 5) == 1 * 2 * 3 * 4 * 5);
  CHECK(reduced(Add, 0, 6) == 1 + 2 + 3 + 4 + 5 + 6);
}

TEST_CASE("GetTupleElement and Tuple") {
  XlaBuilder b("b");
  auto v = ConstantR1<float>(&b, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  auto s = Scalar(b, 5);
  auto t = Tuple(&b, {v, s});
  CHECK(b.GetShape(t)->ToStringWithoutLayout() == "(f32[10], s32[])");
  GetTupleElement(t, 1);
  CHECK(Value(b) == "s32[] 5");
}

TEST_CASE("Iota") {
  CHECK(VALUE(Iota(&b, ShapeUtil::MakeShape(S32, {4, 8}), 0)) ==
        "s32[4,8] { { 0, 0, 0, 0, 0, 0, 0, 0 }, { 1, 1, 1, 1, 1, 1, 1, 1 }, { 2, 2, 2, 2, 2, 2, 2, 2 }, "
        "{ 3, 3, 3, 3, 3, 3, 3, 3 } }");
  CHECK(VALUE(Iota(&b, ShapeUtil::MakeShape(S32, {4, 8}), 1)) ==
        "s32[4,8] { { 0, 1, 2, 3, 4, 5, 6, 7 }, { 0, 1, 2, 3, 4, 5, 6, 7 }, { 0, 1, 2, 3, 4, 5, 6, 7 }, "
        "{ 0, 1, 2, 3, 4, 5, 6, 7 } }");
}

// 1 to 6 in a matrix, four times in the cuboid.
TEST_CASE("Reduce") {
  const auto reduced = [](const Int64List& dimensions) {
    XlaBuilder add("add"), b("b");
    auto x = Parameter(&add, 0, ShapeUtil::MakeShape(F32, {}), "x");
    Add(x, Parameter(&add, 1, ShapeUtil::MakeShape(F32, {}), "y"));
    auto cuboid = Broadcast(ConstantR2<float>(&b, {{1, 2, 3}, {4, 5, 6}}), {4});
    Reduce(cuboid, Zero(&b, F32), Built(add), dimensions);
    return Value(b);
  };
  CHECK(reduced({0}) == "f32[2,3] { { 4, 8, 12 }, { 16, 20, 24 } }");
  CHECK(reduced({2}) == "f32[4,2] { { 6, 15 }, { 6, 15 }, { 6, 15 }, { 6, 15 } }");
  CHECK(reduced({0, 1}) == "f32[3] {20, 28, 36}");
  CHECK(reduced({0, 1, 2}) == "f32[] 84");
}

TEST_CASE("ReduceWindow") {
  Client* client_ = nullptr;

  // Create a computation for the reduction (maximum).
  XlaComputation max;
  {
    XlaBuilder builder(client_, "max");
    auto y = builder.Parameter(0, ShapeUtil::MakeShape(F32, {}), "y");
    auto x = builder.Parameter(1, ShapeUtil::MakeShape(F32, {}), "x");
    builder.Max(y, x);
    max = builder.Build().value();
  }

  // Create a ReduceWindow computation with the max reduction computation.
  XlaBuilder builder(client_, "reduce_window_2x3");
  auto shape = ShapeUtil::MakeShape(F32, {4, 6});
  auto input = builder.Parameter(0, shape, "input");
  builder.ReduceWindow(input,
                       /*init_val=*/builder.ConstantLiteral(LiteralUtil::MinValue(F32)), *max,
                       /*window_dimensions=*/{2, 3},
                       /*window_stride_dimensions=*/{2, 3}, Padding::kValid);

  Literal rising(shape);
  for (int i = 0; i < 24; ++i) rising.Set<float>({i / 6, i % 6}, static_cast<float>(i));
  CHECK(LiteralUtil::ToString(Run(builder, {rising})) == "f32[2,2] { { 8, 11 }, { 20, 23 } }");
}

TEST_CASE("Reshape") {
  const auto becomes = [](const Int64List& order, const Int64List& sizes, const std::vector<float>& values) {
    XlaBuilder b("b");
    Reshape(Cuboid(b), order, sizes);
    return Is(b, sizes, values);
  };
  CHECK(becomes({0, 1, 2}, {24}, kRows));
  CHECK(becomes({0, 1, 2}, {8, 3}, kRows));
  CHECK(becomes({1, 2, 0}, {24}, kByColumns));
  CHECK(becomes({1, 2, 0}, {8, 3}, kByColumns));
  CHECK(becomes({1, 2, 0}, {2, 6, 2}, kByColumns));
  CHECK(VALUE(Reshape(ConstantR2<float>(&b, {{5}}), {0, 1}, {})) == "f32[] 5");
  CHECK(VALUE(Reshape(ConstantR0<float>(&b, 5), {}, {1, 1})) == "f32[1,1] { {5} }");
}

TEST_CASE("Select") {
  for (const bool is_scalar : {false, true}) {
    XlaBuilder b("b");
    auto v1 = ConstantR1<std::int32_t>(&b, {1, 2, 3, 4});
    auto v2 = ConstantR1<std::int32_t>(&b, {100, 200, 300, 400});
    auto pred = is_scalar ? ConstantR0<bool>(&b, true) : ConstantR1<bool>(&b, {true, false, false, true});
    Select(pred, v1, v2);
    CHECK(Value(b) == (is_scalar ? "s32[4] {1, 2, 3, 4}" : "s32[4] {1, 200, 300, 4}"));
  }
}

TEST_CASE("Slice") {
  CHECK(VALUE(Slice(Rising(b, {5}), {2}, {4})) == "f32[2] {2, 3}");
  CHECK(VALUE(Slice(Rising(b, {4, 3}), {2, 1}, {4, 3})) == "f32[2,2] { { 7, 8 }, { 10, 11 } }");
}

TEST_CASE("Sort of three operands by the first") {
  XlaBuilder less("less"), b("b");
  const Shape types[] = {ShapeUtil::MakeShape(S32, {}), ShapeUtil::MakeShape(S32, {}), ShapeUtil::MakeShape(F32, {})};
  std::vector<XlaOp> p;
  for (int i = 0; i < 6; ++i) p.push_back(Parameter(&less, i, types[i / 2], "p"));
  Lt(p[0], p[1]);
  auto operand0 = ConstantR1<std::int32_t>(&b, {3, 1});
  auto operand1 = ConstantR1<std::int32_t>(&b, {42, 50});
  auto operand2 = ConstantR1<float>(&b, {-3.0, 1.1f});
  Sort({operand0, operand1, operand2}, Built(less));
  const Literal sorted = Run(b);
  CHECK(LiteralUtil::ToString(sorted.elements()[0]) == "s32[2] {1, 3}");
  CHECK(LiteralUtil::ToString(sorted.elements()[1]) == "s32[2] {50, 42}");
  CHECK(LiteralUtil::ToString(sorted.elements()[2]) == "f32[2] {1.1, -3}");
}

// init = {0, zero_vector[10]}; while (result(0) < 1000) ...
TEST_CASE("While") {
  const Shape state = ShapeUtil::MakeTupleShape({ShapeUtil::MakeShape(S32, {}), ShapeUtil::MakeShape(F32, {10})});
  XlaBuilder condition("condition"), body("body"), b("b");
  Lt(GetTupleElement(Parameter(&condition, 0, state, "result"), 0), Scalar(condition, 1000));
  auto result = Parameter(&body, 0, state, "result");
  auto iteration = GetTupleElement(result, 0) + Scalar(body, 1);
  auto constant_vector = Broadcast(ConstantR0<float>(&body, 0.5), {10});
  auto new_vector = GetTupleElement(result, 1) + constant_vector;
  Tuple(&body, {iteration, new_vector});
  While(Built(condition), Built(body), Tuple(&b, {Scalar(b, 0), Zeros(&b, ShapeUtil::MakeShape(F32, {10}))}));
  const Literal last = Run(b);
  CHECK(LiteralUtil::ToString(last.elements()[0]) == "s32[] 1000");
  CHECK(LiteralUtil::ToString(last.elements()[1]) == "f32[10] {500, 500, 500, 500, 500, 500, 500, 500, 500, 500}");
}

// XLA, Broadcasting: the sums of the page.
TEST_CASE("Broadcasting") {
  const std::initializer_list<std::initializer_list<std::int32_t>> matrix = {{1, 2, 3}, {4, 5, 6}};
  CHECK(VALUE(Add(ConstantR2<std::int32_t>(&b, matrix), ConstantR1<std::int32_t>(&b, {7, 8, 9}),
                  /*broadcast_dimensions=*/{1})) == "s32[2,3] { { 8, 10, 12 }, { 11, 13, 15 } }");
  CHECK(VALUE(Add(ConstantR2<std::int32_t>(&b, matrix), Scalar(b, 7))) == "s32[2,3] { { 8, 9, 10 }, { 11, 12, 13 } }");
  CHECK(VALUE(Add(ConstantR1<std::int32_t>(&b, {1, 2, 3, 4}), ConstantR2<std::int32_t>(&b, {{5, 6}}),
                  /*broadcast_dimensions=*/{0})) == "s32[4,2] { { 6, 7 }, { 7, 8 }, { 8, 9 }, { 9, 10 } }");
}
