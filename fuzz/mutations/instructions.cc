// Mutations of one instruction: another op, operand or attribute, another instruction, or none.
#include "fuzz/generate/instructions.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "fuzz/generate/attribute_classes.h"
#include "fuzz/mutations/mutation.h"
#include "interpreter/hlo/op.h"

namespace assay {
using namespace generate;
namespace {

bool MayChange(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kOrdinary && instruction.shape.IsFixedArray() && !MayCount(instruction);
}

bool IsPlainElementWise(const Op& op) {
  return op.evaluation.kernel != nullptr && op.syntax.shape_is_inferable &&
         std::ranges::none_of(op.syntax.attributes, &AttributeSpec::required);
}

HloInstruction* OtherOp(Site& site) {
  const HloInstruction& at = site.at();
  if (!MayChange(at) || !IsPlainElementWise(*at.op)) return nullptr;
  std::vector<const Op*> others;
  for (const Op* op : AllOps()) {
    if (op != at.op && IsPlainElementWise(*op) && op->legality.arity.min == std::ssize(at.operands)) {
      others.push_back(op);
    }
  }
  if (others.empty()) return nullptr;
  return Adapted(site, site.Add(site.random().OneOf(others)->name, at.operands), at.shape);
}

// Repeats the instruction with other operands and attributes. Its result gets the shape of the original one.
HloInstruction* Varied(Site& site, std::vector<HloInstruction*> operands, std::vector<Attribute> attributes) {
  const HloInstruction& at = site.at();
  const auto written = at.op->syntax.shape_is_inferable ? std::nullopt : std::optional(at.shape);
  HloInstruction* const varied = site.Add(at.op->name, std::move(operands), std::move(attributes), written);
  return Adapted(site, varied, at.shape);
}

HloInstruction* OtherOperand(Site& site) {
  const HloInstruction& at = site.at();
  if (!MayChange(at) || at.operands.empty()) return nullptr;
  std::vector<HloInstruction*> operands = at.operands;
  HloInstruction*& operand = operands[static_cast<std::size_t>(site.random().Below(std::ssize(operands)))];
  const bool takes_any_shape = site.random().OneIn(4);
  HloInstruction* const other = AnyBefore(site, [&](const HloInstruction& before) {
    const bool has_type = before.shape.IsFixedArray() && before.shape.element_type() == operand->shape.element_type();
    return &before != operand && (takes_any_shape ? has_type : ShapeUtil::Compatible(before.shape, operand->shape));
  });
  if (other == nullptr) return nullptr;
  HloInstruction* const fitting = Adapted(site, other, operand->shape);
  if (fitting == nullptr) return nullptr;
  operand = fitting;
  return Varied(site, std::move(operands), at.attributes);
}

// Changes one number of a list, or exchanges two.
void Nudge(Random& random, Int64List& list) {
  if (list.empty()) return list.push_back(random.Below(4));
  std::int64_t& number =
      random.OneIn(2) ? list.front() : list[static_cast<std::size_t>(random.Below(std::ssize(list)))];
  std::int64_t& other = list[static_cast<std::size_t>(random.Below(std::ssize(list)))];
  switch (random.Below(5)) {
    case 0:
      return std::swap(number, other);
    case 1:
      return list.erase(list.begin() + random.Below(std::ssize(list))), void();
    case 2:
      number = random.Below(2 * std::max<std::int64_t>(1, number) + 2);
      return;
    default:
      number = std::max<std::int64_t>(0, number + (random.Flip() ? 1 : -1));
  }
}

// Changes one field of one dimension.
template <class Dimension, class... Fields>
void NudgeField(Random& random, std::vector<Dimension>& dimensions, Fields... fields) {
  if (dimensions.empty()) return;
  Dimension& one = dimensions[static_cast<std::size_t>(random.Below(std::ssize(dimensions)))];
  std::int64_t chosen = random.Below(sizeof...(fields));
  const auto nudge = [&](auto field) {
    if (chosen-- != 0) return;
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(one.*field)>, bool>) {
      one.*field = !(one.*field);
    } else {
      one.*field += random.Flip() ? random.Between(1, 3) : -1;
    }
  };
  (nudge(fields), ...);
}

void Nudge(Random& random, Window& window) {
  NudgeField(random, window.dimensions, &WindowDimension::size, &WindowDimension::stride, &WindowDimension::padding_low,
             &WindowDimension::padding_high, &WindowDimension::window_dilation, &WindowDimension::base_dilation,
             &WindowDimension::window_reversal);
}
void Nudge(Random& random, PaddingConfig& padding) {
  std::vector<PaddingConfigDimension> dimensions = std::move(padding);
  NudgeField(random, dimensions, &PaddingConfigDimension::edge_padding_low, &PaddingConfigDimension::edge_padding_high,
             &PaddingConfigDimension::interior_padding);
  padding.assign(dimensions.begin(), dimensions.end());
}
void Nudge(Random& random, SliceConfig& slice) {
  NudgeField(random, slice, &SliceDimension::start, &SliceDimension::limit, &SliceDimension::stride);
}
void Nudge(Random& random, ConvolutionDimensionNumbers& numbers) {
  switch (random.Below(4)) {
    case 0:
      return std::swap(numbers.input_batch_dimension, numbers.input_feature_dimension);
    case 1:
      return std::swap(numbers.kernel_input_feature_dimension, numbers.kernel_output_feature_dimension);
    case 2:
      return std::swap(numbers.output_batch_dimension, numbers.output_feature_dimension);
    default:
      std::ranges::reverse(random.OneIn(2) ? numbers.input_spatial_dimensions : numbers.kernel_spatial_dimensions);
  }
}

// Returns another value of an attribute; nothing for an attribute of a kind that is not changed.
AttributeValue OtherValue(Random& random, const AttributeSpec& spec, const AttributeValue* value) {
  const bool has_number = spec.kind == AttributeKind::kInt64 && value != nullptr;
  if (value == nullptr || spec.kind == AttributeKind::kBool || spec.kind == AttributeKind::kEnum) {
    return DrawAttributeValue(random, spec);
  }
  return std::visit(
      [&]<class T>(const T& written) -> AttributeValue {
        T other = written;
        if constexpr (std::is_same_v<T, std::int64_t>) {
          return has_number ? AttributeValue(other + (random.Flip() ? 1 : -1)) : AttributeValue();
        } else if constexpr (requires { Nudge(random, other); }) {
          Nudge(random, other);
          return AttributeValue(std::move(other));
        } else {
          return {};
        }
      },
      static_cast<const AttributeValueOf&>(*value));
}

HloInstruction* OtherAttribute(Site& site) {
  const HloInstruction& at = site.at();
  if (!MayChange(at) || at.op->syntax.attributes.size() == 0) return nullptr;
  const auto number = static_cast<std::size_t>(site.random().Below(std::ssize(at.op->syntax.attributes)));
  const AttributeSpec& spec = at.op->syntax.attributes[number];
  std::vector<Attribute> attributes = at.attributes;
  const auto written = std::ranges::find(attributes, spec.name, &Attribute::name);
  const bool is_absent = written == attributes.end();
  AttributeValue other = OtherValue(site.random(), spec, is_absent ? nullptr : &written->value);
  if (std::holds_alternative<std::monostate>(other)) return nullptr;
  if (is_absent) {
    attributes.push_back({spec.name, std::move(other)});
  } else {
    written->value = std::move(other);
  }
  return Varied(site, at.operands, std::move(attributes));
}

// Replaces the instruction by one of its operands.
HloInstruction* Deleted(Site& site) {
  const HloInstruction& at = site.at();
  if (!MayChange(at) || at.operands.empty()) return nullptr;
  return Adapted(site, site.random().OneOf(at.operands), at.shape);
}

HloInstruction* Zeros(Site& site) { return MayChange(site.at()) ? site.Filled(site.shape(), 0) : nullptr; }

// Replaces the instruction by a drawn one of any op, on existing values where shapes fit. Called computations cannot
// have new arguments, so other operands are constants.
HloInstruction* DrawnInstead(Site& site) {
  const HloInstruction& at = site.at();
  const HloModule& module = *site.candidate().module;
  if (!MayChange(at)) return nullptr;
  std::vector<Shape> at_hand = {at.shape};
  for (const HloInstruction* operand : at.operands) {
    if (operand->shape.IsFixedArray()) at_hand.push_back(operand->shape);
  }
  const DrawConstraints constraints = {.replica_count = module.replica_count,
                                       .num_partitions = module.num_partitions,
                                       .at_hand = at_hand,
                                       .is_part = true};
  DrawnInstruction drawn = DrawInstruction(site.random(), *site.random().OneOf(DrawableOps()), constraints);
  const bool asks_host = !drawn.from_host[0].empty() || drawn.drawn == nullptr;
  if (asks_host || drawn.drawn->op->evaluation.has_side_effect || !drawn.instruction().shape.IsArray()) return nullptr;
  std::vector<HloInstruction*> arguments;
  for (const HloInstruction* parameter : drawn.module->entry->Parameters()) {
    const auto number = static_cast<std::size_t>(parameter->parameter_number);
    HloInstruction* argument =
        drawn.takes_any_value[number]
            ? AnyBefore(site, [&](const auto& before) { return ShapeUtil::Compatible(before.shape, parameter->shape); })
            : nullptr;
    if (argument == nullptr) argument = site.Constant(drawn.operands[0][number]);
    arguments.push_back(argument);
  }
  return Adapted(site, &site.Inline(std::move(drawn.module), arguments), at.shape);
}

constexpr Mutation kOfInstructions[] = {
    {"other-op", AtSomeSite<OtherOp>},
    {"other-operand", AtSomeSite<OtherOperand>},
    {"other-attribute", AtSomeSite<OtherAttribute>},
    {"no-instruction", AtSomeSite<Deleted>},
    {"zeros", AtSomeSite<Zeros>},
    {"drawn-instruction", AtSomeSite<DrawnInstead>},
};

}  // namespace

std::span<const Mutation> MutationsOfInstructions() { return kOfInstructions; }

}  // namespace assay
