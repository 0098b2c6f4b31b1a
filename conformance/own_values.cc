#include "conformance/own_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/computation_values.h"
#include "conformance/pieces.h"
#include "interpreter/acceptance/program_sets.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

// Iterations of a loop that are judged one by one.
constexpr int kMostIterations = 256;
constexpr int kMostDepth = 4;
// How far back a region grows that may explain what no instruction alone does.
constexpr int kMostGrowth = 8;

class OwnValues {
 public:
  OwnValues(Backend& backend, const CompareOptions& options, ModuleReport& report, OwnValuesReport& own)
      : backend_(backend), options_(options), report_(report), own_(own) {}

  // Nothing where the backend cannot return all intermediates. Otherwise whether they lead to `got`.
  std::optional<bool> Judge(const HloComputation& computation, std::span<const Literal> arguments, const Literal& got,
                            int depth) {
    const std::optional<ComputationValues> values = BackendValues(backend_, computation, arguments);
    if (!values) return std::nullopt;
    for (const auto& instruction : computation.instructions) {
      if (values->contains(instruction.get()) && DoesWork(*instruction)) JudgeOne(*instruction, *values, depth);
    }
    return CompareExactly(values->at(computation.root), got).not_exact == 0;
  }

 private:
  struct Piece {
    Judgement judgement;
    Literal want;
    bool takes_two_instructions = false;

    // What an instruction alone is wrong by may be lawful in a region; one of which nothing is known explains it only
    // where it has a freedom that takes two instructions.
    bool Explains() const {
      if (judgement.verdict <= Verdict::kSpecGap) return true;
      return judgement.verdict == Verdict::kWeak && takes_two_instructions;
    }
  };

  // One instruction's result, by the set of a region that ends in it.
  Result<Piece> JudgeRegion(const HloInstruction& instruction, const InstructionSet& computed,
                            const ComputationValues& values) {
    const Region region = ExtractRegion(*instruction.parent, computed, {&instruction});
    EvaluationOptions evaluation;
    evaluation.limits = options_.limits;
    ASSAY_TRY(const ValueSet set, EvaluateSets(*region.module, InputsOf(region, values), options_.profile, evaluation));
    return Piece{JudgeBySet(set, values.at(&instruction)), ValueOf(set), TakesTwoInstructions(set)};
  }

  void JudgeOne(const HloInstruction& instruction, const ComputationValues& values, int depth) {
    ++own_.pieces;
    const Literal& got = values.at(&instruction);
    Result<Piece> piece = JudgeRegion(instruction, {&instruction}, values);
    if (!piece) {
      Judgement judgement;
      judgement.verdict = Verdict::kWeak;
      judgement.reason = piece.error().message;
      return Record(instruction, std::move(judgement));
    }
    std::vector<Literal> operands;
    for (const HloInstruction* operand : StartOf(instruction).operands) operands.push_back(values.at(operand));
    Judgement judgement = IsJudgedAlone(instruction)
                              ? JudgeInstruction(instruction, operands, piece->want, got, options_.profile)
                              : piece->judgement;
    if (judgement.verdict == Verdict::kFail && piece->Explains()) judgement = std::move(piece->judgement);
    if (judgement.verdict == Verdict::kFail) judgement = JudgeGrown(instruction, values, std::move(judgement));
    if (judgement.verdict == Verdict::kWeak && depth < kMostDepth) {
      if (JudgeInside(instruction, operands, got, depth)) return;
    }
    Record(instruction, std::move(judgement));
  }

  // A lawful evaluation may take several instructions: a product that was not rounded before it was added.
  Judgement JudgeGrown(const HloInstruction& instruction, const ComputationValues& values, Judgement judgement) {
    InstructionSet computed = {&instruction};
    for (int growth = 0; growth < kMostGrowth; ++growth) {
      InstructionSet grown = computed;
      for (const HloInstruction* inner : computed) {
        for (const HloInstruction* operand : inner->operands) {
          if (IsComputed(*operand)) grown.insert(operand);
        }
      }
      if (grown.size() == computed.size()) break;
      computed = std::move(grown);
      Result<Piece> wider = JudgeRegion(instruction, computed, values);
      if (!wider) break;
      if (wider->Explains()) return std::move(wider->judgement);
    }
    return judgement;
  }

  // What an instruction calls, on the backend's own values; false where that does not say more.
  bool JudgeInside(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& got,
                   int depth) {
    const std::vector<HloComputation*> called = instruction.CalledComputations();
    if (instruction.op->role == OpRole::kCall) return Judge(*called[0], operands, got, depth + 1).value_or(false);
    if (!instruction.Has("condition") || !instruction.Has("body")) return false;
    return JudgeLoop(instruction, operands[0], got, depth);
  }

  bool JudgeLoop(const HloInstruction& loop, Literal state, const Literal& got, int depth) {
    const HloComputation& body = loop.Computation("body");
    const HloComputation& condition = loop.Computation("condition");
    const Region test = ExtractComputation(condition), step = ExtractComputation(body);
    const auto inputs = [&](const Region& region) {
      std::vector<Literal> values;
      for (const Leaf& leaf : region.parameters) values.push_back(leaf.Of(state));
      return values;
    };
    Result<std::unique_ptr<Executable>> compiled = backend_.Compile(*step.module);
    if (!compiled) return false;
    for (int i = 0;; ++i) {
      const Result<Literal> holds = Evaluate(*test.module, inputs(test));
      if (!holds || i > kMostIterations) return false;
      if (!holds->BoolAt(0)) break;
      Result<std::vector<Literal>> outputs = (*compiled)->Run({inputs(step)});
      if (!outputs) return false;
      Literal next = std::move((*outputs)[0]);
      const Result<ValueSet> set = EvaluateSets(*step.module, inputs(step), options_.profile);
      if (!set) return false;
      Judgement judgement = JudgeBySet(*set, next);
      const std::vector<Literal> argument = {state};
      if (judgement.verdict != Verdict::kWeak || !Judge(body, argument, next, depth + 1).value_or(false)) {
        Record(loop, std::move(judgement));
      }
      state = std::move(next);
    }
    return CompareExactly(state, got).not_exact == 0;
  }

  void Record(const HloInstruction& instruction, Judgement judgement) {
    if (judgement.verdict == Verdict::kExact) {
      ++own_.pieces_exact;
      return;
    }
    if (judgement.verdict > own_.verdict) {
      own_.verdict = judgement.verdict;
      own_.reason =
          fmt::format("{} (line {}): {}", PrintInstruction(instruction), instruction.location.line, judgement.reason);
    }
    AddPiece(report_, instruction, std::move(judgement));
  }

  Backend& backend_;
  const CompareOptions& options_;
  ModuleReport& report_;
  OwnValuesReport& own_;
};

}  // namespace

std::optional<OwnValuesReport> JudgeOnOwnValues(Backend& backend, const HloModule& module,
                                                std::span<const Literal> arguments, const Literal& got,
                                                const CompareOptions& options, ModuleReport& report) {
  OwnValuesReport own;
  const std::optional<bool> leads = OwnValues(backend, options, report, own).Judge(*module.entry, arguments, got, 0);
  if (!leads) return std::nullopt;
  own.leads_to_result = *leads;
  return own;
}

}  // namespace assay
