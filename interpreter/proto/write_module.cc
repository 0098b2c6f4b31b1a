// A module as HloModuleProto.
#include <unordered_map>
#include <unordered_set>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/op.h"
#include "interpreter/proto/annotations.h"
#include "interpreter/proto/attributes.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/proto/module_header.h"
#include "interpreter/proto/sharding.h"
#include "interpreter/proto/values.h"

namespace assay {
namespace proto {
namespace {

class ModuleWriter {
 public:
  explicit ModuleWriter(const HloModule& module) : module_(module) {}

  std::string Write() {
    namespace field = fields::HloModuleProto;
    NumberAll();
    MessageWriter message;
    message.Text(field::name, module_.name);
    message.Text(field::entry_computation_name, module_.entry->name);
    for (const auto& computation : module_.computations) {
      message.Sub(field::computations, WriteComputation(*computation));
    }
    message.Integer(field::entry_computation_id, computation_ids_[module_.entry]);
    if (module_.is_scheduled) message.Sub(field::schedule, WriteSchedule());
    WriteHeader(module_, message);
    return message.TakeBytes();
  }

 private:
  // Numbers instructions uniquely in the module and below 2^31, which every version of XLA accepts.
  void NumberAll() {
    std::int64_t next = 0;
    for (const auto& computation : module_.computations) {
      computation_ids_[computation.get()] = static_cast<std::int64_t>(computation_ids_.size());
      for (const auto& instruction : computation->instructions) {
        instruction_ids_[instruction.get()] = next++;
        if (!instruction->op->legality.fuses) continue;
        for (const HloComputation* fused : instruction->CalledComputations()) fused_.insert(fused);
      }
    }
  }

  MessageWriter WriteComputation(const HloComputation& computation) {
    namespace field = fields::HloComputationProto;
    MessageWriter message;
    message.Text(field::name, computation.name);
    std::vector<Shape> parameters;
    for (const HloInstruction* parameter : computation.Parameters()) {
      parameters.push_back(parameter == nullptr ? Shape() : parameter->shape);
    }
    for (const auto& instruction : computation.instructions) {
      message.Sub(field::instructions, WriteInstruction(*instruction));
    }
    message.Sub(field::program_shape, WriteProgramShape(parameters, computation.root->shape, computation));
    message.Integer(field::id, computation_ids_[&computation]);
    message.Integer(field::root_id, instruction_ids_[computation.root]);
    message.Integer(field::is_fusion_computation, fused_.contains(&computation) ? 1 : 0);
    if (computation.execution_thread != "main") message.Text(field::execution_thread, computation.execution_thread);
    message.Text(field::backend_config, UnquotedText(computation.backend_config));
    return message;
  }

  MessageWriter WriteInstruction(const HloInstruction& instruction) {
    namespace field = fields::HloInstructionProto;
    MessageTree message;
    message.own.Text(field::name, instruction.name);
    message.own.Text(field::opcode, instruction.op->name);
    message.own.Sub(field::shape, WriteShape(instruction.shape));
    if (instruction.literal) message.own.Sub(field::literal, WriteLiteral(*instruction.literal));
    message.own.Integer(field::parameter_number, instruction.parameter_number);
    message.own.Integer(field::id, instruction_ids_[&instruction]);
    message.own.Integers(field::operand_ids, Ids(instruction.operands));
    message.own.Integers(field::control_predecessor_ids, Ids(instruction.control_predecessors));
    message.own.Integers(field::called_computation_ids, CalleeIds(instruction));
    if (const auto* groups = instruction.Find<ReplicaGroups>("replica_groups")) {
      WriteReplicaGroups(*groups, message.own);
    } else if (instruction.op->FindAttribute("replica_groups") != nullptr) {
      WriteReplicaGroups({}, message.own);
    }
    WriteAttributes(instruction, message);
    WriteAnnotations(instruction, message.own);
    return message.Finish();
  }

  std::vector<std::int64_t> Ids(const std::vector<HloInstruction*>& instructions) {
    std::vector<std::int64_t> ids;
    for (const HloInstruction* instruction : instructions) ids.push_back(instruction_ids_[instruction]);
    return ids;
  }

  // Returns the ids of callees. An update or done does not repeat the computation of its start.
  std::vector<std::int64_t> CalleeIds(const HloInstruction& instruction) {
    const OpRole role = instruction.op->role;
    if (role == OpRole::kAsyncUpdate || role == OpRole::kAsyncDone) return {};
    std::vector<std::int64_t> ids;
    for (const HloComputation* callee : instruction.CalledComputations()) ids.push_back(computation_ids_[callee]);
    return ids;
  }

  MessageWriter WriteSchedule() {
    MessageWriter schedule;
    for (const auto& computation : module_.computations) {
      if (fused_.contains(computation.get())) continue;
      std::vector<std::int64_t> ids;
      for (const auto& instruction : computation->instructions) ids.push_back(instruction_ids_[instruction.get()]);
      MessageWriter sequence, entry;
      sequence.Integers(fields::HloScheduleProto_InstructionSequence::instruction_ids, ids);
      entry.Integer(fields::HloScheduleProto_SequencesEntry::key, computation_ids_[computation.get()]);
      entry.Sub(fields::HloScheduleProto_SequencesEntry::value, sequence);
      schedule.Sub(fields::HloScheduleProto::sequences, entry);
    }
    return schedule;
  }

  const HloModule& module_;
  std::unordered_map<const HloComputation*, std::int64_t> computation_ids_;
  std::unordered_map<const HloInstruction*, std::int64_t> instruction_ids_;
  std::unordered_set<const HloComputation*> fused_;
};

}  // namespace
}  // namespace proto

std::string WriteHloModuleProto(const HloModule& module) { return proto::ModuleWriter(module).Write(); }

}  // namespace assay
