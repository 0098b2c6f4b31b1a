#include "conformance/judging/self_consistency.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/judging/computation_values.h"
#include "conformance/judging/judged_alone.h"
#include "conformance/judging/loop_step.h"
#include "conformance/judging/pieces.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// The number of iterations of a loop that are judged one by one.
constexpr int kMostIterations = 256;
constexpr int kMostDepth = 4;
// The number of steps by which a region may grow towards its operands, to explain what no single instruction explains.
constexpr int kMostGrowth = 8;

class SelfConsistency {
 public:
  SelfConsistency(Backend& backend, const CompareOptions& options, const KnownCalls& known, ModuleReport& report,
                  OwnValuesReport& own)
      : backend_(backend),
        options_(options),
        known_(known),
        report_(report),
        own_(own),
        are_outputs_far_(report.verdict == Verdict::kSuspect) {}

  // Returns nothing if the backend cannot return all intermediate values; otherwise true if they lead to `got`.
  std::optional<bool> Judge(const HloComputation& computation, std::span<const Literal> arguments, const Literal& got,
                            int depth) {
    const std::optional<ComputationValues> values = BackendValues(backend_, computation, arguments);
    if (!values) return std::nullopt;
    for (const auto& instruction : computation.instructions) {
      if (values->contains(instruction.get()) && DoesWork(*instruction)) JudgeOne(*instruction, *values, depth);
      // Values of another program prove nothing else.
      if (options_.has_aligned_values && own_.verdict >= Verdict::kWeak) break;
    }
    return CompareExactly(values->at(computation.root), got).not_exact == 0;
  }

  // A compiler may combine instructions, but not in a module of one of them: what a region explains may be wrong there.
  void JudgeExplainedAlone() {
    alone_.Flush();
    for (PieceReport& offender : report_alone_.offenders) {
      const Verdict verdict = offender.judgement.verdict;
      if (verdict != Verdict::kFail && verdict != Verdict::kSuspect) continue;
      if (verdict > own_.verdict) {
        own_.verdict = verdict;
        own_.reason =
            fmt::format("{} (line {}), alone: {}", offender.instruction, offender.line, offender.judgement.reason);
      }
      AddOffender(report_, std::move(offender));
    }
  }

 private:
  struct Piece {
    Judgement judgement;
    bool takes_two_instructions = false;
    bool may_differ_again = false;

    // True if the set of a region proves the result lawful, or leaves it open because of a freedom that takes two
    // instructions.
    bool Explains() const {
      if (judgement.verdict <= Verdict::kSpecGap) return true;
      return judgement.verdict == Verdict::kWeak && takes_two_instructions;
    }
    // True if the region explains the result. The region computes operands of the instruction again; a backend may
    // flush a value that it computes again, and keep the value that it returns.
    bool ExplainsGrown() const { return Explains() || (judgement.verdict == Verdict::kWeak && may_differ_again); }
  };

  // The report so far and the instructions that are not exact.
  struct Findings {
    OwnValuesReport own;
    std::vector<PieceReport> offenders;
  };

  static bool IsLoop(const HloInstruction& instruction) { return instruction.Has("body"); }

  void Tell(const HloInstruction& instruction) const {
    CheckLimits();
    if (options_.on_judging) options_.on_judging("the backend's own values", instruction);
  }

  EvaluationOptions Evaluation() const {
    EvaluationOptions evaluation;
    evaluation.limits = options_.limits;
    return evaluation;
  }

  const ValueSet* FindKnown(const HloInstruction& instruction, const ComputationValues& values) const {
    if (!known_.Has(instruction)) return nullptr;
    std::vector<Literal> operands;
    for (const HloInstruction* operand : instruction.operands) operands.push_back(values.at(operand));
    return known_.Find(instruction, operands);
  }

  // Evaluates an instruction with the reference on the backend's values.
  Result<Literal> ValueOnOwn(const HloInstruction& instruction, const ComputationValues& values) const {
    if (const ValueSet* known = FindKnown(instruction, values)) return ValueOf(*known);
    const Region region = ExtractRegion(*instruction.parent, {&instruction}, {&instruction});
    return Evaluate(*region.module, assay::InputsOf(region, values), Evaluation());
  }

  // Judges one instruction's result by the set of a region that ends in it.
  Result<Piece> JudgeRegion(const HloInstruction& instruction, const InstructionSet& computed,
                            const ComputationValues& values) {
    const ValueSet* known = computed.size() == 1 ? FindKnown(instruction, values) : nullptr;
    if (known != nullptr) return JudgeBy(*known, values.at(&instruction));
    const Region region = ExtractRegion(*instruction.parent, computed, {&instruction});
    ASSAY_TRY(const ValueSet set,
              EvaluateSets(*region.module, assay::InputsOf(region, values), options_.profile, Evaluation()));
    return JudgeBy(set, values.at(&instruction));
  }

  static Piece JudgeBy(const ValueSet& set, const Literal& got) {
    return {JudgeBySet(set, got), TakesTwoInstructions(set), MayDifferAgain(set)};
  }

  void JudgeOne(const HloInstruction& instruction, const ComputationValues& values, int depth) {
    Tell(instruction);
    ++own_.pieces;
    const Literal& got = values.at(&instruction);
    std::vector<Literal> operands;
    for (const HloInstruction* operand : StartOf(instruction).operands) operands.push_back(values.at(operand));
    // The iterations of a loop come first: they cost the reference no more than the loop does, and most loops of an
    // entry computation are not exact if the module is not.
    std::optional<Findings> inside;
    const bool is_loop_of_entry = depth == 0 && IsLoop(instruction);
    if (is_loop_of_entry) inside = FindInside(instruction, operands, got, depth);
    if (inside && inside->own.verdict <= Verdict::kLegal) return Take(*std::move(inside));
    const Result<Literal> want = ValueOnOwn(instruction, values);
    if (want && CompareExactly(*want, got).verdict == Verdict::kExact) return Record(instruction, {});
    // A loop's set costs as much as all its iterations together, and it is wider.
    if (!is_loop_of_entry) inside = FindInside(instruction, operands, got, depth);
    if (inside) return Take(*std::move(inside));
    Judgement judgement;
    judgement.verdict = Verdict::kFail;
    if (!want) {
      // The instruction cannot run alone, as with operands whose sizes at run time are not those of their shapes.
      Result<Piece> piece = JudgeRegion(instruction, {&instruction}, values);
      judgement = piece ? std::move(piece->judgement) : Undecided(want.error());
    } else if (IsJudgedAlone(instruction)) {
      judgement = JudgeInstruction(instruction, operands, *want, got, options_.profile);
    }
    InstructionSet computed = {&instruction};
    if (IsFailure(judgement.verdict)) judgement = JudgeBySets(instruction, values, std::move(judgement), computed);
    if (computed.size() > 1 && !options_.has_aligned_values && want) alone_.Observe(instruction, operands, *want, 0);
    if (are_outputs_far_) ConsiderSamples(instruction, computed, values, judgement);
    Record(instruction, std::move(judgement));
  }

  // True for an operand that a backend may have kept wider than it returned it: no sample starts from such a number.
  static bool MayBeUnrounded(const Leaf& operand) {
    const Shape& shape = operand.instruction->shape;
    return IsComputed(*operand.instruction) && shape.IsArray() && IsInexactType(shape.element_type()) &&
           BitWidth(ComplexComponentType(shape.element_type())) < 32;
  }

  // Samples of the whole module found its outputs far from lawful results: those of the region that explains an
  // instruction show if it is.
  void ConsiderSamples(const HloInstruction& instruction, const InstructionSet& computed,
                       const ComputationValues& values, Judgement& judgement) const {
    if (judgement.verdict != Verdict::kLegal && judgement.verdict != Verdict::kWeak) return;
    const Region region = ExtractRegion(*instruction.parent, computed, {&instruction});
    const std::vector<Literal> inputs = assay::InputsOf(region, values);
    if (HasRunTimeSizes(inputs) || std::ranges::any_of(region.parameters, MayBeUnrounded)) return;
    const Result<Literal> want = Evaluate(*region.module, inputs, Evaluation());
    if (!want) return;
    std::string suspect =
        FarFromSamples(instruction, *region.module, {inputs}, *want, values.at(&instruction), options_);
    if (suspect.empty()) return;
    judgement.verdict = Verdict::kSuspect;
    judgement.reason = std::move(suspect);
  }

  static Judgement Undecided(const Error& error) {
    Judgement judgement;
    judgement.verdict = Verdict::kWeak;
    judgement.reason = error.message;
    return judgement;
  }

  // `computed` becomes the region that explains the result.
  Judgement JudgeBySets(const HloInstruction& instruction, const ComputationValues& values, Judgement judgement,
                        InstructionSet& computed) {
    Result<Piece> piece = JudgeRegion(instruction, {&instruction}, values);
    if (!piece) return Undecided(piece.error());
    const bool is_proved_wrong = piece->judgement.verdict > judgement.verdict;
    // A set is too wide to explain what the rule's tests of the same instruction found.
    const bool is_explained = piece->Explains() && judgement.verdict != Verdict::kSuspect;
    if (!IsJudgedAlone(instruction) || is_explained || is_proved_wrong) judgement = std::move(piece->judgement);
    return IsFailure(judgement.verdict) ? JudgeGrown(instruction, values, std::move(judgement), computed) : judgement;
  }

  // Returns the numbers that a backend may have had in place of the value of an operand, which it returned rounded.
  // Those of a conversion follow from its own operand.
  Result<ValueSet> SetOfOperand(const HloInstruction& operand, Literal value, const ComputationValues& values) const {
    if (!IsComputed(operand)) return ValueSet::Of(std::move(value));
    if (!AcceptanceOf(operand).Has(Trait::kConverts)) {
      return SetOfUnrounded(std::move(value), options_.profile, operand.op->name);
    }
    const HloInstruction& converted = operand.operand(0);
    ASSAY_TRY(ValueSet set, SetOfOperand(converted, values.at(&converted), values));
    const Region region = ExtractRegion(*operand.parent, {&operand}, {&operand});
    if (region.parameters.empty()) return ValueSet::Of(std::move(value));  // of a constant
    ASSAY_TRY(ValueSet all, EvaluateSetsOf(*region.module, {std::move(set)}, options_.profile, Evaluation()));
    all.widest = nullptr;  // an instruction of the region
    return all;
  }

  // Judges the result of a region whose operands, as far as the backend computed them, may be unrounded.
  Result<Piece> JudgeRegionOfUnrounded(const HloInstruction& instruction, const InstructionSet& computed,
                                       const ComputationValues& values) {
    const Region region = ExtractRegion(*instruction.parent, computed, {&instruction});
    std::vector<Literal> inputs = assay::InputsOf(region, values);
    if (HasRunTimeSizes(inputs)) return Error{ErrorCode::kUnsupported, "sizes at run time"};
    std::vector<ValueSet> sets;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      ASSAY_TRY(ValueSet set, SetOfOperand(*region.parameters[i].instruction, std::move(inputs[i]), values));
      sets.push_back(std::move(set));
    }
    ASSAY_TRY(const ValueSet set, EvaluateSetsOf(*region.module, std::move(sets), options_.profile, Evaluation()));
    return JudgeBy(set, values.at(&instruction));
  }

  // Judges with ever more operands in the region: a lawful evaluation may combine several instructions, for example add
  // a product that was not rounded.
  Judgement JudgeGrown(const HloInstruction& instruction, const ComputationValues& values, Judgement judgement,
                       InstructionSet& computed) {
    if (judgement.verdict == Verdict::kFail) {
      Result<Piece> of_unrounded = JudgeRegionOfUnrounded(instruction, computed, values);
      if (of_unrounded && of_unrounded->Explains()) return std::move(of_unrounded->judgement);
    }
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
      if (wider->ExplainsGrown()) return std::move(wider->judgement);
      // The set of an operand that is a sum may be too wide to explain anything: its own value says more.
      Result<Piece> unrounded = JudgeRegionOfUnrounded(instruction, computed, values);
      if (unrounded && unrounded->Explains()) return std::move(unrounded->judgement);
    }
    computed = {&instruction};
    return judgement;
  }

  // Returns the findings with those inside the instruction's called computation; nothing if that decides nothing.
  std::optional<Findings> FindInside(const HloInstruction& instruction, std::span<const Literal> operands,
                                     const Literal& got, int depth) {
    if (depth >= kMostDepth) return std::nullopt;
    Findings before = {own_, report_.offenders};
    const bool says_more = JudgeInside(instruction, operands, got, depth);
    Findings after = {std::move(own_), std::move(report_.offenders)};
    Take(std::move(before));
    return says_more ? std::optional(std::move(after)) : std::nullopt;
  }

  void Take(Findings findings) {
    own_ = std::move(findings.own);
    report_.offenders = std::move(findings.offenders);
  }

  // Judges the computation that an instruction calls on the backend's own values. Returns false if that decides
  // nothing.
  bool JudgeInside(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& got,
                   int depth) {
    const std::vector<HloComputation*> called = instruction.CalledComputations();
    if (instruction.op->role == OpRole::kCall) return Judge(*called[0], operands, got, depth + 1).value_or(false);
    return IsLoop(instruction) && JudgeLoop(instruction, operands[0], got, depth);
  }

  // Judges a loop by its iterations. All of them run first: their judgements count only if they lead to `got`.
  bool JudgeLoop(const HloInstruction& loop, const Literal& start, const Literal& got, int depth) {
    const LoopStep step(loop.Computation("body"));
    const std::optional<Iterations> iterations = Iterate(loop, step, start);
    if (!iterations || CompareExactly(iterations->last, got).not_exact != 0) return false;
    bool is_exact = true;
    Literal before = start;
    for (const Literal& result : iterations->results) {
      Tell(loop);
      // After an iteration that is not exact few others are exact.
      if (is_exact) {
        const Result<Literal> want = Evaluate(step.module(), step.InputsFrom(before), Evaluation());
        if (!want) return false;
        is_exact = CompareExactly(*want, result).verdict == Verdict::kExact;
      }
      if (!is_exact && !JudgeIteration(loop, step, before, result, depth)) return false;
      Result<Literal> after = step.StateAfter(std::move(before), result);
      if (!after) return false;
      before = *std::move(after);
    }
    if (is_exact) Record(loop, {});
    return true;
  }

  // Returns false if the iteration has no set.
  bool JudgeIteration(const HloInstruction& loop, const LoopStep& step, const Literal& before, const Literal& result,
                      int depth) {
    Result<ValueSet> set = EvaluateSets(step.module(), step.InputsFrom(before), options_.profile, Evaluation());
    if (!set) return false;
    Judgement judgement = JudgeBySet(step.ChangesOf(before, *std::move(set)), step.ChangesOf(before, result));
    if (judgement.verdict == Verdict::kExact) return true;
    step.MoveToState(before, result, judgement.worst);
    if (judgement.verdict == Verdict::kWeak) {
      const Result<Literal> after = step.StateAfter(before, result);
      const std::vector<Literal> argument = {before};
      if (after && Judge(loop.Computation("body"), argument, *after, depth + 1).value_or(false)) return true;
    }
    Record(loop, std::move(judgement));
    return true;
  }

  // The results of the backend's iterations, and the state after the last one.
  struct Iterations {
    std::vector<Literal> results;
    Literal last;
  };

  // Returns nothing if there are more than kMostIterations, or if the backend or the reference fails.
  std::optional<Iterations> Iterate(const HloInstruction& loop, const LoopStep& step, const Literal& start) {
    const LoopStep test(loop.Computation("condition"));
    Result<std::unique_ptr<Executable>> compiled = backend_.Compile(step.module());
    if (!compiled) return std::nullopt;
    Iterations iterations = {{}, start};
    for (;;) {
      Tell(loop);
      const Result<Literal> holds = Evaluate(test.module(), test.InputsFrom(iterations.last), Evaluation());
      if (!holds) return std::nullopt;
      if (!holds->BoolAt(0)) return iterations;
      if (std::ssize(iterations.results) >= kMostIterations) return std::nullopt;
      Result<PerDevice<Literal>> outputs = (*compiled)->Run({step.InputsFrom(iterations.last)});
      if (!outputs) return std::nullopt;
      iterations.results.push_back(std::move((*outputs)[0]));
      Result<Literal> after = step.StateAfter(std::move(iterations.last), iterations.results.back());
      if (!after) return std::nullopt;
      iterations.last = *std::move(after);
    }
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
  const KnownCalls& known_;
  ModuleReport& report_;
  OwnValuesReport& own_;
  const bool are_outputs_far_;
  ModuleReport report_alone_;  // of the instructions that regions explain
  PieceJudge alone_ = PieceJudge(backend_, options_, 1, report_alone_);
};

}  // namespace

std::optional<OwnValuesReport> JudgeSelfConsistency(Backend& backend, const HloModule& module,
                                                    std::span<const Literal> arguments, const Literal& got,
                                                    const CompareOptions& options, ModuleReport& report,
                                                    const KnownCalls& known) {
  OwnValuesReport own;
  SelfConsistency judge(backend, options, known, report, own);
  const std::optional<bool> leads = judge.Judge(*module.entry, arguments, got, 0);
  if (!leads) return std::nullopt;
  if (*leads) judge.JudgeExplainedAlone();
  own.leads_to_result = *leads;
  return own;
}

}  // namespace assay
