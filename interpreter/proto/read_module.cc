#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/names.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/proto/annotations.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/proto/module_header.h"
#include "interpreter/proto/module_reader.h"

namespace assay {
namespace proto {
namespace {

namespace module_field = fields::HloModuleProto;
namespace computation_field = fields::HloComputationProto;

Error WrongModule(std::string message) { return {ErrorCode::kParse, std::move(message)}; }

// True if operands and control predecessors precede their users.
template <class Instructions>
bool IsTopological(const Instructions& instructions) {
  std::unordered_set<const HloInstruction*> seen;
  const auto is_seen = [&](const HloInstruction* instruction) { return seen.contains(instruction); };
  for (const auto& [id, instruction, metadata] : instructions) {
    if (!std::ranges::all_of(instruction->operands, is_seen)) return false;
    if (!std::ranges::all_of(instruction->control_predecessors, is_seen)) return false;
    seen.insert(instruction.get());
  }
  return true;
}

}  // namespace

// Checks that parameters are numbered from 0, each number once.
Status ModuleReader::CheckParameters(const SerializedComputation& computation) {
  std::vector<std::int64_t> numbers;
  for (const SerializedInstruction& serialized : computation.instructions) {
    if (serialized.instruction->op->role != OpRole::kParameter) continue;
    numbers.push_back(serialized.instruction->parameter_number);
  }
  std::ranges::sort(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == static_cast<std::int64_t>(i)) continue;
    return WrongModule(fmt::format("computation {} must have one parameter of each number below {}, found {}",
                                   computation.computation->name, numbers.size(), numbers[i]));
  }
  return {};
}

// Orders instructions by their ids, as XLA lists them. If an operand would then follow its user, the order is that in
// which XLA prints the list.
Status ModuleReader::ArrangeInstructions(SerializedComputation& computation) {
  auto& instructions = computation.instructions;
  if (std::ranges::is_sorted(instructions, {}, &SerializedInstruction::id)) return {};
  std::ranges::sort(instructions, {}, &SerializedInstruction::id);
  if (IsTopological(instructions)) return {};
  HloComputation& listed = *computation.computation;
  for (SerializedInstruction& serialized : instructions) listed.Add(std::move(serialized.instruction));
  std::unordered_map<const HloInstruction*, std::size_t> places;
  const auto order = InstructionPostOrder(listed);
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  std::vector<SerializedInstruction> arranged(instructions.size());
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    instructions[i].instruction = std::move(listed.instructions[i]);
    const std::size_t place = places[instructions[i].instruction.get()];
    arranged[place] = std::move(instructions[i]);
  }
  listed.instructions.clear();
  instructions = std::move(arranged);
  return {};
}

Status ModuleReader::ReadComputation(const Message& message) {
  SerializedComputation read = {message.Integer(computation_field::id), std::make_unique<HloComputation>(), {}};
  HloComputation& computation = *read.computation;
  computation.name = SanitizeName(message.Text(computation_field::name));
  if (computation.name.empty() || !computation_names_.insert(computation.name).second) {
    return WrongModule(
        fmt::format("computation \"{}\": its name must be there, and no other's of the module", computation.name));
  }
  const std::string_view thread = message.Text(computation_field::execution_thread);
  if (!thread.empty()) computation.execution_thread = thread;
  computation.backend_config = message.Text(computation_field::backend_config);
  instruction_of_id_.clear();
  const std::vector<std::string_view> instructions = message.Texts(computation_field::instructions);
  instruction_of_id_.reserve(instructions.size());
  instruction_names_.reserve(instruction_names_.size() + instructions.size());
  read.instructions.reserve(instructions.size());
  for (const std::string_view bytes : instructions) {
    ASSAY_CHECK_OK(ReadInstruction(Message(bytes), read));
  }
  const std::int64_t root = message.Integer(computation_field::root_id);
  const auto found = instruction_of_id_.find(root);
  if (found == instruction_of_id_.end()) {
    return WrongModule(fmt::format("computation {} has no instruction of its root's id {}", computation.name, root));
  }
  computation.root = found->second;
  ASSAY_CHECK_OK(CheckParameters(read));
  ASSAY_CHECK_OK(ArrangeInstructions(read));
  if (!computation_of_id_.emplace(read.id, &computation).second) {
    return WrongModule(fmt::format("computation {}: the id {} is another computation's", computation.name, read.id));
  }
  computations_.push_back(std::move(read));
  return {};
}

// Orders computations so that a callee precedes its callers; XLA lists them by their ids.
void ModuleReader::ArrangeComputations() {
  if (std::ranges::is_sorted(computations_, {}, &SerializedComputation::id)) return;
  std::unordered_map<const HloComputation*, std::int64_t> ids;
  for (const SerializedComputation& one : computations_) ids[one.computation.get()] = one.id;
  for (const SerializedComputation& one : computations_) {
    for (const SerializedInstruction& serialized : one.instructions) {
      for (const HloComputation* callee : serialized.instruction->CalledComputations()) {
        if (ids[callee] > one.id) return;
      }
    }
  }
  std::ranges::sort(computations_, {}, &SerializedComputation::id);
}

Status ModuleReader::Reorder(SerializedComputation& computation, const std::vector<std::int64_t>& ids) {
  std::unordered_map<std::int64_t, std::size_t> places;
  for (std::size_t i = 0; i < computation.instructions.size(); ++i) places[computation.instructions[i].id] = i;
  std::vector<SerializedInstruction> scheduled;
  for (const std::int64_t id : ids) {
    const auto place = places.find(id);
    if (place == places.end()) {
      return WrongModule(fmt::format("the schedule of computation {} must name each instruction once, found id {}",
                                     computation.computation->name, id));
    }
    scheduled.push_back(std::move(computation.instructions[place->second]));
    places.erase(place);
  }
  computation.instructions = std::move(scheduled);
  if (places.empty() && IsTopological(computation.instructions)) return {};
  return WrongModule(fmt::format("the schedule of computation {} {}", computation.computation->name,
                                 places.empty()
                                     ? "has an operand behind its user"
                                     : fmt::format("lacks the instruction of id {}", places.begin()->first)));
}

Status ModuleReader::ReadSchedule(const Message& schedule) {
  namespace entry_field = fields::HloScheduleProto_SequencesEntry;
  module_->is_scheduled = true;
  std::map<std::int64_t, std::vector<std::int64_t>> sequences;
  for (const Message& entry : schedule.Messages(fields::HloScheduleProto::sequences)) {
    sequences[entry.Integer(entry_field::key)] =
        entry.Sub(entry_field::value).Integers(fields::HloScheduleProto_InstructionSequence::instruction_ids);
  }
  for (SerializedComputation& computation : computations_) {
    const auto sequence = sequences.find(computation.id);
    if (sequence != sequences.end()) ASSAY_CHECK_OK(Reorder(computation, sequence->second));
  }
  return {};
}

// Finds the entry by its id, or by its name in messages that are older than the id.
Status ModuleReader::FindEntry() {
  const std::int64_t id = proto_.Integer(module_field::entry_computation_id);
  const std::string name = SanitizeName(proto_.Text(module_field::entry_computation_name));
  for (const SerializedComputation& one : computations_) {
    const bool has_id = one.id == id;
    if (one.computation->name == name || (has_id && module_->entry == nullptr)) module_->entry = one.computation.get();
    if (has_id && one.computation->name == name) return {};
  }
  if (module_->entry != nullptr) return {};
  return WrongModule(fmt::format("the module has no computation of its entry's name \"{}\" or id {}", name, id));
}

void ModuleReader::AddComputations() {
  StackTables tables = ReadStackTables(proto_.Sub(module_field::stack_frame_index));
  for (SerializedComputation& one : computations_) {
    one.computation->module = module_.get();
    for (SerializedInstruction& serialized : one.instructions) {
      HloInstruction& instruction = one.computation->Add(std::move(serialized.instruction));
      if (serialized.metadata.empty()) continue;
      Metadata metadata = ReadMetadata(Message(serialized.metadata), {payloads_, &tables});
      if (metadata.is_visible) instruction.annotations.emplace("metadata", std::move(metadata.text));
    }
    module_->computations.push_back(std::move(one.computation));
  }
  module_->stack_tables = tables.ToString();
}

Result<std::unique_ptr<HloModule>> ModuleReader::Read() {
  module_->name = SanitizeName(proto_.Text(module_field::name));
  payloads_ = proto_.Texts(module_field::payloads);
  for (const std::string_view bytes : proto_.Texts(module_field::computations)) {
    ASSAY_CHECK_OK(ReadComputation(Message(bytes)));
  }
  ASSAY_CHECK_OK(FindEntry());
  if (proto_.Has(module_field::schedule)) ASSAY_CHECK_OK(ReadSchedule(proto_.Sub(module_field::schedule)));
  ArrangeComputations();
  AddComputations();
  ASSAY_CHECK_OK(ReadHeader(proto_, *module_));
  FollowStarts(*module_);
  return std::move(module_);
}

}  // namespace proto

Result<std::unique_ptr<HloModule>> ReadHloModuleProto(std::string_view bytes) {
  ASSAY_CHECK_OK(proto::CheckMessage(bytes, proto::MessageType::HloModuleProto));
  return proto::ModuleReader(bytes).Read();
}

}  // namespace assay
