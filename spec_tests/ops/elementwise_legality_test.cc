// Shapes and legality of the element-wise ops, and that each of them has a kernel for each of its types.
#include <algorithm>

#include "spec_tests/ops/kernel.h"

namespace assay::testing {
namespace {

struct Operand {
  PrimitiveType type;
  Dimensions dimensions = {2};
};

// Returns the inferred shape, or the error. Conversions declare `result`.
std::string InferShape(const Op& op, const std::vector<Shape>& operands, const Attributes& attributes = {},
                       const Shape& result = {}) {
  Graph graph;
  std::vector<HloInstruction*> parameters;
  for (const Shape& shape : operands) parameters.push_back(&graph.Parameter(shape));
  HloInstruction& instruction = graph.Add(op, parameters, attributes);
  instruction.shape = result;
  const Result<Shape> shape = op.legality.infer(instruction);
  return shape ? shape->ToStringWithoutLayout() : WhyIllegal(instruction);
}
std::string Infer(const Op& op, const std::vector<Operand>& operands, const Attributes& attributes = {}) {
  std::vector<Shape> shapes;
  for (const Operand& operand : operands) shapes.push_back(ShapeUtil::MakeShape(operand.type, operand.dimensions));
  return InferShape(op, shapes, attributes);
}

TEST_CASE("Element types must agree, except that floating types may differ in width") {
  CHECK(Infer(op_add, {{S32}, {S8}}) ==
        "add: operands must have equal element types (rule: equal types, or all floating), found s32[2] and s8[2]");
  CHECK(Infer(op_add, {{F32}, {C64}}) ==
        "add: operands must have equal element types (rule: equal types, or all floating), found f32[2] and c64[2]");
  CHECK(Infer(op_select, {{PRED}, {F32}, {S32}}) ==
        "select: operands must have equal element types (rule: equal types, or all floating), found pred[2], f32[2] "
        "and s32[2]");
  CHECK(Infer(op_complex, {{F32}, {F64}}) ==
        "complex: both parts must have one type (rule: f32 and f32, or f64 and f64), found f32[2] and f64[2]");
  // The wider type has the larger range, then the more precise significand.
  CHECK(Infer(op_add, {{F32}, {F64}}) == "f64[2]");
  CHECK(Infer(op_add, {{F16}, {BF16}}) == "bf16[2]");
  CHECK(Infer(op_add, {{F8E4M3FN}, {F8E5M2}}) == "f8e5m2[2]");
  CHECK(Infer(op_add, {{F8E4M3}, {F8E4M3FN}}) == "f8e4m3fn[2]");
  CHECK(Infer(op_add, {{F8E8M0FNU}, {BF16}}) == "bf16[2]");
  CHECK(Infer(op_add, {{F8E8M0FNU}, {F16}}) == "f8e8m0fnu[2]");
  CHECK(Infer(op_add, {{F6E3M2FN}, {F8E3M4}}) == "f6e3m2fn[2]");
  CHECK(Infer(op_add, {{F8E5M2}, {F8E5M2FNUZ}}) ==
        "add: one operand's type must be wider than the other's (rule: the result has the wider type), found f8e5m2[2] "
        "and f8e5m2fnuz[2]");
  CHECK(Infer(op_clamp, {{F64, {}}, {BF16}, {F32, {}}}) == "bf16[2]");
}

TEST_CASE("Result shapes keep the operand's layout and every dynamic dimension") {
  const Shape transposed = ShapeUtil::MakeShapeWithLayout(F32, {2, 3}, {0, 1});
  const Shape dynamic = ShapeUtil::MakeShape(F32, {2, 3}, {false, true});
  Graph graph;
  HloInstruction& a = graph.Parameter(transposed);
  HloInstruction& b = graph.Parameter(dynamic);
  const auto infer = [&](const Op& op, std::vector<HloInstruction*> operands) {
    return op.legality.infer(graph.Add(op, std::move(operands)))->ToString();
  };
  CHECK(infer(op_abs, {&a}) == "f32[2,3]{0,1}");
  CHECK(infer(op_add, {&a, &b}) == "f32[2,<=3]{0,1}");
  CHECK(infer(op_add, {&b, &a}) == "f32[2,<=3]{1,0}");
  CHECK(infer(op_complex, {&a, &b}) == "c64[2,<=3]{0,1}");
  CHECK(infer(op_is_finite, {&a}) == "pred[2,3]{0,1}");
  HloInstruction& pred = graph.Parameter(ShapeUtil::MakeShapeWithLayout(PRED, {2, 3}, {0, 1}));
  HloInstruction& scalar = graph.Parameter(PRED, {});
  CHECK(infer(op_select, {&pred, &b, &a}) == "f32[2,<=3]{0,1}");
  CHECK(infer(op_select, {&scalar, &a, &b}) == "f32[2,<=3]{0,1}");
  CHECK(infer(op_clamp, {&b, &a, &b}) == "f32[2,3]{0,1}");
}

TEST_CASE("Component functions have the type of a part") {
  CHECK(Infer(op_abs, {{C64}}) == "f32[2]");
  CHECK(Infer(op_abs, {{C128}}) == "f64[2]");
  CHECK(Infer(op_real, {{C64}}) == "f32[2]");
  CHECK(Infer(op_imag, {{C128}}) == "f64[2]");
  CHECK(Infer(op_real, {{F8E4M3FN}}) == "f8e4m3fn[2]");
  CHECK(Infer(op_complex, {{F64}, {F64}}) == "c128[2]");
  CHECK(Infer(op_sign, {{C64}}) == "c64[2]");
}

TEST_CASE("Conversions keep the dimensions that are written") {
  const Shape f32 = ShapeUtil::MakeShape(F32, {2});
  const Shape u32 = ShapeUtil::MakeShape(U32, {2});
  CHECK(InferShape(op_convert, {f32}, {}, ShapeUtil::MakeShape(S8, {2})) == "s8[2]");
  CHECK(InferShape(op_convert, {f32}, {}, ShapeUtil::MakeShape(S8, {3})) ==
        "convert: the result s8[3] must be an array of the operand's dimensions (rule: dimensions are kept), found "
        "f32[2]");
  CHECK(InferShape(op_stochastic_convert, {f32, u32}, {}, ShapeUtil::MakeShape(BF16, {2})) == "bf16[2]");
  CHECK(InferShape(op_stochastic_convert, {f32, ShapeUtil::MakeShape(U16, {2})}, {}, ShapeUtil::MakeShape(BF16, {2})) ==
        "stochastic-convert: the random bits must be unsigned integers of the operand's width (rule: one random number "
        "of equal width an element), found f32[2] and u16[2]");
  CHECK(InferShape(op_stochastic_convert, {f32, ShapeUtil::MakeShape(U32, {3})}, {}, ShapeUtil::MakeShape(BF16, {2})) ==
        "stochastic-convert: operands must have equal dimensions (rule: no implicit broadcast), found f32[2] and "
        "u32[3]");
  CHECK(InferShape(op_stochastic_convert, {f32, u32}, {}, ShapeUtil::MakeShape(C64, {2})) ==
        "stochastic-convert: the result must be integral or float (rule: element types of the op), found c64[2]");
}

TEST_CASE("copy shares the elements and takes the written layout") {
  Graph graph;
  HloInstruction& instruction = graph.Add(op_copy, {&graph.Parameter(F32, {2, 3})});
  instruction.shape = ShapeUtil::MakeShapeWithLayout(F32, {2, 3}, {0, 1});
  const Literal operand = Array(F32, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Literal copy = Evaluate(instruction, {operand});
  CHECK(copy.shape() == instruction.shape);
  CHECK(copy.data() == operand.data());
  CHECK(Numbers(copy) == Numbers(operand));
}

// ------------------------------------------------------------------------------------------------------ Completeness.

const Op* const kElementwiseOps[] = {&op_abs,
                                     &op_acos,
                                     &op_acosh,
                                     &op_add,
                                     &op_and,
                                     &op_asin,
                                     &op_asinh,
                                     &op_atan,
                                     &op_atan2,
                                     &op_atanh,
                                     &op_cbrt,
                                     &op_ceil,
                                     &op_clamp,
                                     &op_compare,
                                     &op_complex,
                                     &op_convert,
                                     &op_cosh,
                                     &op_cosine,
                                     &op_count_leading_zeros,
                                     &op_divide,
                                     &op_erf,
                                     &op_exponential,
                                     &op_exponential_minus_one,
                                     &op_floor,
                                     &op_imag,
                                     &op_is_finite,
                                     &op_log,
                                     &op_log_plus_one,
                                     &op_logistic,
                                     &op_maximum,
                                     &op_minimum,
                                     &op_mulhi,
                                     &op_multiply,
                                     &op_negate,
                                     &op_not,
                                     &op_or,
                                     &op_popcnt,
                                     &op_power,
                                     &op_real,
                                     &op_reduce_precision,
                                     &op_remainder,
                                     &op_round_nearest_afz,
                                     &op_round_nearest_even,
                                     &op_rsqrt,
                                     &op_select,
                                     &op_shift_left,
                                     &op_shift_right_arithmetic,
                                     &op_shift_right_logical,
                                     &op_sign,
                                     &op_sine,
                                     &op_sinh,
                                     &op_sqrt,
                                     &op_stochastic_convert,
                                     &op_subtract,
                                     &op_tan,
                                     &op_tanh,
                                     &op_xor};

// Returns all kinds of operand and result types with which the op is legal on operand 0 of this type.
std::vector<std::pair<std::vector<PrimitiveType>, PrimitiveType>> OperandTypes(const Op& op, PrimitiveType type) {
  static constexpr PrimitiveType kUnsigned[] = {U1, U2, U4, U8, U16, U32, U64};
  std::vector<std::pair<std::vector<PrimitiveType>, PrimitiveType>> kinds;
  if (&op == &op_select) {
    for (const PrimitiveType choice : ArrayTypes()) kinds.push_back({{PRED, choice, choice}, PRIMITIVE_TYPE_INVALID});
  } else if (&op == &op_convert) {
    for (const PrimitiveType to : ArrayTypes()) kinds.push_back({{type}, to});
  } else if (&op == &op_stochastic_convert) {
    for (const PrimitiveType random : kUnsigned) {
      if (BitWidth(random) != BitWidth(type)) continue;
      for (const PrimitiveType to : ArrayTypes()) {
        if (to != PRED && !IsComplexType(to)) kinds.push_back({{type, random}, to});
      }
    }
  } else {
    kinds.push_back({std::vector<PrimitiveType>(op.legality.arity.min, type), PRIMITIVE_TYPE_INVALID});
  }
  return kinds;
}

Attributes SomeAttributes(const Op& op) {
  Attributes attributes;
  for (const AttributeSpec& spec : op.syntax.attributes) {
    if (!spec.required) continue;
    if (spec.kind == AttributeKind::kInt64) attributes.emplace_back(spec.name, std::int64_t{3});
    if (spec.kind == AttributeKind::kEnum) attributes.emplace_back(spec.name, std::string(spec.enumerators[0]));
  }
  return attributes;
}

TEST_CASE("Every element-wise op infers and computes on each of its types") {
  for (const Op* op : kElementwiseOps) {
    INFO(op->name);
    REQUIRE((op->legality.infer != nullptr && op->evaluation.kernel != nullptr));
    for (const PrimitiveType type : ArrayTypes()) {
      if (!op->legality.types.contains(type)) continue;
      for (const auto& [types, result] : OperandTypes(*op, type)) {
        INFO(op->name << " " << PrimitiveTypeName(type) << " " << PrimitiveTypeName(types.back()));
        // A multiple neither of the block size nor of the vector length.
        std::vector<Literal> zeros;
        for (const PrimitiveType operand : types) zeros.emplace_back(ShapeUtil::MakeShape(operand, {1031}));
        const Literal value = RunOp(*op, zeros, SomeAttributes(*op), result);
        const std::vector<std::uint64_t> bits = ToBits(value);
        const std::size_t parts = ComponentCount(value.element_type());
        bool all_equal = true;
        for (std::size_t i = parts; i < bits.size(); ++i) all_equal = all_equal && bits[i] == bits[i - parts];
        CHECK(all_equal);
      }
    }
  }
}

TEST_CASE("A kernel may write over one of its operands") {
  for (const PrimitiveType type : {F32, S32, BF16, U8}) {
    Graph graph;
    HloInstruction& parameter = graph.Parameter(type, {1031});
    for (const Op* op : {&op_add, &op_maximum, &op_multiply}) {
      HloInstruction& instruction = graph.Add(*op, {&parameter, &parameter});
      instruction.shape = parameter.shape;
      std::vector<double> numbers;
      for (int i = 0; i < 1031; ++i) numbers.push_back(i % 7);
      Literal value = Reals(type, numbers);
      const Literal want = RunOp(*op, {value, value});
      const std::byte* data = value.mutable_data();
      op->evaluation.kernel(instruction)(std::vector<const std::byte*>{data, data}, value.mutable_data(), 1031);
      CHECK(value.BitwiseEqual(want));
    }
  }
}

}  // namespace
}  // namespace assay::testing
