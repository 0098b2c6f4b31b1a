// How the functions of this folder add an instruction, and how an op is added that has no function:
//   AddInstruction("shuffle", {x}, {{"dimensions", Int64List{0}}, {"mode", "rotate"}, {"shifts", Int64List{1}}})
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "interpreter/builder/builder.h"
#include "interpreter/hlo/attributes.h"

namespace assay::xla {

// An attribute of an instruction to be. Without a value, the instruction does not have the attribute.
struct OpAttribute {
  OpAttribute(std::string_view n, AttributeValue v) : name(n), value(std::move(v)) {}
  OpAttribute(std::string_view n, const XlaComputation& computation) : name(n), computations{&computation} {}
  OpAttribute(std::string_view n, std::vector<const XlaComputation*> list)
      : name(n), computations(std::move(list)), is_list(true) {}

  std::string_view name;
  AttributeValue value;
  std::vector<const XlaComputation*> computations;
  bool is_list = false;
};

// XlaBuilder::AddInstruction, for ops that may have no operands.
XlaOp AddInstruction(XlaBuilder* builder, std::string_view op, const std::vector<XlaOp>& operands,
                     std::vector<OpAttribute> attributes = {}, std::optional<Shape> shape = std::nullopt);
// The same in the builder of the first operand that has one. Without any it is an error of the builder that this thread
// uses next.
XlaOp AddInstruction(std::string_view op, const std::vector<XlaOp>& operands, std::vector<OpAttribute> attributes = {},
                     std::optional<Shape> shape = std::nullopt);

// The builder of the first operand that has one, else null.
XlaBuilder* BuilderOf(const std::vector<XlaOp>& operands);

std::vector<XlaOp> Joined(std::vector<XlaOp> first, const std::vector<XlaOp>& second);

// 0, 1, ..., rank - 1.
Int64List AllDimensions(std::int64_t rank);

// A product of sizes. Negative, and so no size, when it does not fit.
std::int64_t SizeTimes(std::int64_t a, std::int64_t b);

// The shape of an operand that is legal so far. Null for others: whatever uses them is no new error.
const Shape* FindShape(XlaOp op);

// Reports an error that a function of this folder finds before any instruction is made: "conv(f32[2], f32[3]): ...".
XlaOp ReportIllegal(std::string_view function, const std::vector<XlaOp>& operands, std::string message);

}  // namespace assay::xla
