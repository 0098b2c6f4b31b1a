#include "fuzz/generate/instruction_drawer.h"

#include <fmt/format.h>

#include <algorithm>

#include "fuzz/generate/attribute_classes.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/verifier.h"

namespace assay::generate {
namespace {

// The types of most programs.
constexpr TypeSet kUsualTypes = TypesOf(PRED, S8, S32, S64, U8, U32, F16, BF16, F32, F64, C64);

// Draws of a value until it is of a class. Numbers, and lists of 20 words, reach each of their classes within this
// many.
constexpr int kMostDrawsOfValue = 60;

std::vector<PrimitiveType> ListOf(TypeSet types) {
  std::vector<PrimitiveType> list;
  list.reserve(ArrayTypes().size());
  for (const PrimitiveType type : ArrayTypes()) {
    if (types.contains(type)) list.push_back(type);
  }
  return list;
}

}  // namespace

TypeSet TypesThat(bool (*predicate)(PrimitiveType)) {
  TypeSet types;
  for (const PrimitiveType type : ArrayTypes()) {
    if (predicate(type)) types = types | TypesOf(type);
  }
  return types;
}

TypeSet CommonTypes(TypeSet a, TypeSet b) { return {a.bits & b.bits}; }

InstructionDrawer::InstructionDrawer(const Op& op, Random& random, const DrawConstraints& constraints)
    : op_(op), random_(random), constraints_(constraints), builder_("drawn") {
  if (constraints.replica_count > 0) {
    replica_count_ = constraints.replica_count;
    num_partitions_ = std::max<std::int64_t>(1, constraints.num_partitions);
  } else if (op.evaluation.depends_on_device) {
    replica_count_ = random.Between(1, 4);
    num_partitions_ = random.OneIn(3) ? 2 : 1;
  }
  builder_.SetDeviceCounts(replica_count_, num_partitions_);
  from_host_ = DeviceValues(device_count());
}

PrimitiveType InstructionDrawer::Type(TypeSet types) {
  std::vector<PrimitiveType> list = ListOf(CommonTypes(types, constraints_.types));
  if (list.empty()) list = ListOf(types);
  const std::vector<PrimitiveType> usual = ListOf(CommonTypes(CommonTypes(types, constraints_.types), kUsualTypes));
  return random_.OneOf(usual.empty() || random_.Flip() ? list : usual);
}

PrimitiveType InstructionDrawer::TypeBeside(PrimitiveType other) {
  const PrimitiveType type = Type();
  return IsFloatingPointType(type) && IsFloatingPointType(other) ? other : type;
}

Shape InstructionDrawer::ArrayShape(TypeSet types, std::int64_t least_rank, std::int64_t most_rank) {
  if (!random_.OneIn(4)) {
    std::vector<Shape> fitting;
    for (const Shape& shape : constraints_.at_hand) {
      const bool has_rank = shape.rank() >= least_rank && shape.rank() <= most_rank;
      if (has_rank && types.contains(shape.element_type())) fitting.push_back(shape);
    }
    if (!fitting.empty()) return random_.OneOf(fitting);
  }
  const PrimitiveType type = Type(types);
  return ShapeUtil::MakeShape(type, DrawDimensions(random_, Limits(least_rank, most_rank)));
}

XlaOp InstructionDrawer::Value(const Shape& shape) {
  PerDevice<Literal> literals;
  for (std::int64_t i = 0; i < device_count(); ++i) literals.push_back(AnyValue(shape));
  const XlaOp parameter = Value(std::move(literals));
  takes_any_value_.back() = true;
  return parameter;
}

XlaOp InstructionDrawer::Value(PerDevice<Literal> literals) {
  const auto number = static_cast<std::int64_t>(values_.size());
  values_.push_back(std::move(literals));
  takes_any_value_.push_back(false);
  return Parameter(&builder_, number, values_.back()[0].shape(), "p" + std::to_string(number));
}

void InstructionDrawer::FromHost(const Shape& shape) {
  for (std::vector<Literal>& values : from_host_) values.push_back(AnyValue(shape));
}

std::optional<AttributeValue> InstructionDrawer::DrawOptional(const AttributeSpec& spec) {
  const auto& wished = constraints_.attribute_class;
  const bool is_wished = wished && wished->attribute == &spec;
  if (is_wished && wished->name == kAbsent) return std::nullopt;
  const bool is_left_out =
      !constraints_.draws_optional_attributes || !random_.OneIn(constraints_.optional_attributes_one_in);
  if (!spec.required && is_left_out && !is_wished) return std::nullopt;
  AttributeValue value = DrawAttributeValue(random_, spec);
  for (int i = 0; is_wished && i < kMostDrawsOfValue && !IsOf(spec, value, wished->name); ++i) {
    value = DrawAttributeValue(random_, spec);
  }
  return value;
}

// Writes or omits a default value, as the wanted class requires.
void InstructionDrawer::SpellAsWished(const AttributeSpec& spec, AttributeValue& value) const {
  const auto& wished = constraints_.attribute_class;
  if (!wished || wished->attribute != &spec) return;
  const bool is_absent = std::holds_alternative<std::monostate>(value);
  const auto is_one_of = [&]<class T>(const T& usual) {
    const T* held = std::get_if<T>(&value);
    const T* by_record = std::get_if<T>(&spec.default_value);
    return held != nullptr && *held == (by_record != nullptr ? *by_record : usual);
  };
  const bool has_number_by_default = std::holds_alternative<std::int64_t>(spec.default_value);
  const bool is_default = is_one_of(false) || is_one_of(Int64List()) || is_one_of(std::string()) ||
                          (has_number_by_default && is_one_of(std::int64_t{0}));
  if (wished->name == kAbsent && is_default && !spec.required) value = {};
  if (wished->name == "false" && is_absent && spec.kind == AttributeKind::kBool) value = false;
}

XlaOp InstructionDrawer::Add(const Op& op, InstructionSpec recipe) {
  std::vector<OpAttribute>& attributes = recipe.attributes;
  for (const AttributeSpec& spec : op.syntax.attributes) {
    const auto named = std::ranges::find(attributes, spec.name.text(), &OpAttribute::name);
    if (named != attributes.end()) {
      SpellAsWished(spec, named->value);
      continue;
    }
    if (auto value = DrawOptional(spec)) attributes.emplace_back(spec.name, *std::move(value));
  }
  return AddInstruction(&builder_, op.name, recipe.operands, std::move(attributes), std::move(recipe.shape));
}

Result<DrawnInstruction> InstructionDrawer::Finish(XlaOp root) {
  DrawnInstruction drawn;
  ASSAY_TRY(drawn.module,
            constraints_.is_part ? std::move(builder_).TakeModule(root) : std::move(builder_).BuildModule(root));
  bool is_edited = !edits_.empty();
  for (const auto& edit : edits_) edit(*drawn.module);
  for (const auto& instruction : drawn.module->entry->instructions) {
    if (instruction->op == &op_) drawn.drawn = instruction.get();
    const bool has_accuracy =
        op_.syntax.accepts_result_accuracy && constraints_.draws_optional_attributes && random_.OneIn(6);
    if (instruction->op != &op_ || !has_accuracy) continue;
    instruction->result_accuracy = DrawResultAccuracy(random_);
    is_edited = true;
  }
  // The builder has verified the module that it built.
  if (is_edited && !constraints_.is_part) ASSAY_CHECK_OK(VerifyHloModule(*drawn.module));
  drawn.operands = DeviceValues(device_count());
  for (std::int64_t device = 0; device < device_count(); ++device) {
    for (PerDevice<Literal>& value : values_) drawn.operands[device].push_back(std::move(value[device]));
  }
  drawn.takes_any_value = std::move(takes_any_value_);
  drawn.from_host = std::move(from_host_);
  return drawn;
}

}  // namespace assay::generate
