#include "interpreter/acceptance/program_sets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/open_folds.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/settle.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/evaluator/single_steps.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// A set this much wider than those it is made of names its instruction as the one that widened it.
constexpr double kMuchWider = 8;
// An interval with zero in it proves nothing if it reaches so far, in units of the array's largest number.
constexpr double kWide = 0x1p-8;

double LargestValue(const Literal& value) {
  double largest = 0;
  const std::int64_t components = value.element_count() * ComponentsOf(value.element_type());
  for (std::int64_t i = 0; i < components; ++i) {
    const double x = std::fabs(RealValue(ComponentAt(value, i)));
    if (std::isfinite(x)) largest = std::max(largest, x);
  }
  return largest;
}

// Of the widest interval.
double LargestWidth(const ValueSet& set) {
  const ElementReader reader(set);
  double width = 0;
  const std::int64_t components = set.value.element_count() * ComponentsOf(set.value.element_type());
  for (std::int64_t i = 0; i < components; ++i) {
    const Reals x = reader.At(i);
    if (!x.IsEmpty() && x.low != x.high) width = std::max(width, x.high - x.low);
  }
  return width;
}

// The numbers that the errors of a result are to be held against: its own, and those that were added up to it, for they
// may cancel.
double ScaleOf(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value) {
  double scale = LargestValue(value);
  const OpAcceptance& acceptance = instruction.op->acceptance;
  const bool adds = acceptance.adds_terms || acceptance.rule == Acceptance::kCalled;
  for (const ValueSet& operand : operands) {
    const bool is_real = !operand.is_tuple && operand.value.shape().IsArray() && IsReal(operand.value.element_type());
    if (adds && is_real) scale = std::max(scale, LargestValue(operand.value));
  }
  return scale;
}

class SetWalk : public SetEvaluation {
 public:
  SetWalk(const HloModule& module, const Profile& profile, const EvaluationOptions& options,
          const SetObserver& observer)
      : steps_(module, options), profile_(profile), observer_(observer) {}

  ValueSet Call(const HloComputation& computation, std::vector<ValueSet> arguments) override {
    const ComputationPlan& plan = steps_.plans().Of(computation);
    std::vector<ValueSet> slots(plan.slot_count());
    for (const PlanStep& step : plan.steps()) {
      std::vector<ValueSet> operands;
      for (std::size_t i = 0; i < step.operands.size(); ++i) {
        ValueSet& slot = slots[step.operands[i]];
        operands.push_back(step.is_last_use[i] ? std::move(slot) : slot);
      }
      slots[step.slot] = Execute(*step.instruction, std::move(operands), arguments);
    }
    return std::move(slots[plan.root_slot()]);
  }

  Literal Evaluate(const HloInstruction& instruction, std::vector<Literal> operands) override {
    return steps_.Evaluate(instruction, std::move(operands));
  }

  std::optional<Literal> EvaluateInF64(const HloInstruction& instruction, std::vector<Literal> operands) override {
    // Operands that are real have f64 already, or c128.
    const HloInstruction* piece[] = {&instruction};
    const auto module =
        ExtractInstructions(piece, [](PrimitiveType type) { return IsReal(type) ? NumberType(type) : type; });
    for (Literal& operand : operands) {
      if (operand.shape().IsArray() && IsReal(operand.element_type())) operand = NumbersOf(operand);
    }
    Result<Literal> result = assay::Evaluate(*module, std::move(operands));
    if (!result) return std::nullopt;
    return *std::move(result);
  }

  const Op* FoldedOp(const HloInstruction& instruction) override {
    // select-and-scatter names its scatter last.
    const std::vector<HloComputation*> called = instruction.CalledComputations();
    return called.empty() ? nullptr : FoldedOpOf(*called.back());
  }

 private:
  ValueSet Execute(const HloInstruction& instruction, std::vector<ValueSet> operands,
                   std::vector<ValueSet>& arguments) {
    switch (instruction.op->role) {
      case OpRole::kParameter:
        return std::move(arguments[instruction.parameter_number]);
      case OpRole::kConstant:
        return ValueSet::Of(*instruction.literal);
      case OpRole::kTuple:
        return ValueSet::Tuple(std::move(operands));
      case OpRole::kGetTupleElement:
        return std::move(operands[0].elements[instruction.tuple_index()]);
      case OpRole::kCall:
        return Call(*instruction.CalledComputations().front(), std::move(operands));
      default:
        break;
    }
    if (instruction.op->acceptance.walk != nullptr) {
      CheckLimits();
      return instruction.op->acceptance.walk(instruction, operands, *this);
    }
    ValueSet result = Compute(instruction, operands);
    FindWidth(instruction, operands, result);
    if (observer_) observer_(instruction, operands, result);
    return result;
  }

  ValueSet Compute(const HloInstruction& instruction, std::span<const ValueSet> given) {
    std::vector<Literal> values;
    for (const ValueSet& operand : given) values.push_back(ValueOf(operand));
    const bool has_run_time_sizes = HasRunTimeSizes(values);
    const Literal value = steps_.Evaluate(instruction, std::move(values));
    const RuleChoice& rule = RuleFor(instruction);
    // Sums count what may be flushed themselves; what moves numbers computes nothing.
    const OpAcceptance& acceptance = instruction.op->acceptance;
    const bool is_moved = acceptance.keeps_terms && instruction.op->evaluation.kernel == nullptr;
    const bool flushes =
        profile_.Allows(Freedom::kFlush, instruction.op->name) && !is_moved && rule.acceptance != Acceptance::kSum;
    std::vector<ValueSet> operands(given.begin(), given.end());
    if (flushes) operands = WithFlushedOperands(operands);
    // Predicates and bits of NaNs say more than that they are NaNs.
    if (TellsNans(instruction, value) && profile_.AllowsAnything()) operands = WithOpenNans(operands);
    const bool is_open = std::ranges::any_of(operands, [](const ValueSet& set) { return !set.IsDecided(); });
    ValueSet set = WithOpenOperands(instruction, operands, value, rule, is_open, has_run_time_sizes);
    if (profile_.Allows(Freedom::kReassociation)) OpenFold(instruction, operands, *this, set);
    return set;
  }

  ValueSet WithOpenOperands(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                            const RuleChoice& rule, bool is_open, bool has_run_time_sizes) {
    if (!is_open) return Settle(instruction, operands, value, nullptr, rule, profile_, *this);
    const SetImage image = instruction.op->acceptance.image;
    const bool has_open_result = has_run_time_sizes || image == nullptr || value.shape().IsTuple();
    if (has_open_result) return Unknown(instruction, operands, value);
    return Settle(instruction, operands, value, image(instruction, operands, value, *this), rule, profile_, *this);
  }

  ValueSet Unknown(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value) {
    ValueSet set = Anything(value, &instruction);
    set.freedoms = kUndecidedBit;
    for (const ValueSet& operand : operands) set.freedoms |= operand.freedoms;
    return set;
  }

  const RuleChoice& RuleFor(const HloInstruction& instruction) {
    const auto [found, is_new] = rules_.try_emplace(&instruction);
    if (is_new) found->second = RuleOf(instruction, profile_);
    return found->second;
  }

  static void FindWidth(const HloInstruction& instruction, std::span<const ValueSet> operands, ValueSet& set) {
    if (set.is_tuple) {
      for (ValueSet& element : set.elements) FindWidth(instruction, operands, element);
      return;
    }
    if (!set.open) return;
    double before = 0;
    for (const ValueSet& operand : operands) {
      if (operand.width >= before && operand.widest != nullptr) set.widest = operand.widest;
      before = std::max(before, operand.width);
    }
    const bool is_real = IsReal(set.value.element_type());
    const double scale = is_real ? ScaleOf(instruction, operands, set.value) : 1;
    const bool is_moved = instruction.op->acceptance.keeps_terms;
    set.width = is_moved && before > 0 ? before : scale > 0 ? LargestWidth(set) / scale : INFINITY;
    if (!(set.width <= kMuchWider * before) || set.widest == nullptr) set.widest = &instruction;
  }

  SingleSteps steps_;
  const Profile& profile_;
  const SetObserver& observer_;
  std::unordered_map<const HloInstruction*, RuleChoice> rules_;
};

std::string NamesOf(std::uint32_t freedoms) {
  std::vector<std::string> names;
  for (const Freedom freedom : AllFreedoms()) {
    if ((freedoms >> static_cast<int>(freedom) & 1) == 0) continue;
    std::string name(RecordOf(freedom).name);
    std::ranges::replace(name, '_', ' ');
    names.push_back(std::move(name));
  }
  if ((freedoms & kApproximationBit) != 0) names.emplace_back("approximation");
  if ((freedoms & kUndecidedBit) != 0) names.emplace_back("an undecided choice");
  return fmt::format("{}", fmt::join(names, ", "));
}

// A set as the host sees it: every array a dense one of its run-time sizes.
ValueSet OnHost(const ValueSet& set) {
  ValueSet result = set;
  const auto dense = [&](Literal part) {
    for (std::int64_t d = 0; d < part.shape().rank(); ++d) part.set_dynamic_size(d, set.value.dynamic_size(d));
    return ToHost(std::move(part));
  };
  if (set.open) {
    result.open = std::make_shared<const OpenElements>(
        OpenElements{dense(set.open->low), dense(set.open->high), dense(set.open->state)});
  }
  result.value = ToHost(set.value);
  return result;
}

class SetJudge {
 public:
  void Judge(const ValueSet& set, const Literal& got, Place place) {
    if (!set.is_tuple && set.value.has_dynamic_sizes()) return Judge(OnHost(set), got, std::move(place));
    if (!set.is_tuple && !ShapeUtil::Compatible(set.value.shape(), got.shape())) {
      judgement_.verdict = Verdict::kFail;
      judgement_.reason = fmt::format("other sizes at run time: got {}, want {}", got.shape().ToStringWithoutLayout(),
                                      set.value.shape().ToStringWithoutLayout());
      return;
    }
    if (set.is_tuple) {
      for (std::size_t i = 0; i < set.elements.size(); ++i) {
        Place part = place;
        part.tuple_index.push_back(static_cast<std::int64_t>(i));
        Judge(set.elements[i], got.elements()[i], std::move(part));
      }
      return;
    }
    const Literal& want = set.value;
    judgement_.elements += want.element_count();
    if (want.BitwiseEqual(got)) return;
    const ElementReader reader(set);
    double scale = IsReal(want.element_type()) ? LargestValue(want) : 0;
    if (set.open && set.width > 0) scale = std::max(scale, LargestWidth(set) / set.width);
    for (place.offset = 0; place.offset < want.element_count(); ++place.offset) {
      if (SameElement(want, got, place.offset)) continue;
      ++judgement_.not_exact;
      Record(set, got, place, JudgeElement(set, reader, got, place.offset, scale));
    }
  }

  Judgement Take() { return std::move(judgement_); }

  struct Finding {
    Verdict verdict;
    std::string reason;
    double share = 0;
  };

  static double NumberOf(const Literal& array, std::int64_t component) {
    if (IsReal(array.element_type())) return RealValue(ComponentAt(array, component));
    const auto integer = array.IntegerAt(component);
    return array.element_type() == U64 ? static_cast<double>(static_cast<std::uint64_t>(integer))
                                       : static_cast<double>(integer);
  }

  static Finding JudgeElement(const ValueSet& set, const ElementReader& reader, const Literal& got, std::int64_t offset,
                              double scale) {
    if (!reader.IsOpen(offset)) return {Verdict::kFail, "nothing may round on the way: one value is right", INFINITY};
    const int components = ComponentsOf(got.element_type());
    Finding worst = {Verdict::kLegal, NamesOf(set.freedoms), 0};
    for (int c = 0; c < components; ++c) {
      const std::int64_t i = offset * components + c;
      const Reals lawful = reader.At(i);
      const double x = NumberOf(got, i);
      if (!lawful.Contains(x)) {
        std::string reason =
            lawful.IsEmpty() ? "every lawful evaluation gives NaN"
                             : fmt::format("every lawful evaluation lies in [{:.9g}, {:.9g}]", lawful.low, lawful.high);
        return {Verdict::kFail, std::move(reason), INFINITY};
      }
      const bool is_unbounded = std::isinf(lawful.low) && std::isinf(lawful.high);
      const bool is_wide = lawful.ContainsZero() && (lawful.high - lawful.low) / 2 > kWide * scale;
      const bool says_nothing = IsReal(got.element_type()) ? is_unbounded || is_wide : false;
      if (says_nothing) {
        worst = {Verdict::kWeak, Because(set, "the set is too wide to prove anything"), 0};
      } else if (worst.verdict == Verdict::kLegal && lawful.high > lawful.low) {
        const double want = NumberOf(set.value, i);
        const double reach = x > want ? lawful.high - want : want - lawful.low;
        worst.share = std::max(worst.share, reach > 0 ? std::fabs(x - want) / reach : 0);
      }
    }
    if ((set.freedoms & kSpecGapBit) != 0) {
      return {Verdict::kSpecGap, std::string(kOpenFold), worst.share};
    }
    if (!IsReal(got.element_type()) && worst.verdict == Verdict::kLegal) {
      const Reals any = AnyOf(got.element_type()), lawful = reader.At(offset);
      if (lawful.low <= any.low && lawful.high >= any.high) {
        worst = {Verdict::kWeak, Because(set, "rounding decides it"), 0};
      }
    }
    return worst;
  }

  static std::string Because(const ValueSet& set, std::string_view what) {
    if (set.widest == nullptr) return std::string(what);
    return fmt::format("{}: {} (line {}) widened it", what, set.widest->name, set.widest->location.line);
  }

 private:
  void Record(const ValueSet& set, const Literal& got, const Place& place, const Finding& finding) {
    const auto tally = std::ranges::find_if(judgement_.tallies, [&](const Tally& known) {
      return known.verdict == finding.verdict && (known.reason == finding.reason || finding.verdict == Verdict::kFail);
    });
    if (tally == judgement_.tallies.end()) {
      judgement_.tallies.push_back({finding.verdict, finding.reason, 1});
    } else {
      ++tally->elements;
    }
    const double steps = WorstUlps(set.value, got, place.offset);
    const ElementReport& worst = judgement_.worst;
    const bool worse = finding.verdict > judgement_.verdict || judgement_.not_exact == 1;
    const bool larger = finding.verdict == judgement_.verdict &&
                        (finding.share > worst.share || (finding.share == worst.share && steps > worst.steps));
    if (!worse && !larger) return;
    judgement_.verdict = std::max(judgement_.verdict, finding.verdict);
    judgement_.reason = finding.reason;
    judgement_.worst = {
        .tuple_index = place.tuple_index,
        .offset = place.offset,
        .name = ElementName(place, set.value),
        .got = DescribeElement(got, place.offset),
        .want = DescribeElement(set.value, place.offset),
        .steps = steps,
        .ulps = IsReal(set.value.element_type()) && std::isfinite(steps) ? std::optional(steps) : std::nullopt,
        .share = finding.share,
        .inputs = {},
        .exact = {}};
  }

  Judgement judgement_;
};

// What the set of one value does not say all about: values that are still to come, other devices, the host.
const HloInstruction* FindBeyondSets(const HloModule& module) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      const OpRole role = instruction->op->role;
      const bool is_asynchronous =
          role == OpRole::kAsyncStart || role == OpRole::kAsyncUpdate || role == OpRole::kAsyncDone;
      const OpEvaluation& evaluation = instruction->op->evaluation;
      if (is_asynchronous || evaluation.depends_on_device || evaluation.has_side_effect) return instruction.get();
    }
  }
  return nullptr;
}

}  // namespace

Result<ValueSet> EvaluateSets(const HloModule& module, std::vector<Literal> arguments, const Profile& profile,
                              const EvaluationOptions& options, const SetObserver& observer) {
  if (module.device_count() != 1) {
    return Error{ErrorCode::kUnsupported, "sets go through programs of one device only"};
  }
  if (const HloInstruction* beyond = FindBeyondSets(module)) {
    return Error{ErrorCode::kUnsupported, fmt::format("sets do not go through {}", beyond->op->name), beyond->location};
  }
  return WithoutThrowing([&]() -> Result<ValueSet> {
    const DefaultFloatEnvironment environment;
    const TimeLimit time(options.limits.seconds);
    const ArrayLimit memory(options.limits.array_bytes);
    SetWalk walk(module, profile, options, observer);
    std::vector<ValueSet> sets;
    for (Literal& argument : arguments) sets.push_back(ValueSet::Of(std::move(argument)));
    return walk.Call(*module.entry, std::move(sets));
  });
}

Judgement JudgeBySet(const ValueSet& set, const Literal& got) {
  SetJudge judge;
  judge.Judge(set, got, {});
  return judge.Take();
}

bool IsExplainedByOpenFold(const ValueSet& leaf, const Literal& got, std::int64_t offset) {
  return (leaf.freedoms & kSpecGapBit) != 0 &&
         SetJudge::JudgeElement(leaf, ElementReader(leaf), got, offset, 0).verdict == Verdict::kSpecGap;
}

std::string FreedomsOf(const ValueSet& set) {
  std::uint32_t freedoms = set.freedoms;
  for (const ValueSet& element : set.elements) freedoms |= element.freedoms;
  return NamesOf(freedoms);
}

const HloInstruction* WidestOf(const ValueSet& set) {
  if (!set.is_tuple) return set.open ? set.widest : nullptr;
  const ValueSet* widest = nullptr;
  for (const ValueSet& element : set.elements) {
    if (element.open && (widest == nullptr || element.width > widest->width)) widest = &element;
  }
  return widest == nullptr ? nullptr : widest->widest;
}

}  // namespace assay
