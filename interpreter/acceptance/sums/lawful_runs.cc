#include "interpreter/acceptance/sums/lawful_runs.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "interpreter/acceptance/disturbance.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/executed_operations.h"
#include "interpreter/acceptance/find_before.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sums/lawful_samples.h"
#include "interpreter/acceptance/sums/orders.h"
#include "interpreter/acceptance/sums/sum_samples.h"
#include "interpreter/acceptance/trials.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// Sums of fewer terms have a useful bound. Fewer sums may be equal in all samples.
constexpr std::int64_t kFewTerms = 16, kFewSums = 4;
constexpr std::int64_t kMostAdditions = std::int64_t{1} << 27;
constexpr std::int64_t kMostRunElements = 4096;
// The largest number of elements that one run reads or writes, plus the products that it adds. It limits the cost.
constexpr double kMostWork = 0x1p26;

// True for discontinuous functions, whose errors may be zero in all samples, and for results that are not real but
// depend on real numbers, such as those of a comparison.
bool Jumps(const HloInstruction& instruction) {
  if (AcceptanceOf(instruction).jumps) return true;
  const bool has_real_operand = std::ranges::any_of(
      instruction.operands, [](const auto* operand) { return ShapeUtil::HasInexactLeaf(operand->shape); });
  return has_real_operand && instruction.op->role == OpRole::kOrdinary && !ShapeUtil::HasInexactLeaf(instruction.shape);
}

bool MayBeNarrowSum(const HloInstruction& instruction, const Profile& profile) {
  const Shape& shape = instruction.shape;
  if (!ShapeUtil::HasInexactLeaf(shape) || instruction.op->role != OpRole::kOrdinary) return false;
  const JudgedInstruction judged = {instruction, {}, profile, RuleOf(instruction, profile)};
  return judged.rule.acceptance == Acceptance::kSum &&
         MayBeNarrow(judged, shape.IsTuple() ? shape.tuple_shapes()[0].element_type() : shape.element_type());
}

// True if runs of the module can decide a verdict. They take the operands of products as they are.
bool IsWorthRunning(const HloModule& module, const Profile& profile) {
  bool has_sums = false;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (Jumps(*instruction) || PrecisionErrorsOf(*instruction, profile).operand_error > 0) return false;
      has_sums |= MayBeNarrowSum(*instruction, profile);
    }
  }
  return has_sums;
}

// One run, which replaces the results of its instructions.
class LawfulRun {
 public:
  LawfulRun(std::size_t order, const Profile& profile) : order_(order), disturbance_(order), operations_(profile) {}

  void Replace(const HloInstruction& instruction, std::span<const Literal> operands, Literal& result) {
    const JudgedInstruction* operation = operations_.Completed(instruction, operands);
    if (operation == nullptr) return;
    work_ += WorkOf(operation->operands, result);
    const bool is_sum = operation->rule.acceptance == Acceptance::kSum;
    if (!is_sum || !Sum(*operation, result)) DisturbLawfully(*operation, disturbance_, result);
    if (flushes_ && operation->arithmetic.flushes_subnormals) result = WithSubnormalsFlushed(result);
  }

  // True if the run flushes all subnormal numbers that it may flush; every other run does.
  bool flushes() const { return flushes_; }
  bool saw_choices() const { return disturbance_.saw_choices(); }
  bool saw_sums() const { return saw_sums_; }
  bool is_too_long() const {
    return work_ > kMostWork || additions_ > kMostAdditions / static_cast<std::int64_t>(AllSumOrders().size());
  }

 private:
  // Estimates the work of an instruction. For a product of two matrices, the root of the three sizes is the number of
  // products.
  static double WorkOf(std::span<const Literal> operands, const Literal& result) {
    double sum = static_cast<double>(result.element_count()), product = sum;
    for (const Literal& operand : operands) {
      sum += static_cast<double>(operand.element_count());
      product *= static_cast<double>(operand.element_count());
    }
    return operands.size() == 2 ? std::max(sum, std::sqrt(product)) : sum;
  }

  bool Sum(const JudgedInstruction& judged, Literal& result) {
    const std::size_t leaves = result.shape().IsTuple() ? result.elements().size() : 1;
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      const std::optional<NarrowSums> sums = NarrowSums::Of(judged, leaf);
      if (!sums || sums->term_count() < kFewTerms || sums->size() < kFewSums) return false;
      saw_sums_ = true;
      additions_ += sums->size() * sums->term_count();
      if (is_too_long()) return true;
      Literal all = sums->AddAll(order_, SplitMix(seed_ += kSplitMixStep), flushes_);
      (result.shape().IsTuple() ? result.mutable_elements()[leaf] : result) = std::move(all);
    }
    return true;
  }

  const std::size_t order_;
  Disturbance disturbance_;
  ExecutedOperations operations_;
  const bool flushes_ = order_ % 2 != 0;
  std::uint64_t seed_ = order_ << 32;
  std::int64_t additions_ = 0;
  double work_ = 0;
  bool saw_sums_ = false;
};

using Leaves = std::vector<const Literal*>;

void AddLeaves(const Literal& value, Leaves& leaves) {
  for (const Literal& element : value.elements()) AddLeaves(element, leaves);
  const bool is_real = value.shape().IsArray() && IsFloatingPointType(value.element_type());
  if (is_real) leaves.push_back(&value);
}

// The outputs of a module that follow from a narrow sum. The errors of functions alone may be biased.
class SummedOutputs {
 public:
  SummedOutputs(const HloModule& module, const Profile& profile) {
    const HloInstruction& root = *module.entry->root;
    is_tuple_ = root.op->role == OpRole::kTuple;
    const auto is_sum = [&](const HloInstruction& instruction) { return MayBeNarrowSum(instruction, profile); };
    const auto add = [&](const HloInstruction& output) { follow_.push_back(FindBefore(output, is_sum) != nullptr); };
    if (is_tuple_) {
      for (const HloInstruction* output : root.operands) add(*output);
    } else {
      add(root);
    }
  }

  // Returns the real arrays among these outputs.
  Leaves In(const Literal& outputs) const {
    Leaves leaves;
    for (std::size_t i = 0; i < follow_.size(); ++i) {
      if (follow_[i]) AddLeaves(is_tuple_ ? outputs.elements()[i] : outputs, leaves);
    }
    return leaves;
  }

 private:
  bool is_tuple_ = false;
  std::vector<bool> follow_;
};

// Returns at most kMostRunElements numbers of an array, evenly spread.
std::vector<double> SomeNumbers(const Literal& array) {
  const std::int64_t count = std::min(array.element_count(), kMostRunElements);
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < count; ++i) {
    numbers.push_back(RealValue(ComponentAt(array, i * array.element_count() / count)));
  }
  return numbers;
}

std::vector<Literal> Flushed(std::vector<Literal> values) {
  for (Literal& value : values) value = WithSubnormalsFlushed(value);
  return values;
}

}  // namespace

std::string FindUnlikeLawfulRuns(const HloModule& module, const std::vector<Literal>& arguments, const Literal& want,
                                 const Literal& got, const Profile& profile, const EvaluationLimits& limits) {
  if (!IsWorthRunning(module, profile)) return {};
  const SummedOutputs outputs(module, profile);
  const Leaves exact = outputs.In(want), actual = outputs.In(got);
  std::vector<LawfulSamples> samples;
  for (const Literal* leaf : exact) samples.emplace_back(leaf->element_type(), SomeNumbers(*leaf));
  for (std::size_t order = 0; order < AllSumOrders().size(); ++order) {
    LawfulRun run(order, profile);
    std::mutex mutex;
    EvaluationOptions options;
    options.limits = limits;
    options.disturb = [&](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result) {
      const std::lock_guard lock(mutex);
      run.Replace(instruction, operands, result);
    };
    const bool flushes = run.flushes() && profile.ArithmeticOf().flushes_subnormals;
    const Result<Literal> output = Evaluate(module, flushes ? Flushed(arguments) : arguments, options);
    if (!output || run.saw_choices() || !run.saw_sums() || run.is_too_long()) return {};
    const Leaves leaves = outputs.In(*output);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      samples[i].Add(SomeNumbers(*leaves[i]), AllSumOrders()[order].IsSequential());
    }
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::vector<double> numbers = SomeNumbers(*actual[i]);
    std::string fault = samples[i].Fault(numbers, LawfulSamples::Errors::kDependent);
    if (fault.empty()) fault = samples[i].FaultOfFarthest(numbers);
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace assay
