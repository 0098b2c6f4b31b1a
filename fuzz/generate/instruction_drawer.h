// An instruction under construction: its operands with their values, its attributes, and the module so far.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fuzz/generate/attribute_classes.h"
#include "fuzz/generate/random.h"
#include "fuzz/generate/shapes.h"
#include "fuzz/generate/values.h"
#include "interpreter/builder/add_instruction.h"
#include "interpreter/builder/xla_builder.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/per_device.h"

namespace assay::generate {

using xla::OpAttribute;
using xla::XlaBuilder;
using xla::XlaComputation;
using xla::XlaOp;

// The constraints on a drawn instruction.
struct DrawConstraints {
  // The element types of the first operand. Has no effect on an op that accepts none of them.
  TypeSet types = {~std::uint64_t{0}};
  std::int64_t most_elements = 64;  // of an operand
  std::span<const EdgeClass> classes = AllEdgeClasses();
  // The number of devices; 0: several devices if the op's value depends on them.
  std::int64_t replica_count = 0;
  std::int64_t num_partitions = 0;
  // Shapes that operands should have if possible, because values of these shapes exist.
  std::span<const Shape> at_hand = {};
  // If false, optional attributes are absent unless a drawing function sets them.
  bool draws_optional_attributes = true;
  // Otherwise, each one is present in one of this many draws.
  std::int64_t optional_attributes_one_in = 6;
  // A class that an attribute of the op's instruction should have if possible.
  std::optional<AttributeClass> attribute_class = std::nullopt;
  // If true, the module need not be legal as a whole: it becomes part of another one, which will be verified.
  bool is_part = false;
};

// A module whose entry applies an op to its parameters, with their values.
struct DrawnInstruction {
  std::unique_ptr<HloModule> module;
  const HloInstruction* drawn = nullptr;  // the instruction of the op, in the entry
  DeviceValues operands;                  // the parameters' values
  // For each parameter: true if any other value of its shape is as good.
  std::vector<bool> takes_any_value;
  // The values of the host for infeed and recv.
  DeviceValues from_host;

  // Returns the root: the op's instruction, unless another instruction completes it.
  const HloInstruction& instruction() const { return *module->entry->root; }
};

// The arguments of AddInstruction. Braces, as in drawer.Add({operands, attributes, shape}), evaluate them in this
// order; arguments of a function are evaluated in an unspecified order.
struct InstructionSpec {
  std::vector<XlaOp> operands;
  std::vector<OpAttribute> attributes = {};
  std::optional<Shape> shape = std::nullopt;
};

TypeSet TypesThat(bool (*predicate)(PrimitiveType));
TypeSet CommonTypes(TypeSet a, TypeSet b);

class InstructionDrawer {
 public:
  InstructionDrawer(const Op& op, Random& random, const DrawConstraints& constraints);

  const Op& op() const { return op_; }
  Random& random() { return random_; }
  XlaBuilder* builder() { return &builder_; }
  const DrawConstraints& constraints() const { return constraints_; }
  std::int64_t replica_count() const { return replica_count_; }
  std::int64_t num_partitions() const { return num_partitions_; }
  std::int64_t device_count() const { return replica_count_ * num_partitions_; }

  // Draws one of the types, of the wanted ones if possible. Without a list, draws one of the op's types.
  PrimitiveType Type(TypeSet types);
  PrimitiveType Type() { return Type(op_.legality.types); }
  // Draws a type for a second operand: floating types are never mixed.
  PrimitiveType TypeBeside(PrimitiveType other);
  ShapeLimits Limits(std::int64_t least_rank = 0, std::int64_t most_rank = 4) const {
    return {least_rank, most_rank, constraints_.most_elements};
  }
  // Draws the shape of an array, an existing one if possible.
  Shape ArrayShape(TypeSet types, std::int64_t least_rank = 0, std::int64_t most_rank = 4);
  Shape ArrayShape(std::int64_t least_rank = 0, std::int64_t most_rank = 4) {
    return ArrayShape(op_.legality.types, least_rank, most_rank);
  }

  // Adds an operand: a parameter of a shape, with any value; or with this value, equal or different on each device.
  XlaOp Value(const Shape& shape);
  XlaOp Value(const Literal& literal) { return Value(PerDevice<Literal>(device_count(), literal)); }
  XlaOp Value(PerDevice<Literal> literals);
  XlaOp Scalar(PrimitiveType type) { return Value(ShapeUtil::MakeScalarShape(type)); }
  XlaOp Token() { return CreateToken(&builder_); }
  // Adds the next value of the host, for each device.
  void FromHost(const Shape& shape);

  // Adds the op's instruction. Attributes that are not named and allow any value of their kind are drawn by the record.
  // An attribute that is named without a value is absent.
  XlaOp Add(InstructionSpec recipe) { return Add(op_, std::move(recipe)); }
  // Adds an instruction of another op, which the drawn one completes.
  XlaOp Add(const Op& op, InstructionSpec recipe);
  // Keeps a computation alive: attributes refer to it.
  const XlaComputation& Keep(XlaComputation computation) { return kept_.emplace_back(std::move(computation)); }
  // Changes the finished module where the builder has no interface for the change.
  void Edit(std::function<void(HloModule&)> edit) { edits_.push_back(std::move(edit)); }

  // Fails if the module is illegal.
  Result<DrawnInstruction> Finish(XlaOp root);

 private:
  // Draws an attribute that allows any value of its kind; nothing if it is to be absent.
  std::optional<AttributeValue> DrawOptional(const AttributeSpec& spec);
  void SpellAsWished(const AttributeSpec& spec, AttributeValue& value) const;
  Literal AnyValue(const Shape& shape) { return DrawValue(random_, shape, random_.OneOf(constraints_.classes)); }

  const Op& op_;
  Random& random_;
  const DrawConstraints& constraints_;
  std::int64_t replica_count_ = 1, num_partitions_ = 1;
  XlaBuilder builder_;
  std::vector<PerDevice<Literal>> values_;  // of each parameter
  std::vector<bool> takes_any_value_;
  DeviceValues from_host_;
  std::vector<std::function<void(HloModule&)>> edits_;
  std::list<XlaComputation> kept_;  // references to them stay valid
};

}  // namespace assay::generate
