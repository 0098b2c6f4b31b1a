// Shapes and legality of the element-wise ops, and that each of them has a kernel for each of its types.
#include <algorithm>
#include <sstream>

#include "interpreter/hlo/parser.h"
#include "interpreter/types/join_text.h"
#include "spec_tests/ops/kernel.h"

namespace assay::testing {
namespace {

struct Inference {
  const char* op;
  std::vector<std::string_view> operands;
  const char* result;
};

const Inference kInferences[] = {
    // The wider type has the larger range, then the more precise significand.
    {"add", {"f32[2]", "f64[2]"}, "f64[2]{0}"},
    {"add", {"f16[2]", "bf16[2]"}, "bf16[2]{0}"},
    {"add", {"f8e4m3fn[2]", "f8e5m2[2]"}, "f8e5m2[2]{0}"},
    {"add", {"f8e4m3[2]", "f8e4m3fn[2]"}, "f8e4m3fn[2]{0}"},
    {"add", {"f8e8m0fnu[2]", "bf16[2]"}, "bf16[2]{0}"},
    {"add", {"f8e8m0fnu[2]", "f16[2]"}, "f8e8m0fnu[2]{0}"},
    {"add", {"f6e3m2fn[2]", "f8e3m4[2]"}, "f6e3m2fn[2]{0}"},
    {"clamp", {"f64[]", "bf16[2]", "f32[]"}, "bf16[2]{0}"},
    // The first operand's layout, and every dynamic dimension.
    {"abs", {"f32[2,3]{0,1}"}, "f32[2,3]{0,1}"},
    {"add", {"f32[2,3]{0,1}", "f32[2,<=3]"}, "f32[2,<=3]{0,1}"},
    {"add", {"f32[2,<=3]", "f32[2,3]{0,1}"}, "f32[2,<=3]{1,0}"},
    {"complex", {"f32[2,3]{0,1}", "f32[2,<=3]"}, "c64[2,<=3]{0,1}"},
    {"is-finite", {"f32[2,3]{0,1}"}, "pred[2,3]{0,1}"},
    {"select", {"pred[2,3]{0,1}", "f32[2,<=3]", "f32[2,3]{0,1}"}, "f32[2,<=3]{0,1}"},
    {"select", {"pred[]", "f32[2,3]{0,1}", "f32[2,<=3]"}, "f32[2,<=3]{0,1}"},
    {"clamp", {"f32[2,<=3]", "f32[2,3]{0,1}", "f32[2,<=3]"}, "f32[2,3]{0,1}"},
    // Functions of components have the type of a part.
    {"abs", {"c64[2]"}, "f32[2]{0}"},
    {"abs", {"c128[2]"}, "f64[2]{0}"},
    {"real", {"c64[2]"}, "f32[2]{0}"},
    {"imag", {"c128[2]"}, "f64[2]{0}"},
    {"real", {"f8e4m3fn[2]"}, "f8e4m3fn[2]{0}"},
    {"complex", {"f64[2]", "f64[2]"}, "c128[2]{0}"},
    {"sign", {"c64[2]"}, "c64[2]{0}"},
};

TEST_CASE("Element-wise ops infer the wider type, the operand's layout and every dynamic dimension") {
  for (const Inference& row : kInferences) {
    Graph graph;
    std::vector<HloInstruction*> operands;
    for (const std::string_view shape : row.operands) operands.push_back(&graph.Parameter(ParseShape(shape).value()));
    const Op& op = *FindOp(row.op);
    INFO(row.op << " " << JoinText(row.operands, " "));
    CHECK(op.legality.infer(graph.Add(op, operands))->ToString() == row.result);
  }
}

constexpr std::string_view kElementwiseOps =
    "abs acos acosh add and asin asinh atan atan2 atanh cbrt ceil clamp compare complex convert cosh cosine "
    "count-leading-zeros divide erf exponential exponential-minus-one floor imag is-finite log log-plus-one logistic "
    "maximum minimum mulhi multiply negate not or popcnt power real reduce-precision remainder round-nearest-afz "
    "round-nearest-even rsqrt select shift-left shift-right-arithmetic shift-right-logical sign sine sinh sqrt "
    "stochastic-convert subtract tan tanh xor";

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
    if (spec.kind == AttributeKind::kInt64) attributes.push_back({spec.name, std::int64_t{3}});
    if (spec.kind == AttributeKind::kEnum) attributes.push_back({spec.name, std::string(spec.enumerators[0])});
  }
  return attributes;
}

TEST_CASE("Every element-wise op infers and computes on each of its types") {
  std::istringstream names{std::string(kElementwiseOps)};
  for (std::string name; names >> name;) {
    INFO(name);
    const Op* op = FindOp(name);
    REQUIRE(op != nullptr);
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
