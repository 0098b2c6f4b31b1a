#include "conformance/judging/joined_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/acceptance/rule.h"
#include "interpreter/builder/literal_util.h"
#include "interpreter/evaluator/device_groups.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/names.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

using Values = std::vector<HloInstruction*>;  // of one instruction on each device, or the operands of a new one

constexpr std::size_t kMostInstructions = 100'000;

Error NoForm(const HloInstruction& instruction, std::string_view why) {
  return Error{ErrorCode::kUnsupported, fmt::format("{}: {}", instruction.op->name, why), instruction.location};
}

// True if a computation, or one that it calls, depends on the device.
bool DependsOnDevice(const HloComputation& computation) {
  return std::ranges::any_of(computation.instructions, [](const auto& instruction) {
    return instruction->op->evaluation.depends_on_device ||
           std::ranges::any_of(instruction->CalledComputations(),
                               [](const auto* called) { return DependsOnDevice(*called); });
  });
}

// True for numbers with less precision than an accumulator has.
bool IsNarrow(const Shape& shape) {
  if (shape.IsTuple()) return std::ranges::any_of(shape.tuple_shapes(), IsNarrow);
  return shape.IsArray() && IsFloatingPointType(shape.element_type()) && BitWidth(shape.element_type()) < 32;
}

// True if an instruction, or one that it calls, adds numbers of a narrow type in any order: XLA's partitioner may round
// partial sums to that type.
bool HasNarrowPartialSums(const HloInstruction& instruction, const Profile& profile) {
  if (IsNarrow(instruction.shape) && TakesAnOrder(instruction, RuleOf(instruction, profile))) return true;
  return std::ranges::any_of(instruction.CalledComputations(), [&](const HloComputation* called) {
    return std::ranges::any_of(called->instructions,
                               [&](const auto& inner) { return HasNarrowPartialSums(*inner, profile); });
  });
}

// Returns the number that the folded op leaves every other number unchanged with; none for other ops.
std::optional<Literal> NeutralElement(std::string_view op, PrimitiveType type) {
  if (op == "add" && IsComplexType(type)) {
    return LiteralUtil::Convert(LiteralUtil::CreateR0(complex128(-0.0, -0.0)), type);
  }
  if (op == "add" && IsFloatingPointType(type)) {
    const FloatFormat& format = FloatFormatOf(type);
    if (!format.has_zero) return std::nullopt;
    return format.has_negative_zero ? LiteralUtil::Convert(LiteralUtil::CreateR0(-0.0), type) : LiteralUtil::Zero(type);
  }
  if (op == "add" || op == "or") return LiteralUtil::Zero(type);
  if (op == "multiply") return LiteralUtil::One(type);
  if (op == "maximum") return LiteralUtil::MinValue(type);
  if (op == "minimum" || (op == "and" && type == PRED)) return LiteralUtil::MaxValue(type);
  return std::nullopt;
}

class Joiner {
 public:
  Joiner(HloModule& module, const Profile& profile)
      : module_(module), profile_(profile), from_(*module.entry), entry_(module.AddComputation("devices")) {}

  Status Join();

 private:
  std::size_t devices() const { return static_cast<std::size_t>(module_.device_count()); }
  DeviceId IdOf(std::size_t device) const {
    const auto id = static_cast<std::int64_t>(device);
    return {id / module_.num_partitions, id % module_.num_partitions};
  }
  std::size_t IndexOf(DeviceId id) const { return static_cast<std::size_t>(FlattenedId(id, module_.num_partitions)); }

  HloInstruction& Add(std::string_view op, Shape shape, Values operands);
  HloInstruction& AddConstant(Literal value);
  HloInstruction& AddJoined(Values elements);
  HloInstruction& Copy(const HloInstruction& instruction, Values operands);

  Result<Values> Apply(const HloComputation& computation, const std::vector<Values>& arguments);
  Result<Values> Step(const HloInstruction& instruction, const std::vector<Values>& operands);
  // Returns the value of a collective on a device.
  Result<HloInstruction*> Collective(const HloInstruction& instruction, const std::vector<Values>& operands,
                                     std::size_t device);
  Result<HloInstruction*> Received(const HloInstruction& collective, const Values& operand, std::size_t device);
  Result<HloInstruction*> Fold(const HloInstruction& collective, const Values& brought);
  HloInstruction& Concatenate(const Values& parts, std::int64_t dimension);
  HloInstruction& Shard(HloInstruction& whole, std::int64_t dimension, std::int64_t count, std::int64_t index);
  HloInstruction& Zeros(const Shape& shape);

  HloModule& module_;
  const Profile& profile_;
  const HloComputation& from_;
  HloComputation& entry_;
  NameUniquer names_;
};

HloInstruction& Joiner::Add(std::string_view op, Shape shape, Values operands) {
  auto made = std::make_unique<HloInstruction>();
  made->op = FindOp(op);
  made->name = names_.Unique(op);
  made->shape = std::move(shape);
  made->operands = std::move(operands);
  return entry_.Add(std::move(made));
}

HloInstruction& Joiner::AddConstant(Literal value) {
  HloInstruction& constant = Add("constant", value.shape(), {});
  constant.literal = std::move(value);
  return constant;
}

HloInstruction& Joiner::AddJoined(Values elements) {
  if (elements.size() == 1) return *elements[0];
  std::vector<Shape> shapes;
  for (const HloInstruction* element : elements) shapes.push_back(element->shape);
  return Add("tuple", ShapeUtil::MakeTupleShape(std::move(shapes)), std::move(elements));
}

HloInstruction& Joiner::Copy(const HloInstruction& instruction, Values operands) {
  auto copy = std::make_unique<HloInstruction>(instruction);
  copy->name = names_.Unique(instruction.name);
  copy->operands = std::move(operands);
  copy->control_predecessors.clear();
  copy->annotations.erase("sharding");
  return entry_.Add(std::move(copy));
}

HloInstruction& Joiner::Concatenate(const Values& parts, std::int64_t dimension) {
  if (parts.size() == 1) return *parts[0];
  Shape shape = parts[0]->shape;
  std::int64_t size = 0;
  for (const HloInstruction* part : parts) size += part->shape.dimensions(dimension);
  shape.set_dimensions(dimension, size);
  HloInstruction& whole = Add("concatenate", std::move(shape), parts);
  whole.Set("dimensions", Int64List{dimension});
  return whole;
}

HloInstruction& Joiner::Shard(HloInstruction& whole, std::int64_t dimension, std::int64_t count, std::int64_t index) {
  Shape shape = whole.shape;
  const std::int64_t size = shape.dimensions(dimension) / count;
  SliceConfig bounds;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (d == dimension) {
      bounds.push_back({index * size, (index + 1) * size, 1});
    } else {
      bounds.push_back({0, shape.dimensions(d), 1});
    }
  }
  shape.set_dimensions(dimension, size);
  HloInstruction& shard = Add("slice", std::move(shape), {&whole});
  shard.Set("slice", std::move(bounds));
  return shard;
}

// Returns the fold of what the devices of a group bring: a reduction in any order.
Result<HloInstruction*> Joiner::Fold(const HloInstruction& collective, const Values& brought) {
  if (brought.size() == 1) return brought[0];
  HloComputation& body = collective.Computation("to_apply");
  const PrimitiveType type = brought[0]->shape.element_type();
  const Op* op = FoldedOpOf(body);
  const bool has_types = std::ranges::all_of(body.instructions, [&](const auto& instruction) {
    return instruction->shape.IsArray() && instruction->shape.element_type() == type;
  });
  std::optional<Literal> neutral = op == nullptr || !has_types ? std::nullopt : NeutralElement(op->name, type);
  if (!neutral) return NoForm(collective, "it folds by no op that has a neutral element");
  Int64List sizes = {1};
  for (const std::int64_t size : brought[0]->shape.dimensions()) sizes.push_back(size);
  Values rows;
  for (HloInstruction* one : brought) rows.push_back(&Add("reshape", ShapeUtil::MakeShape(type, sizes), {one}));
  HloInstruction& fold = Add("reduce", brought[0]->shape, {&Concatenate(rows, 0), &AddConstant(*std::move(neutral))});
  fold.Set("dimensions", Int64List{0});
  fold.Set("to_apply", &body);
  return &fold;
}

HloInstruction& Joiner::Zeros(const Shape& shape) {
  HloInstruction& zeros =
      Add("broadcast", shape, {&AddConstant(Literal(ShapeUtil::MakeScalarShape(shape.element_type())))});
  zeros.Set("dimensions", Int64List{});
  return zeros;
}

// Returns what a device receives for one operand of a collective.
Result<HloInstruction*> Joiner::Received(const HloInstruction& collective, const Values& operand, std::size_t device) {
  const std::string_view name = collective.op->name;
  HloInstruction& own = *operand[device];
  if (!own.shape.IsFixedArray()) return NoForm(collective, "its operands have run-time sizes");
  if (name == "collective-permute" && !collective.Has("slice_sizes")) {
    const std::optional<DeviceId> source = SourceOf(collective, IdOf(device));
    return source ? operand[IndexOf(*source)] : &Zeros(own.shape);
  }
  const bool gathers = name == "all-gather", scatters = name == "reduce-scatter";
  const bool exchanges = name == "all-to-all" && collective.Has("dimensions");
  const bool has_root = name == "collective-broadcast" || name == "collective-reduce";
  if (!gathers && !scatters && !exchanges && !has_root && name != "all-reduce") {
    return NoForm(collective, "it has no form on one device");
  }
  if (has_root && collective.IsSet("has_dynamic_root")) return NoForm(collective, "an operand says which device sends");
  const std::vector<DeviceId> group = GroupOf(collective, IdOf(device));
  if (name == "collective-broadcast") return group.empty() ? &Zeros(own.shape) : operand[IndexOf(group[0])];
  if (group.empty()) return NoForm(collective, "a device is in no group");
  if (has_root && group[0] != IdOf(device)) return &own;
  const std::int64_t dimension = gathers || scatters || exchanges ? collective.Int64s("dimensions")[0] : 0;
  const std::int64_t count = std::ssize(group), index = std::ranges::find(group, IdOf(device)) - group.begin();
  Values brought;
  for (const DeviceId member : group) {
    HloInstruction& whole = *operand[IndexOf(member)];
    brought.push_back(exchanges ? &Shard(whole, dimension, count, index) : &whole);
  }
  if (gathers || exchanges) return &Concatenate(brought, dimension);
  ASSAY_TRY(HloInstruction * folded, Fold(collective, brought));
  return scatters ? &Shard(*folded, dimension, count, index) : folded;
}

Result<HloInstruction*> Joiner::Collective(const HloInstruction& instruction, const std::vector<Values>& operands,
                                           std::size_t device) {
  if (instruction.op->name == "partition-id" || instruction.op->name == "replica-id") {
    const DeviceId id = IdOf(device);
    const auto number = static_cast<std::uint32_t>(instruction.op->name == "replica-id" ? id.replica : id.partition);
    return &AddConstant(LiteralUtil::CreateR0(number));
  }
  if (operands.empty()) return NoForm(instruction, "it has no form on one device");
  Values results;
  for (const Values& operand : operands) {
    ASSAY_TRY(HloInstruction * received, Received(instruction, operand, device));
    const Shape& shape =
        instruction.shape.IsTuple() ? instruction.shape.tuple_shapes()[results.size()] : instruction.shape;
    // A bitcast reads the layout.
    results.push_back(received->shape == shape ? received : &Add("copy", shape, {received}));
  }
  return &AddJoined(std::move(results));
}

Result<Values> Joiner::Step(const HloInstruction& instruction, const std::vector<Values>& operands) {
  if (entry_.instructions.size() > kMostInstructions)
    return NoForm(instruction, "the devices have too many instructions");
  if (instruction.op->role == OpRole::kCall) return Apply(*instruction.CalledComputations().front(), operands);
  if (HasNarrowPartialSums(instruction, profile_)) {
    return NoForm(instruction, "partial sums may be rounded to its type");
  }
  for (const HloComputation* called : instruction.CalledComputations()) {
    if (DependsOnDevice(*called)) return NoForm(instruction, "what it calls depends on the device");
  }
  Values results;
  for (std::size_t device = 0; device < devices(); ++device) {
    if (instruction.op->evaluation.depends_on_device) {
      ASSAY_TRY(results.emplace_back(), Collective(instruction, operands, device));
      continue;
    }
    Values own;
    for (const Values& operand : operands) own.push_back(operand[device]);
    results.push_back(&Copy(instruction, std::move(own)));
  }
  return results;
}

Result<Values> Joiner::Apply(const HloComputation& computation, const std::vector<Values>& arguments) {
  std::unordered_map<const HloInstruction*, Values> values;
  for (const auto& instruction : computation.instructions) {
    if (instruction->op->role == OpRole::kParameter) {
      values[instruction.get()] = arguments[static_cast<std::size_t>(instruction->parameter_number)];
      continue;
    }
    std::vector<Values> operands;
    for (const HloInstruction* operand : instruction->operands) operands.push_back(values.at(operand));
    ASSAY_TRY(values[instruction.get()], Step(*instruction, operands));
  }
  return values.at(computation.root);
}

Status Joiner::Join() {
  const std::vector<const HloInstruction*> parameters = from_.Parameters();
  std::vector<Values> arguments(parameters.size());
  std::vector<Shape> shapes;
  for (std::size_t device = 0; device < devices(); ++device) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      HloInstruction& parameter = Copy(*parameters[i], {});
      parameter.parameter_number = std::ssize(shapes);
      shapes.push_back(parameter.shape);
      arguments[i].push_back(&parameter);
    }
  }
  ASSAY_TRY(Values results, Apply(from_, arguments));
  std::vector<Shape> parts;
  for (const HloInstruction* result : results) parts.push_back(result->shape);
  entry_.root = &Add("tuple", ShapeUtil::MakeTupleShape(std::move(parts)), std::move(results));
  module_.replica_count = module_.num_partitions = 1;
  module_.entry_parameter_layouts = std::move(shapes);
  module_.entry_result_layout = entry_.root->shape;
  module_.header_attributes.clear();
  module_.is_scheduled = false;
  return {};
}

}  // namespace

Result<std::unique_ptr<HloModule>> JoinDevices(const HloModule& module, const Profile& profile) {
  return WithoutThrowing([&]() -> Result<std::unique_ptr<HloModule>> {
    const std::unique_ptr<HloModule> copy = CloneModule(module);
    Joiner joiner(*copy, profile);
    ASSAY_CHECK_OK(joiner.Join());
    return CloneWithEntry(*copy, *copy->computations.back());
  });
}

}  // namespace assay
