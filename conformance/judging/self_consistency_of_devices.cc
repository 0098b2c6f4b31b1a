#include <algorithm>

#include "conformance/judging/computation_values.h"
#include "conformance/judging/judged_alone.h"
#include "conformance/judging/pieces.h"
#include "conformance/judging/self_consistency.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// Returns the instructions to judge, in order; nothing if one of them cannot be judged alone.
std::optional<std::vector<const HloInstruction*>> PiecesOf(const HloComputation& computation) {
  const InstructionSet live = LiveInstructions(computation);
  std::vector<const HloInstruction*> pieces;
  for (const auto& instruction : computation.instructions) {
    if (!live.contains(instruction.get()) || !DoesWork(*instruction)) continue;
    if (!instruction->op->legality.done.empty()) continue;  // judged with its end
    if (!IsJudgedAlone(*instruction)) return std::nullopt;
    pieces.push_back(instruction.get());
  }
  return pieces;
}

// Returns the values on each device. If the root is the only computed instruction, its operands are the arguments, and
// the backend need not run again.
std::optional<PerDevice<ComputationValues>> ValuesOnDevices(Backend& backend, const HloModule& module,
                                                            const DeviceValues& arguments, const Literal& got,
                                                            std::span<const HloInstruction* const> pieces) {
  if (pieces.size() != 1 || pieces[0] != module.entry->root) return BackendValuesOfDevices(backend, module, arguments);
  PerDevice<ComputationValues> values(std::ssize(arguments));
  for (std::size_t device = 0; device < values.size(); ++device) {
    for (const auto& instruction : module.entry->instructions) {
      if (instruction->op->role == OpRole::kParameter) {
        values[device][instruction.get()] = arguments[device][instruction->parameter_number];
      } else if (instruction->op->role == OpRole::kConstant) {
        values[device][instruction.get()] = *instruction->literal;
      }
    }
    values[device][module.entry->root] = got.elements()[device];
  }
  return values;
}

// The values of the devices that execute an instruction together.
using DeviceGroup = PerDevice<const ComputationValues*>;

// Groups the devices: all together if the instruction depends on the device, otherwise each alone.
std::vector<DeviceGroup> ExecutionsOf(const HloInstruction& piece, const PerDevice<ComputationValues>& values) {
  std::vector<DeviceGroup> executions;
  for (const ComputationValues& of_device : values) {
    if (executions.empty() || !piece.op->evaluation.depends_on_device) executions.emplace_back();
    executions.back().push_back(&of_device);
  }
  return executions;
}

// Judges one instruction on the devices that execute it together.
std::optional<Judgement> JudgePiece(const HloInstruction& piece, const DeviceGroup& devices,
                                    const CompareOptions& options, bool are_outputs_far) {
  CheckLimits();
  if (options.on_judging) options.on_judging("the backend's own values", piece);
  DeviceValues operands;
  PerDevice<Literal> results;
  for (const ComputationValues* values : devices) {
    std::vector<Literal> own;
    for (const HloInstruction* operand : StartOf(piece).operands) {
      const auto found = values->find(operand);
      if (found == values->end()) return std::nullopt;
      own.push_back(found->second);
    }
    const Literal& result = values->at(&piece);
    if (HasRunTimeSizes(own) || HasRunTimeSizes({&result, 1})) return std::nullopt;
    operands.push_back(std::move(own));
    results.push_back(result);
  }
  const HloInstruction* alone[] = {&piece};
  EvaluationOptions evaluation;
  evaluation.limits = options.limits;
  const auto module = ExtractInstructions(alone);
  const Result<Literal> want = EvaluateTogether(*module, operands, evaluation);
  if (!want) return std::nullopt;
  const Literal got = OfAllDevices(std::move(results));
  Judgement judgement = JudgeInstruction(piece, operands, *want, got, options.profile);
  if (!are_outputs_far || judgement.verdict == Verdict::kExact) return judgement;
  if (!FarFromSamples(piece, *module, operands, *want, got, options).empty()) return std::nullopt;
  return judgement;
}

}  // namespace

bool IsLawfulOnOwnValues(Backend& backend, const HloModule& module, const DeviceValues& arguments, const Literal& got,
                         const CompareOptions& options, ModuleReport& report) {
  const auto pieces = PiecesOf(*module.entry);
  if (!pieces) return false;
  const bool are_outputs_far = report.verdict == Verdict::kSuspect;
  const std::optional<PerDevice<ComputationValues>> values = ValuesOnDevices(backend, module, arguments, got, *pieces);
  if (!values) return false;
  PerDevice<Literal> roots;
  for (const ComputationValues& of_device : *values) {
    const auto root = of_device.find(module.entry->root);
    if (root == of_device.end()) return false;
    roots.push_back(root->second);
  }
  if (CompareExactly(OfAllDevices(std::move(roots)), got).not_exact != 0) return false;
  for (const HloInstruction* piece : *pieces) {
    for (const DeviceGroup& devices : ExecutionsOf(*piece, *values)) {
      std::optional<Judgement> judgement = JudgePiece(*piece, devices, options, are_outputs_far);
      if (!judgement || judgement->verdict > Verdict::kSpecGap) return false;
      ++report.pieces;
      if (judgement->verdict == Verdict::kExact) {
        ++report.pieces_exact;
      } else {
        AddPiece(report, *piece, *std::move(judgement));
      }
    }
  }
  return true;
}

}  // namespace assay
