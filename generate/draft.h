// An instruction that is being drawn: its operands with their values, its attributes, what is built so far.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "generate/attribute_classes.h"
#include "generate/random.h"
#include "generate/shapes.h"
#include "generate/values.h"
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

// What a drawn instruction is to be like.
struct Wishes {
  // Element types of the first operand. An op that takes none of them is free.
  TypeSet types = {~std::uint64_t{0}};
  std::int64_t most_elements = 64;  // of an operand
  std::span<const EdgeClass> classes = AllEdgeClasses();
  // On how many devices the module runs; 0: on several where the op's value depends on them.
  std::int64_t replica_count = 0;
  std::int64_t num_partitions = 0;
  // Shapes that operands had best have, because there are values of them.
  std::span<const Shape> at_hand = {};
  // Off: attributes that may be left out are, unless a drawing function says otherwise.
  bool draws_optional_attributes = true;
  // Else one in so many of them is there.
  std::int64_t optional_attributes_one_in = 6;
  // One that the op's instruction had best have.
  std::optional<AttributeClass> attribute_class = std::nullopt;
};

// A module whose entry applies an op to its parameters, with their values.
struct DrawnInstruction {
  std::unique_ptr<HloModule> module;
  const HloInstruction* drawn = nullptr;  // the instruction of the op, in the entry
  DeviceValues operands;                  // the parameters' values
  // Of each parameter: whether any other value of its shape would do.
  std::vector<bool> takes_any_value;
  // The values that the host has for infeed and recv.
  DeviceValues from_host;

  // The root: the op's instruction, unless it takes others to end what it has started.
  const HloInstruction& instruction() const { return *module->entry->root; }
};

// What makes an instruction. A call with one of these in braces, draft.Add({operands, attributes, shape}), draws them
// in this order; the arguments of a function are evaluated in any.
struct Recipe {
  std::vector<XlaOp> operands;
  std::vector<OpAttribute> attributes = {};
  std::optional<Shape> shape = std::nullopt;
};

TypeSet TypesThat(bool (*predicate)(PrimitiveType));
TypeSet CommonTypes(TypeSet a, TypeSet b);

class Draft {
 public:
  Draft(const Op& op, Random& random, const Wishes& wishes);

  const Op& op() const { return op_; }
  Random& random() { return random_; }
  XlaBuilder* builder() { return &builder_; }
  const Wishes& wishes() const { return wishes_; }
  std::int64_t replica_count() const { return replica_count_; }
  std::int64_t num_partitions() const { return num_partitions_; }
  std::int64_t device_count() const { return replica_count_ * num_partitions_; }

  // One of the types; of those that are wished where some are. Without a list: of the op's own.
  PrimitiveType Type(TypeSet types);
  PrimitiveType Type() { return Type(op_.legality.types); }
  // One that an op takes beside another: floating types do not meet.
  PrimitiveType TypeBeside(PrimitiveType other);
  ShapeLimits Limits(std::int64_t least_rank = 0, std::int64_t most_rank = 4) const {
    return {least_rank, most_rank, wishes_.most_elements};
  }
  // An array's shape: one that is at hand, where one fits.
  Shape ArrayShape(TypeSet types, std::int64_t least_rank = 0, std::int64_t most_rank = 4);
  Shape ArrayShape(std::int64_t least_rank = 0, std::int64_t most_rank = 4) {
    return ArrayShape(op_.legality.types, least_rank, most_rank);
  }

  // Operands. One of a shape, whose value may be any; one of this very value, on each device the same or not.
  XlaOp Value(const Shape& shape);
  XlaOp Value(const Literal& literal) { return Value(PerDevice<Literal>(device_count(), literal)); }
  XlaOp Value(PerDevice<Literal> literals);
  XlaOp Scalar(PrimitiveType type) { return Value(ShapeUtil::MakeScalarShape(type)); }
  XlaOp Token() { return CreateToken(&builder_); }
  // What the host has next, for each device.
  void FromHost(const Shape& shape);

  // Adds the op's instruction. Attributes that are not named and take any value of their kind are drawn as the record
  // says. One named without a value stays away.
  XlaOp Add(Recipe recipe) { return Add(op_, std::move(recipe)); }
  // The same for another op, which starts what the drawn one ends.
  XlaOp Add(const Op& op, Recipe recipe);
  // Keeps a computation that an attribute names: attributes refer to it.
  const XlaComputation& Keep(XlaComputation computation) { return kept_.emplace_back(std::move(computation)); }
  // Changes the finished module in a way that the builder has no words for.
  void Edit(std::function<void(HloModule&)> edit) { edits_.push_back(std::move(edit)); }

  // An error where the module is illegal.
  Result<DrawnInstruction> Finish(XlaOp root);

 private:
  // An attribute that takes any value of its kind; nothing where it is left out.
  std::optional<AttributeValue> DrawOptional(const AttributeSpec& spec);
  void SpellAsWished(const AttributeSpec& spec, AttributeValue& value) const;
  Literal AnyValue(const Shape& shape) { return DrawValue(random_, shape, random_.OneOf(wishes_.classes)); }

  const Op& op_;
  Random& random_;
  const Wishes& wishes_;
  std::int64_t replica_count_ = 1, num_partitions_ = 1;
  XlaBuilder builder_;
  std::vector<PerDevice<Literal>> values_;  // of each parameter
  std::vector<bool> takes_any_value_;
  DeviceValues from_host_;
  std::vector<std::function<void(HloModule&)>> edits_;
  std::deque<XlaComputation> kept_;
};

}  // namespace assay::generate
