#include "conformance/tracing/ranges.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "conformance/tracing/float_event.h"
#include "conformance/tracing/own_work.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/parts.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// The magnitudes at which the numbers of a type change their kind.
struct TypeLimits {
  explicit TypeLimits(PrimitiveType type)
      : type(type),
        has_subnormals(FloatFormatOf(type).has_subnormals),
        half_of_least(SmallestSubnormal(type) / 2),
        least_normal(LeastNormal(type)),
        unit(SmallestSubnormal(type)) {}

  void Count(double number, TypeFit& fit) const {
    const double magnitude = std::fabs(number);
    if (Overflows(type, number)) {
      ++fit.overflows;
    } else if (magnitude == 0) {
      return;
    } else if (magnitude <= half_of_least) {  // a tie rounds to zero, which is even
      ++fit.zeros;
    } else if (has_subnormals && magnitude < least_normal - unit / 2) {
      ++fit.subnormals;
    }
  }

  PrimitiveType type;
  bool has_subnormals;
  double half_of_least, least_normal, unit;
};

class RangeFinder {
 public:
  explicit RangeFinder(std::span<const PrimitiveType> types) : types_(types.begin(), types.end()) {}

  void AddExecution(const HloInstruction& instruction, const Literal& result) {
    const auto [known, is_new] = numbers_.insert({&instruction, ranges_.size()});
    if (is_new) {
      ranges_.emplace_back().instruction = &instruction;
      for (const TypeLimits& limits : types_) ranges_.back().fits.push_back({limits.type});
    }
    ValueRange& range = ranges_[known->second];
    ++range.executions;
    AddValue(result, range);
  }

  std::vector<ValueRange> Take() && {
    std::erase_if(ranges_, [](const ValueRange& range) { return range.numbers == 0; });
    return std::move(ranges_);
  }

  // Adds constants when they are first used.
  void AddConstants(const HloInstruction& user) {
    for (const HloInstruction* operand : user.operands) {
      if (operand->op->role != OpRole::kConstant || numbers_.contains(operand)) continue;
      AddExecution(*operand, *operand->literal);
    }
  }

 private:
  void AddValue(const Literal& value, ValueRange& range) const {
    for (const Literal& element : value.elements()) AddValue(element, range);
    const bool has_elements = value.shape().IsArray() && value.promise() == nullptr;
    if (!has_elements || !IsInexactType(value.element_type())) return;
    for (const double number : LoadParts(value)) AddNumber(number, range);
  }

  void AddNumber(double number, ValueRange& range) const {
    ++range.numbers;
    if (!std::isfinite(number)) {
      ++(std::isnan(number) ? range.nans : range.infinities);
      return;
    }
    range.least = std::min(range.least, number);
    range.largest = std::max(range.largest, number);
    if (number != 0) range.least_magnitude = std::min(range.least_magnitude, std::fabs(number));
    for (std::size_t i = 0; i < types_.size(); ++i) types_[i].Count(number, range.fits[i]);
  }

  std::vector<TypeLimits> types_;
  std::vector<ValueRange> ranges_;
  std::map<const HloInstruction*, std::size_t> numbers_;  // indices of ranges
};

}  // namespace

Result<std::vector<ValueRange>> FindRanges(const HloModule& module, std::span<const DeviceValues> runs,
                                           std::span<const PrimitiveType> types, const EvaluationLimits& limits) {
  RangeFinder finder(types);
  OwnWork work(module, [&](const Execution& execution) {
    finder.AddConstants(*execution.instruction);
    finder.AddExecution(*execution.instruction, execution.result);
  });
  EvaluationOptions evaluation;
  evaluation.limits = limits;
  evaluation.on_execution = [&](const ExecutedInstruction& executed) { work.Observe(executed); };
  for (const DeviceValues& arguments : runs) {
    for (const std::vector<Literal>& of_device : arguments) {
      for (const HloInstruction* parameter : module.entry->Parameters()) {
        finder.AddExecution(*parameter, of_device[parameter->parameter_number]);
      }
    }
    ASSAY_TRY([[maybe_unused]] const Literal output, EvaluateTogether(module, arguments, evaluation));
    work.End();
  }
  return std::move(finder).Take();
}

}  // namespace assay
