// Element-wise functions of the builder: their instructions, and the broadcasts that XLA, Broadcasting requires.
#include <algorithm>
#include <functional>

#include "spec_tests/builder/built.h"

using namespace assay;
using namespace assay::xla;
using namespace assay::testing;

TEST_CASE("A unary function is one instruction") {
  struct Row {
    XlaOp (*function)(XlaOp);
    const char* op;
    PrimitiveType operand = F32;
    const char* result = "f32";
  };
  const Row rows[] = {
      {Abs, "abs"},
      {Acos, "acos"},
      {Acosh, "acosh"},
      {Asin, "asin"},
      {Asinh, "asinh"},
      {Atan, "atan"},
      {Atanh, "atanh"},
      {Cbrt, "cbrt"},
      {Ceil, "ceil"},
      {Clz, "count-leading-zeros", U32, "u32"},
      {Cos, "cosine"},
      {Cosh, "cosh"},
      {Erf, "erf"},
      {Exp, "exponential"},
      {Expm1, "exponential-minus-one"},
      {Floor, "floor"},
      {Imag, "imag", C64},
      {Imag, "imag"},
      {IsFinite, "is-finite", F32, "pred"},
      {Log, "log"},
      {Log1p, "log-plus-one"},
      {Logistic, "logistic"},
      {Neg, "negate"},
      {[](XlaOp x) { return -x; }, "negate"},
      {Not, "not", S32, "s32"},
      {[](XlaOp x) { return ~x; }, "not", PRED, "pred"},
      {PopulationCount, "popcnt", S8, "s8"},
      {Real, "real", C64},
      {Round, "round-nearest-afz"},
      {RoundNearestEven, "round-nearest-even"},
      {Rsqrt, "rsqrt"},
      {Sign, "sign"},
      {Sin, "sine"},
      {Sinh, "sinh"},
      {Sqrt, "sqrt"},
      {Tan, "tan"},
      {Tanh, "tanh"},
  };
  for (const Row& row : rows) {
    CheckInstructions({fmt::format("x = {}[2]", PrimitiveTypeName(row.operand))}, OF_ALL(p, row.function(p[0])),
                      fmt::format("ROOT {0} = {1}[2] {0}(x)", row.op, row.result));
  }
}

TEST_CASE("A binary function is one instruction for operands of equal shape") {
  struct Row {
    XlaOp (*function)(XlaOp, XlaOp);
    const char* op;
    PrimitiveType operand = F32;
    const char* result = "f32";
    const char* attributes = "";
  };
#define ROW(function) [](XlaOp x, XlaOp y) { return function(x, y); }
#define OPERATOR(symbol) [](XlaOp x, XlaOp y) { return x symbol y; }
  const Row rows[] = {
      {ROW(Add), "add"},
      {OPERATOR(+), "add"},
      {ROW(And), "and", S32, "s32"},
      {OPERATOR(&), "and", S32, "s32"},
      {ROW(Atan2), "atan2"},
      {ROW(Complex), "complex", F32, "c64"},
      {ROW(Div), "divide"},
      {OPERATOR(/), "divide"},
      {ROW(Max), "maximum"},
      {[](XlaOp x, XlaOp y) { return x.builder()->Max(x, y); }, "maximum"},
      {ROW(Min), "minimum"},
      {ROW(Mul), "multiply"},
      {OPERATOR(*), "multiply"},
      {ROW(Mulhi), "mulhi", U32, "u32"},
      {ROW(Or), "or", PRED, "pred"},
      {OPERATOR(|), "or", PRED, "pred"},
      {ROW(Pow), "power"},
      {ROW(Rem), "remainder"},
      {OPERATOR(%), "remainder"},
      {ROW(ShiftLeft), "shift-left", S32, "s32"},
      {OPERATOR(<<), "shift-left", S32, "s32"},
      {ROW(ShiftRightArithmetic), "shift-right-arithmetic", U32, "u32"},
      {ROW(ShiftRightLogical), "shift-right-logical", S32, "s32"},
      {OPERATOR(>>), "shift-right-arithmetic", S32, "s32"},
      {OPERATOR(>>), "shift-right-logical", U32, "u32"},
      {ROW(Sub), "subtract"},
      {OPERATOR(-), "subtract"},
      {ROW(Xor), "xor", S32, "s32"},
      {OPERATOR(^), "xor", S32, "s32"},
      {ROW(Eq), "compare", F32, "pred", ", direction=EQ"},
      {ROW(Ne), "compare", C64, "pred", ", direction=NE"},
      {ROW(Ge), "compare", S32, "pred", ", direction=GE"},
      {ROW(Gt), "compare", F32, "pred", ", direction=GT"},
      {ROW(Le), "compare", U8, "pred", ", direction=LE"},
      {ROW(Lt), "compare", F32, "pred", ", direction=LT"},
      {ROW(EqTotalOrder), "compare", F32, "pred", ", direction=EQ, type=TOTALORDER"},
      {ROW(NeTotalOrder), "compare", F32, "pred", ", direction=NE, type=TOTALORDER"},
      {ROW(GeTotalOrder), "compare", BF16, "pred", ", direction=GE, type=TOTALORDER"},
      {ROW(GtTotalOrder), "compare", S32, "pred", ", direction=GT"},
      {ROW(LeTotalOrder), "compare", F32, "pred", ", direction=LE, type=TOTALORDER"},
      {ROW(LtTotalOrder), "compare", F32, "pred", ", direction=LT, type=TOTALORDER"},
      {[](XlaOp x, XlaOp y) { return Compare(x, y, ComparisonDirection::kGt); }, "compare", F32, "pred",
       ", direction=GT"},
      {[](XlaOp x, XlaOp y) { return Compare(x, y, {}, ComparisonDirection::kGt, Comparison::Type::kUnsigned); },
       "compare", U32, "pred", ", direction=GT"},
  };
#undef ROW
#undef OPERATOR
  for (const Row& row : rows) {
    const std::string_view type = PrimitiveTypeName(row.operand);
    CheckInstructions({fmt::format("x = {}[2,3]", type), fmt::format("y = {}[2,3]", type)},
                      OF_ALL(p, row.function(p[0], p[1])),
                      fmt::format("ROOT {0} = {1}[2,3] {0}(x, y){2}", row.op, row.result, row.attributes));
  }
}

TEST_CASE("An operand of lower rank is broadcast along broadcast_dimensions") {
  for (const std::int64_t dimension : {0, 1}) {
    CheckInstructions({"matrix = f32[3,3]", "vector = f32[3]"}, OF_ALL(p, Add(p[1], p[0], {dimension})),
                      fmt::format("broadcast = f32[3,3] broadcast(vector), dimensions={{{}}}\n"
                                  "ROOT add = f32[3,3] add(broadcast, matrix)",
                                  dimension));
  }
}

TEST_CASE("A scalar needs no broadcast_dimensions") {
  CheckInstructions({"x = s32[2,2]"}, OF_ALL(p, Mul(p[0], ConstantR0<std::int32_t>(p[0].builder(), 7))),
                    "constant = s32[] constant(7)  broadcast = s32[2,2] broadcast(constant), dimensions={}\n"
                    "ROOT multiply = s32[2,2] multiply(x, broadcast)");
}

// The last example of XLA, Broadcasting: 1x2 into 4x3x1 by (1, 2) is first 4x1x2, then both are repeated to 4x3x2.
TEST_CASE("Degenerate dimensions are repeated behind the first step") {
  CheckInstructions(
      {"x = f32[4,3,1]", "y = f32[1,2]"}, OF_ALL(p, Sub(p[0], p[1], {1, 2})),
      "reshape = f32[4,3] reshape(x)  broadcast = f32[4,3,2] broadcast(reshape), dimensions={0,1}\n"
      "broadcast.1 = f32[4,1,2] broadcast(y), dimensions={1,2}\n"
      "reshape.1 = f32[4,2] reshape(broadcast.1)  broadcast.2 = f32[4,3,2] broadcast(reshape.1), dimensions={0,2}\n"
      "ROOT subtract = f32[4,3,2] subtract(broadcast, broadcast.2)");
}

namespace {

// Returns all lists of `rank` numbers below `limit`.
std::vector<Int64List> Lists(std::size_t rank, std::int64_t limit) {
  std::vector<Int64List> lists = {{}};
  for (std::size_t i = 0; i < rank; ++i) {
    std::vector<Int64List> longer;
    for (const Int64List& list : lists) {
      for (std::int64_t n = 0; n < limit; ++n) {
        longer.push_back(list);
        longer.back().push_back(n);
      }
    }
    lists = std::move(longer);
  }
  return lists;
}

Literal Counted(const Dimensions& dimensions, std::int32_t first) {
  Literal literal(ShapeUtil::MakeShape(S32, dimensions));
  for (std::int32_t& value : literal.mutable_values<std::int32_t>()) value = first++;
  return literal;
}

// Returns the element of an operand for an index of the result. A dimension of size 1 is repeated.
std::int32_t ElementUnder(const Literal& operand, const Int64List& matches, const Int64List& index) {
  Int64List own;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    own.push_back(operand.shape().dimensions(i) == 1 ? 0 : index[matches[i]]);
  }
  return operand.Get<std::int32_t>(own);
}

}  // namespace

TEST_CASE("Every pair of small arrays is broadcast as the page says") {
  int sums = 0;
  const Int64List identity = {0, 1, 2};
  for (const Int64List& high : Lists(3, 3)) {
    for (std::size_t rank = 0; rank <= 3; ++rank) {
      for (const Int64List& matches : Lists(rank, 3)) {
        if (std::ranges::adjacent_find(matches, std::greater_equal<>()) != matches.end()) continue;
        for (const Int64List& low : Lists(rank, 3)) {
          Int64List result = high;
          bool fits = true;
          for (std::size_t i = 0; i < rank; ++i) {
            std::int64_t& size = result[matches[i]];
            fits = fits && (size == low[i] || size == 1 || low[i] == 1);
            if (size == 1) size = low[i];
          }
          XlaBuilder builder("test");
          const Literal x = Counted(high, 0), y = Counted(low, 100);
          const auto operand = ConstantLiteral(&builder, y);
          Add(operand, ConstantLiteral(&builder, x), matches);
          REQUIRE(builder.Build().has_value() == fits);
          if (!fits) continue;
          const Literal sum = Run(builder);
          REQUIRE(sum.shape() == ShapeUtil::MakeShape(S32, result));
          for (const Int64List& index : Lists(3, 2)) {
            if (index[0] >= result[0] || index[1] >= result[1] || index[2] >= result[2]) continue;
            REQUIRE(sum.Get<std::int32_t>(index) == ElementUnder(x, identity, index) + ElementUnder(y, matches, index));
            ++sums;
          }
        }
      }
    }
  }
  CHECK(sums >= 1000);
}

TEST_CASE("Operands that do not fit are an error with the op and its shapes") {
  XlaBuilder builder("softmax");
  auto x = Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {2, 4}), "x");
  auto top = Parameter(&builder, 1, ShapeUtil::MakeShape(F32, {2}), "top");
  auto shifted = Sub(x, top);
  Div(shifted, Exp(shifted));
  Max(top, x);
  // The same error as in docs/builder.md.
  CHECK(WhyNotBuilt(builder) ==
        "softmax: subtract(f32[2,4], f32[2]): operands of different ranks need broadcast_dimensions, found f32[2] and "
        "f32[2,4] (and 1 more error)");
  CHECK_THAT(WhyNotAdded({"x = f32[2]", "y = s32[2]"}, OF_ALL(p, Add(p[0], p[1]))),
             Catch::Matchers::StartsWith("add(f32[2], s32[2]): "));
}

TEST_CASE("Clamp and Select take scalars where the specification says so") {
  XlaBuilder builder("test");
  auto operand = ConstantR1<std::int32_t>(&builder, {-1, 5, 9});
  auto clamped = Clamp(Zero(&builder, S32), operand, ConstantR0<std::int32_t>(&builder, 6));
  auto chosen = Select(ConstantR0<bool>(&builder, false), operand, clamped);
  Select(ConstantR1<bool>(&builder, {true, false, false}), operand, chosen);
  CHECK(LiteralUtil::ToString(Run(builder)) == "s32[3] {-1, 5, 6}");
}

TEST_CASE("Select chooses between the elements of tuples") {
  XlaBuilder builder("test");
  const Shape shape = ShapeUtil::MakeTupleShape({ShapeUtil::MakeShape(F32, {2}), ShapeUtil::MakeScalarShape(S32)});
  auto pred = Parameter(&builder, 0, ShapeUtil::MakeScalarShape(PRED), "pred");
  Select(pred, Parameter(&builder, 1, shape, "a"), Parameter(&builder, 2, shape, "b"));
  const XlaComputation computation = Built(builder);
  const auto tuple = [](float x, std::int32_t n) {
    return Literal::MakeTuple({LiteralUtil::CreateR1<float>({x, -x}), LiteralUtil::CreateR0<std::int32_t>(n)});
  };
  for (const bool choice : {true, false}) {
    const Literal value = Run(computation, {LiteralUtil::CreateR0<bool>(choice), tuple(1, 10), tuple(2, 20)});
    CHECK(value.BitwiseEqual(choice ? tuple(1, 10) : tuple(2, 20)));
  }
}

TEST_CASE("Select of tuples takes a scalar pred") {
  for (const bool is_empty : {true, false}) {
    XlaBuilder builder("test");
    const auto one = ConstantR0<std::int32_t>(&builder, 1);
    const std::vector<XlaOp> elements = is_empty ? std::vector<XlaOp>() : std::vector{one};
    Select(one, Tuple(&builder, elements), Tuple(&builder, elements));
    CHECK_THAT(WhyNotBuilt(builder), Catch::Matchers::EndsWith("tuples of the same shape are chosen by a scalar pred"));
  }
  XlaBuilder builder("test");
  Select(ConstantR0<bool>(&builder, true), Tuple(&builder, {}), Tuple(&builder, {}));
  CHECK(Built(builder).module().entry->root->shape.IsTuple());
}

TEST_CASE("Conversions name the new type") {
  CheckInstructions(
      {"x = f32[3]"},
      OF_ALL(p,
             BitcastConvertType(
                 ConvertElementType(ReducePrecision(BitcastConvertType(BitcastConvertType(p[0], F16), F32), 8, 3), S32),
                 U32)),
      R"(bitcast-convert = f16[3,2] bitcast-convert(x)  bitcast-convert.1 = f32[3] bitcast-convert(bitcast-convert)
    reduce-precision = f32[3] reduce-precision(bitcast-convert.1), exponent_bits=8, mantissa_bits=3
    convert = s32[3] convert(reduce-precision)  ROOT bitcast-convert.2 = u32[3] bitcast-convert(convert))");
}

TEST_CASE("A stochastic conversion takes its chance from the second operand") {
  CheckInstructions({"x = f32[3]", "random = u32[3]"}, OF_ALL(p, StochasticConvertType(p[0], p[1], S8)),
                    "ROOT stochastic-convert = s8[3] stochastic-convert(x, random)");
}

TEST_CASE("And and Or of several operands") {
  XlaBuilder builder("test");
  auto a = ConstantR0<std::int32_t>(&builder, 7), b = ConstantR0<std::int32_t>(&builder, 14);
  auto c = ConstantR0<std::int32_t>(&builder, 28), d = ConstantR0<std::int32_t>(&builder, 5);
  Tuple(&builder, {And(a, b, c), And(a, b, a, d), Or(a, b, c), Or(d, d, d, b)});
  const Literal values = Run(builder);
  CHECK(values.elements()[0].Get<std::int32_t>({}) == 4);
  CHECK(values.elements()[1].Get<std::int32_t>({}) == 4);
  CHECK(values.elements()[2].Get<std::int32_t>({}) == 31);
  CHECK(values.elements()[3].Get<std::int32_t>({}) == 15);
}

TEST_CASE("The conjugate negates the imaginary part") {
  XlaBuilder builder("test");
  Conj(ConstantR0<complex64>(&builder, {1, 2}));
  CHECK(Run(builder).values<complex64>()[0] == complex64(1, -2));
}
