#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/async_text.h"
#include "interpreter/hlo/names.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/suggest.h"
#include "interpreter/proto/annotations.h"
#include "interpreter/proto/attributes.h"
#include "interpreter/proto/module_reader.h"
#include "interpreter/proto/sharding.h"
#include "interpreter/proto/values.h"

namespace assay::proto {
namespace {

namespace instruction_field = fields::HloInstructionProto;

Error WrongInstruction(std::string message) { return {ErrorCode::kParse, std::move(message)}; }

Result<const Op*> FindOpcode(std::string_view opcode) {
  if (const Op* const op = FindOp(opcode)) return op;
  std::vector<std::string_view> names;
  for (const Op* op : AllOps()) names.push_back(op->name);
  return WrongInstruction(fmt::format("unknown opcode \"{}\"{}", Escape(opcode.substr(0, 80)), Suggest(opcode, names)));
}

// Checks the preconditions of the functions of an op's record.
Status CheckArity(const HloInstruction& instruction) {
  const Arity& arity = instruction.op->legality.arity;
  const auto count = static_cast<int>(instruction.operands.size());
  if (count >= arity.min && (arity.max == Arity::kVariadic || count <= arity.max)) return {};
  return WrongInstruction(fmt::format("{} takes {}{} operand(s), found {}", instruction.op->name,
                                      arity.max == arity.min ? "" : "at least ", arity.min, count));
}

// Reads a constant. Without a literal, its values are elided.
Status ReadConstant(const Message& message, HloInstruction& instruction) {
  if (!message.Has(instruction_field::literal)) {
    instruction.literal_is_elided = true;
    return {};
  }
  ASSAY_TRY(Literal literal, ReadLiteral(message.Sub(instruction_field::literal)));
  if (!ShapeUtil::Compatible(literal.shape(), instruction.shape)) {
    return WrongInstruction(fmt::format("its shape is {}, its literal's {}", instruction.shape.ToStringWithoutLayout(),
                                        literal.shape().ToStringWithoutLayout()));
  }
  instruction.literal = instruction.shape.IsArray() ? std::move(literal).WithShape(instruction.shape) : literal;
  return {};
}

}  // namespace

Status ModuleReader::ReadOperands(const Message& message, HloInstruction& instruction) {
  const auto find = [&](std::int64_t id, std::string_view what) -> Result<HloInstruction*> {
    const auto found = instruction_of_id_.find(id);
    if (found != instruction_of_id_.end()) return found->second;
    return WrongInstruction(fmt::format("{} {} must be an earlier instruction of its computation", what, id));
  };
  for (const std::int64_t id : message.Integers(instruction_field::operand_ids)) {
    ASSAY_TRY(instruction.operands.emplace_back(), find(id, "the operand of id"));
  }
  for (const std::int64_t id : message.Integers(instruction_field::control_predecessor_ids)) {
    ASSAY_TRY(instruction.control_predecessors.emplace_back(), find(id, "the control predecessor of id"));
  }
  return CheckArity(instruction);
}

Result<std::vector<HloComputation*>> ModuleReader::FindCallees(const Message& message) const {
  std::vector<HloComputation*> callees;
  for (const std::int64_t id : message.Integers(instruction_field::called_computation_ids)) {
    const auto found = computation_of_id_.find(id);
    if (found == computation_of_id_.end()) {
      return WrongInstruction(
          fmt::format("the called computation of id {} must be defined before the computation that calls it", id));
    }
    callees.push_back(found->second);
  }
  return callees;
}

// Reads the computations, whose ids are in the order of HloInstruction::CalledComputations. A conditional on a
// predicate names its two branches one by one, as in XLA, although the op also allows a list.
Status ModuleReader::ReadCallees(const Message& message, HloInstruction& instruction) {
  const OpRole role = instruction.op->role;
  if (role == OpRole::kAsyncUpdate || role == OpRole::kAsyncDone) return {};  // FollowStarts sets it
  ASSAY_TRY(const std::vector<HloComputation*> callees, FindCallees(message));
  std::vector<const AttributeSpec*> single, last;
  const AttributeSpec* list = nullptr;
  for (const AttributeSpec& spec : instruction.op->syntax.attributes) {
    if (spec.kind == AttributeKind::kComputationList) list = &spec;
    if (spec.kind == AttributeKind::kComputation && spec.print != PrintRule::kNever) {
      (spec.visited_last ? last : single).push_back(&spec);
    }
  }
  single.insert(single.end(), last.begin(), last.end());
  const bool is_choice = !instruction.operands.empty() && instruction.operands[0]->shape.element_type() == PRED;
  if (list != nullptr && !(is_choice && !single.empty() && callees.size() == single.size())) {
    if (!callees.empty() || list->required) instruction.Set(list->name, callees);
    return {};
  }
  if (callees.size() != single.size()) {
    return WrongInstruction(
        fmt::format("{} calls {} computation(s), found {}", instruction.op->name, single.size(), callees.size()));
  }
  for (std::size_t i = 0; i < callees.size(); ++i) instruction.Set(single[i]->name, callees[i]);
  return {};
}

// Limits the listed devices: a few bytes may expand to millions.
Status ModuleReader::CountDevices(const ReplicaGroups& groups) {
  constexpr std::size_t kMostListedDevices = std::size_t{1} << 24;
  for (const Int64List& group : groups.groups) listed_devices_ += group.size();
  if (listed_devices_ <= kMostListedDevices) return {};
  return Error{ErrorCode::kLimit, fmt::format("the replica groups of a module list at most {} devices in all; here "
                                              "there are more",
                                              kMostListedDevices)};
}

Status ModuleReader::ReadParts(const Message& message, HloInstruction& instruction) {
  ASSAY_TRY(instruction.op, FindOpcode(message.Text(instruction_field::opcode)));
  ASSAY_TRY(instruction.shape, ReadShape(message.Sub(instruction_field::shape)));
  ASSAY_CHECK_OK(ReadOperands(message, instruction));
  const OpRole role = instruction.op->role;
  if (role == OpRole::kParameter) instruction.parameter_number = message.Integer(instruction_field::parameter_number);
  if (role == OpRole::kConstant) ASSAY_CHECK_OK(ReadConstant(message, instruction));
  ASSAY_CHECK_OK(ReadAttributes(message, instruction));
  if (!message.Text(instruction_field::block_scaling_config).empty()) {
    return Error{ErrorCode::kUnsupported, "block_scaling_config is not read: expected dense operands without scales"};
  }
  ASSAY_CHECK_OK(ReadCallees(message, instruction));
  if (instruction.op->FindAttribute("replica_groups") != nullptr) {
    ASSAY_TRY(std::optional<ReplicaGroups> groups, ReadReplicaGroups(message));
    if (groups) ASSAY_CHECK_OK(CountDevices(*groups));
    if (groups) instruction.Set("replica_groups", *std::move(groups));
  }
  ASSAY_CHECK_OK(ReadAnnotations(message, payloads_, instruction));
  return instruction.op->syntax.normalize == nullptr ? Status() : instruction.op->syntax.normalize(instruction);
}

Status ModuleReader::ReadInstruction(const Message& message, SerializedComputation& computation) {
  auto instruction = std::make_unique<HloInstruction>();
  instruction->name = SanitizeName(message.Text(instruction_field::name));
  const auto wrong = [&](std::string_view what) {
    return WrongInstruction(
        fmt::format("instruction {} of computation {}: {}", instruction->name, computation.computation->name, what));
  };
  instruction->parent = computation.computation.get();
  if (const Status read = ReadParts(message, *instruction); !read) {
    return Error{read.error().code, wrong(read.error().message).message};
  }
  if (instruction->name.empty() || !instruction_names_.insert(instruction->name).second) {
    return wrong("its name must be there, and no other instruction's of the module");
  }
  const std::int64_t id = message.Integer(instruction_field::id);
  if (!instruction_of_id_.emplace(id, instruction.get()).second) {
    return wrong(fmt::format("the id {} is another instruction's of the computation", id));
  }
  computation.instructions.push_back({id, std::move(instruction), message.Text(instruction_field::metadata)});
  return {};
}

}  // namespace assay::proto
