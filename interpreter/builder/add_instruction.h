// How the functions of this folder add an instruction. Only their sources include it.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "interpreter/builder/builder.h"
#include "interpreter/hlo/attributes.h"

namespace assay {

// An attribute of an instruction to be. A value may be absent: then the instruction does not have the attribute.
struct OpAttribute {
  OpAttribute(std::string_view n, AttributeValue v) : name(n), value(std::move(v)) {}
  template <class T>
  OpAttribute(std::string_view n, std::optional<T> v) : name(n) {
    if (v) value = AttributeValue(*std::move(v));
  }
  OpAttribute(std::string_view n, const XlaComputation& computation) : name(n), computations{&computation} {}
  OpAttribute(std::string_view n, std::vector<const XlaComputation*> list)
      : name(n), computations(std::move(list)), is_list(true) {}

  std::string_view name;
  AttributeValue value;
  std::vector<const XlaComputation*> computations;
  bool is_list = false;
};

// As XlaBuilder::AddInstruction, in the builder of the first operand that has one.
XlaOp AddInstruction(std::string_view op, const std::vector<XlaOp>& operands, std::vector<OpAttribute> attributes = {},
                     std::optional<Shape> shape = std::nullopt);

// The builder of the first operand that has one, else null.
XlaBuilder* BuilderOf(const std::vector<XlaOp>& operands);

// The shape of an operand that is legal so far. Null for others: whatever uses them is no new error.
const Shape* FindShape(XlaOp op);

// Reports an error that a function of this folder finds before any instruction is made: "conv(f32[2], f32[3]): ...".
XlaOp ReportIllegal(std::string_view function, const std::vector<XlaOp>& operands, std::string message);

}  // namespace assay
