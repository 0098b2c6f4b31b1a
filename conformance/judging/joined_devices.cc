#include "conformance/judging/joined_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/judging/joined_values.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/builder/literal_util.h"
#include "interpreter/evaluator/device_groups.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

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

class Joiner : JoinedProgram {
 public:
  Joiner(HloModule& module, const Profile& profile, PartialSums partial_sums)
      : Joiner(module, profile, partial_sums, module.AddComputation("devices")) {}

  Status Join();
  const HloComputation& entry() const { return entry_; }

 private:
  Joiner(HloModule& module, const Profile& profile, PartialSums partial_sums, HloComputation& entry)
      : JoinedProgram(entry, static_cast<std::size_t>(module.device_count())),
        module_(module),
        profile_(profile),
        partial_sums_(partial_sums),
        from_(*module.entry),
        entry_(entry) {}

  // A computation that a loop or a choice calls, for all devices.
  struct Called {
    HloComputation* computation;
    std::vector<Values> results;  // the arrays of the root
  };

  DeviceId IdOf(std::size_t device) const {
    const auto id = static_cast<std::int64_t>(device);
    return {id / module_.num_partitions, id % module_.num_partitions};
  }
  std::size_t IndexOf(DeviceId id) const { return static_cast<std::size_t>(FlattenedId(id, module_.num_partitions)); }

  Result<JoinedValue> Apply(const HloComputation& computation, const std::vector<JoinedValue>& arguments);
  Result<JoinedValue> Step(const HloInstruction& instruction, const std::vector<JoinedValue>& operands);
  Result<JoinedValue> StepInside(const HloInstruction& instruction, const std::vector<JoinedValue>& operands);
  Result<Called> Enter(const HloComputation& computation, const Shape& packed, const std::vector<bool>& are_same,
                       const Shape& result);
  void Close(Called& called, const std::vector<bool>& are_same);
  Result<JoinedValue> Loop(const HloInstruction& loop, const JoinedValue& start);
  Result<JoinedValue> Choice(const HloInstruction& choice, const std::vector<JoinedValue>& operands);
  JoinedValue OnEach(const HloInstruction& instruction, const std::vector<JoinedValue>& operands);
  // Returns the value of a collective on a device.
  Result<HloInstruction*> Collective(const HloInstruction& instruction, const std::vector<Values>& operands,
                                     std::size_t device);
  Result<HloInstruction*> Received(const HloInstruction& collective, const Values& operand, std::size_t device);
  Result<HloInstruction*> Fold(const HloInstruction& collective, const Values& brought);

  HloModule& module_;
  const Profile& profile_;
  const PartialSums partial_sums_;
  const HloComputation& from_;
  HloComputation& entry_;
};

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
    // A number that is sent may be rounded where the operand itself is not.
    const bool is_operand = std::ranges::count(operand, received) != 0;
    results.push_back(is_operand ? &Add("copy", received->shape, {received}) : received);
  }
  return instruction.shape.IsTuple() ? &AddTuple(std::move(results)) : results[0];
}

JoinedValue Joiner::OnEach(const HloInstruction& instruction, const std::vector<JoinedValue>& operands) {
  const auto is_same = [](const JoinedValue& operand) { return !operand.is_tuple && AreSame(operand.on); };
  // Floats may differ from device to device by their errors.
  const bool is_exact = !ShapeUtil::HasInexactLeaf(instruction.shape) && !instruction.op->evaluation.has_side_effect;
  const bool is_once =
      (is_exact || instruction.op->role == OpRole::kConstant) && std::ranges::all_of(operands, is_same);
  JoinedValue results;
  for (std::size_t device = 0; device < (is_once ? 1 : devices()); ++device) {
    Values own;
    for (const JoinedValue& operand : operands) own.push_back(&On(device, operand));
    results.on.push_back(&Copy(instruction, std::move(own)));
  }
  results.on.resize(devices(), results.on[0]);
  return results;
}

Result<JoinedValue> Joiner::Step(const HloInstruction& instruction, const std::vector<JoinedValue>& operands) {
  if (size() > kMostInstructions) return NoForm(instruction, "the devices have too many instructions");
  const OpRole role = instruction.op->role;
  if (role == OpRole::kAsyncUpdate) return operands[0];
  if (role == OpRole::kAsyncDone) return JoinedValue{operands[0].on, operands[0].elements, operands[0].is_tuple};
  if (std::ranges::any_of(operands, &JoinedValue::is_promise)) return NoForm(instruction, "an operand is not complete");
  if (role == OpRole::kAsyncStart) {
    const bool are_bound = operands.size() == instruction.CalledComputations().front()->Parameters().size();
    if (!are_bound) return NoForm(instruction, "operands are bound after its start");
    ASSAY_TRY(JoinedValue value, Apply(*instruction.CalledComputations().front(), operands));
    value.is_promise = true;
    return value;
  }
  if (role == OpRole::kTuple) return JoinedValue{{}, operands, /*is_tuple=*/true};
  if (role == OpRole::kGetTupleElement) return ElementOf(operands[0], instruction.tuple_index());
  if (role == OpRole::kCall) return Apply(*instruction.CalledComputations().front(), operands);
  if (partial_sums_ == PartialSums::kMayBeRounded && HasNarrowPartialSums(instruction, profile_)) {
    return NoForm(instruction, "partial sums may be rounded to its type");
  }
  const bool is_inside = std::ranges::any_of(instruction.CalledComputations(),
                                             [](const HloComputation* called) { return DependsOnDevice(*called); });
  if (is_inside) return StepInside(instruction, operands);
  if (!instruction.op->evaluation.depends_on_device) return OnEach(instruction, operands);
  std::vector<Values> brought;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].is_tuple) return NoForm(instruction, "its operands are tuples");
    brought.push_back(operands[i].on);
  }
  JoinedValue results;
  for (std::size_t device = 0; device < devices(); ++device) {
    ASSAY_TRY(results.on.emplace_back(), Collective(instruction, brought, device));
  }
  return results;
}

Result<JoinedValue> Joiner::StepInside(const HloInstruction& instruction, const std::vector<JoinedValue>& operands) {
  if (instruction.Has("body")) return Loop(instruction, operands[0]);
  if (instruction.Has("branch_computations") || instruction.Has("true_computation")) {
    return Choice(instruction, operands);
  }
  return NoForm(instruction, "what it calls depends on the device");
}

// Makes a computation of all devices but its root: the parameter is a packed tuple, the result has a shape.
Result<Joiner::Called> Joiner::Enter(const HloComputation& computation, const Shape& packed,
                                     const std::vector<bool>& are_same, const Shape& result) {
  Called called = {&module_.AddComputation(UniqueName(computation.name)), {}};
  HloComputation& outer = Into(*called.computation);
  const std::vector<Values> leaves = Unpack(Add("parameter", packed, {}), are_same);
  const Shape& shape = computation.Parameters()[0]->shape;
  ASSAY_TRY(const JoinedValue value, Apply(computation, {Unflatten(shape, leaves)}));
  Flatten(value, result, called.results);
  Into(outer);
  return called;
}

void Joiner::Close(Called& called, const std::vector<bool>& are_same) {
  HloComputation& outer = Into(*called.computation);
  called.computation->root = &Pack(called.results, are_same);
  Into(outer);
}

// A loop of all devices. They must leave it together: the condition follows from integers that are the same everywhere.
Result<JoinedValue> Joiner::Loop(const HloInstruction& loop, const JoinedValue& start) {
  std::vector<Values> leaves;
  Flatten(start, loop.shape, leaves);
  std::vector<bool> are_same = WhichAreSame(leaves);
  for (;;) {
    HloInstruction& state = Pack(leaves, are_same);
    ASSAY_TRY(Called body, Enter(loop.Computation("body"), state.shape, are_same, loop.shape));
    // An element is the same after each turn if the turn makes it of such elements.
    std::vector<bool> stay_same = WhichAreSame(body.results);
    for (std::size_t i = 0; i < stay_same.size(); ++i) stay_same[i] = stay_same[i] && are_same[i];
    if (stay_same != are_same) {
      are_same = std::move(stay_same);
      continue;
    }
    Close(body, are_same);
    const HloComputation& test = loop.Computation("condition");
    ASSAY_TRY(Called condition, Enter(test, state.shape, are_same, test.root->shape));
    if (!AreSame(condition.results[0])) return NoForm(loop, "devices may leave it at different times");
    condition.computation->root = condition.results[0][0];
    HloInstruction& joined = Add("while", state.shape, {&state});
    joined.Set("condition", condition.computation);
    joined.Set("body", body.computation);
    return Unflatten(loop.shape, Unpack(joined, are_same));
  }
}

Result<JoinedValue> Joiner::Choice(const HloInstruction& choice, const std::vector<JoinedValue>& operands) {
  if (!AreSame(operands[0].on)) return NoForm(choice, "devices may choose different branches");
  Values joined_operands = {operands[0].on[0]};
  HloInstruction joined = choice;
  std::size_t branch = 0;
  std::vector<bool> differ;
  const auto join = [&](HloComputation*& computation) -> Status {
    std::vector<Values> leaves;
    const Shape& shape = choice.operands[++branch]->shape;
    Flatten(operands[branch], shape, leaves);
    const std::vector<bool> are_same = WhichAreSame(leaves);
    joined_operands.push_back(&Pack(leaves, are_same));
    ASSAY_TRY(Called called, Enter(*computation, joined_operands.back()->shape, are_same, choice.shape));
    differ.assign(called.results.size(), false);
    Close(called, differ);
    computation = called.computation;
    return {};
  };
  for (const AttributeName name : {AttributeName("true_computation"), AttributeName("false_computation")}) {
    if (!choice.Has(name)) continue;
    HloComputation* computation = &choice.Computation(name);
    ASSAY_CHECK_OK(join(computation));
    joined.Set(name, computation);
  }
  if (choice.Has("branch_computations")) {
    const std::span<HloComputation* const> branches = choice.Computations("branch_computations");
    std::vector<HloComputation*> computations(branches.begin(), branches.end());
    for (HloComputation*& computation : computations) ASSAY_CHECK_OK(join(computation));
    joined.Set("branch_computations", std::move(computations));
  }
  HloInstruction& made = Copy(joined, std::move(joined_operands));
  made.shape = made.CalledComputations()[0]->root->shape;
  return Unflatten(choice.shape, Unpack(made, differ));
}

Result<JoinedValue> Joiner::Apply(const HloComputation& computation, const std::vector<JoinedValue>& arguments) {
  std::unordered_map<const HloInstruction*, JoinedValue> values;
  for (const auto& instruction : computation.instructions) {
    JoinedValue& value = values[instruction.get()];
    if (instruction->op->role == OpRole::kParameter) {
      value = InLayout(arguments[static_cast<std::size_t>(instruction->parameter_number)], instruction->shape);
      continue;
    }
    value.is_promise = StartsPair(*instruction->op);
    if (value.is_promise) continue;
    const HloInstruction at_once =
        &StartOf(*instruction) == instruction.get() ? HloInstruction(*instruction) : AtOnce(*instruction);
    std::vector<JoinedValue> operands;
    for (const HloInstruction* operand : at_once.operands) operands.push_back(values.at(operand));
    ASSAY_TRY(JoinedValue result, Step(at_once, operands));
    value = InLayout(std::move(result), at_once.shape);
  }
  return values.at(computation.root);
}

Status Joiner::Join() {
  const std::vector<const HloInstruction*> parameters = from_.Parameters();
  std::vector<JoinedValue> arguments(parameters.size());
  std::vector<Shape> shapes;
  for (std::size_t device = 0; device < devices(); ++device) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      HloInstruction& parameter = Copy(*parameters[i], {});
      parameter.parameter_number = std::ssize(shapes);
      shapes.push_back(parameter.shape);
      arguments[i].on.push_back(&parameter);
    }
  }
  ASSAY_TRY(const JoinedValue result, Apply(from_, arguments));
  Values results;
  for (std::size_t device = 0; device < devices(); ++device) results.push_back(&On(device, result));
  entry_.root = &AddTuple(std::move(results));
  module_.replica_count = module_.num_partitions = 1;
  module_.entry_parameter_layouts = std::move(shapes);
  module_.entry_result_layout = entry_.root->shape;
  module_.header_attributes.clear();
  module_.is_scheduled = false;
  return {};
}

}  // namespace

Result<std::unique_ptr<HloModule>> JoinDevices(const HloModule& module, const Profile& profile,
                                               PartialSums partial_sums) {
  return WithoutThrowing([&]() -> Result<std::unique_ptr<HloModule>> {
    const std::unique_ptr<HloModule> copy = CloneModule(module);
    Joiner joiner(*copy, profile, partial_sums);
    ASSAY_CHECK_OK(joiner.Join());
    return CloneWithEntry(*copy, joiner.entry());
  });
}

}  // namespace assay
