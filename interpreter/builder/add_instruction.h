// Adding of instructions by op name, used by the functions of this folder and for ops without a function:
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

// An attribute of a new instruction. An empty value means that the instruction does not have the attribute.
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

// Adds an instruction as XlaBuilder::AddInstruction does, for ops that may have no operands.
XlaOp AddInstruction(XlaBuilder* builder, std::string_view op, const std::vector<XlaOp>& operands,
                     std::vector<OpAttribute> attributes = {}, std::optional<Shape> shape = std::nullopt);
// The same in the builder of the first operand that has one. If none has one, that is an error of the builder that this
// thread uses next.
XlaOp AddInstruction(std::string_view op, const std::vector<XlaOp>& operands, std::vector<OpAttribute> attributes = {},
                     std::optional<Shape> shape = std::nullopt);

// Adds an element-wise op of two operands, which are broadcast to each other's dimensions (elementwise.h).
XlaOp AddBinary(std::string_view op, XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions,
                std::vector<OpAttribute> attributes = {});

// Returns the builder of the first operand that has one, else null.
XlaBuilder* BuilderOf(const std::vector<XlaOp>& operands);

std::vector<XlaOp> Joined(std::vector<XlaOp> first, const std::vector<XlaOp>& second);

// Returns 0, 1, ..., rank - 1.
Int64List AllDimensions(std::int64_t rank);

// Returns the product of two sizes; negative, so not a legal size, if it overflows.
std::int64_t SizeTimes(std::int64_t a, std::int64_t b);

// Returns the shape of an operand; null for an illegal operand, whose uses report no further error.
const Shape* FindShape(XlaOp op);

// Reports an error that a function of this folder finds before it makes an instruction: "conv(f32[2], f32[3]): ...".
XlaOp ReportIllegal(std::string_view function, const std::vector<XlaOp>& operands, std::string message);

}  // namespace assay::xla
