#include "conformance/judging/computation_values.h"

#include <algorithm>

#include "interpreter/hlo/op.h"

namespace assay {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;

// Reassembles a value from its leaves and removes them from `leaves`.
Literal Assembled(const Shape& shape, std::span<const Literal>& leaves) {
  if (!shape.IsTuple()) {
    Literal leaf = leaves.front();
    leaves = leaves.subspan(1);
    return leaf;
  }
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple_shapes()) elements.push_back(Assembled(element, leaves));
  return Literal::MakeTuple(std::move(elements));
}

// Returns the values of the parameters and constants.
ComputationValues GivenValues(const HloComputation& computation, const InstructionSet& live,
                              std::span<const Literal> arguments) {
  ComputationValues values;
  for (const HloInstruction* instruction : live) {
    if (instruction->op->role == OpRole::kParameter) values[instruction] = arguments[instruction->parameter_number];
    if (instruction->op->role == OpRole::kConstant) values[instruction] = *instruction->literal;
  }
  for (const HloInstruction* parameter : computation.Parameters()) {
    if (parameter != nullptr) values[parameter] = arguments[parameter->parameter_number];
  }
  return values;
}

// Adds the tuples and tuple elements that follow from known values. The start of an asynchronous pair has no value.
void AddTuples(const HloComputation& computation, const InstructionSet& live, ComputationValues& values) {
  for (const auto& instruction : computation.instructions) {
    if (!live.contains(instruction.get()) || values.contains(instruction.get())) continue;
    const auto is_known = [&](const HloInstruction* operand) { return values.contains(operand); };
    if (!std::ranges::all_of(instruction->operands, is_known)) continue;
    if (instruction->op->role == OpRole::kGetTupleElement) {
      values[instruction.get()] = values.at(instruction->operands[0]).elements()[instruction->tuple_index()];
    } else if (instruction->op->role == OpRole::kTuple) {
      std::vector<Literal> elements;
      for (const HloInstruction* operand : instruction->operands) elements.push_back(values.at(operand));
      values[instruction.get()] = Literal::MakeTuple(std::move(elements));
    }
  }
}

// Returns the bytes of a value's arrays; nothing if it contains a token.
std::optional<std::int64_t> BytesOfShape(const Shape& shape) {
  if (shape.IsArray()) return ShapeUtil::ElementsIn(shape) * StorageBytes(shape.element_type());
  if (!shape.IsTuple()) return std::nullopt;
  std::int64_t bytes = 0;
  for (const Shape& element : shape.tuple_shapes()) {
    const std::optional<std::int64_t> part = BytesOfShape(element);
    if (!part) return std::nullopt;
    bytes += *part;
  }
  return bytes;
}

// The request to a backend for all values of a computation, as results.
struct Asked {
  InstructionSet live, computed;
  std::vector<const HloInstruction*> results;
};

// Returns nothing if a value contains a token, if the values exceed one gibibyte, or for the start of an asynchronous
// operation that has no value yet. `leaves_starts_out`: those of pairs are no results.
std::optional<Asked> AskForAll(const HloComputation& computation, bool leaves_starts_out) {
  Asked asked = {LiveInstructions(computation), {}, {}};
  std::int64_t bytes = 0;
  for (const auto& instruction : computation.instructions) {
    if (!asked.live.contains(instruction.get()) || !IsComputed(*instruction)) continue;
    asked.computed.insert(instruction.get());
    const std::optional<std::int64_t> own = BytesOfShape(instruction->shape);
    if (!own || (bytes += *own) > kMostBytes) return std::nullopt;
    const bool is_start = !instruction->op->legality.done.empty();
    const bool has_value = !is_start || !instruction->op->evaluation.depends_on_device;
    if (instruction->op->role == OpRole::kAsyncStart || (!has_value && !leaves_starts_out)) return std::nullopt;
    if (DoesWork(*instruction) && !(is_start && leaves_starts_out)) asked.results.push_back(instruction.get());
  }
  return asked;
}

void TakeResults(const Region& region, const Literal& output, ComputationValues& values) {
  std::span<const Literal> leaves = output.elements();
  for (const HloInstruction* result : region.results) {
    values[result] = region.results.size() == 1 ? output : Assembled(result->shape, leaves);
  }
}

}  // namespace

InstructionSet Needed(std::vector<const HloInstruction*> pending) {
  InstructionSet live;
  while (!pending.empty()) {
    const HloInstruction* instruction = pending.back();
    pending.pop_back();
    if (!live.insert(instruction).second) continue;
    pending.insert(pending.end(), instruction->operands.begin(), instruction->operands.end());
  }
  return live;
}

InstructionSet LiveInstructions(const HloComputation& computation) { return Needed({computation.root}); }

bool IsComputed(const HloInstruction& instruction) {
  return instruction.op->role != OpRole::kParameter && instruction.op->role != OpRole::kConstant;
}

bool DoesWork(const HloInstruction& instruction) {
  return IsComputed(instruction) && instruction.op->role != OpRole::kTuple &&
         instruction.op->role != OpRole::kGetTupleElement;
}

Region ExtractResults(const HloComputation& computation, std::vector<const HloInstruction*> results) {
  InstructionSet computed;
  for (const HloInstruction* instruction : Needed(results)) {
    if (IsComputed(*instruction)) computed.insert(instruction);
  }
  return ExtractRegion(computation, computed, std::move(results));
}

Region ExtractComputation(const HloComputation& computation) { return ExtractResults(computation, {computation.root}); }

std::vector<Literal> InputsOf(const Region& region, const ComputationValues& values) {
  std::vector<Literal> inputs;
  for (const Leaf& leaf : region.parameters) inputs.push_back(leaf.Of(values.at(leaf.instruction)));
  return inputs;
}

std::optional<ComputationValues> BackendValues(Backend& backend, const HloComputation& computation,
                                               std::span<const Literal> arguments) {
  const std::optional<Asked> asked = AskForAll(computation, /*leaves_starts_out=*/false);
  if (!asked) return std::nullopt;
  ComputationValues values = GivenValues(computation, asked->live, arguments);
  if (!asked->results.empty()) {
    const Region region = ExtractRegion(computation, asked->computed, asked->results);
    Result<PerDevice<Literal>> outputs = backend.Run(*region.module, {InputsOf(region, values)});
    if (!outputs) return std::nullopt;
    TakeResults(region, (*outputs)[0], values);
  }
  AddTuples(computation, asked->live, values);
  if (!values.contains(computation.root)) return std::nullopt;
  return values;
}

std::optional<PerDevice<ComputationValues>> BackendValuesOfDevices(Backend& backend, const HloModule& module,
                                                                   const DeviceValues& arguments) {
  const HloComputation& computation = *module.entry;
  const std::optional<Asked> asked = AskForAll(computation, /*leaves_starts_out=*/true);
  if (!asked || asked->results.empty()) return std::nullopt;
  const Region region = ExtractRegion(computation, asked->computed, asked->results);
  region.module->name = module.name;
  region.module->replica_count = module.replica_count;
  region.module->num_partitions = module.num_partitions;
  PerDevice<ComputationValues> values;
  DeviceValues inputs;
  for (const std::vector<Literal>& of_device : arguments) {
    ComputationValues given = GivenValues(computation, asked->live, of_device);
    inputs.push_back(InputsOf(region, given));
    values.push_back(std::move(given));
  }
  const Result<PerDevice<Literal>> outputs = backend.Run(*region.module, inputs);
  if (!outputs) return std::nullopt;
  for (std::size_t device = 0; device < values.size(); ++device) {
    TakeResults(region, (*outputs)[device], values[device]);
    AddTuples(computation, asked->live, values[device]);
  }
  return values;
}

}  // namespace assay
