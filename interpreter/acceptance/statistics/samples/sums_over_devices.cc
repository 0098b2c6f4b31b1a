#include "interpreter/acceptance/statistics/samples/sums_over_devices.h"

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/statistics/disturbance.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/acceptance/statistics/samples/few_terms.h"
#include "interpreter/acceptance/statistics/sums/term_sizes.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// Types of fewer bits have few numbers: errors of their sums that are rounded away would not show.
bool IsSumOverDevices(const JudgedInstruction& judged) {
  if (judged.rule.acceptance != Acceptance::kSum || !judged.instruction.op->evaluation.depends_on_device) return false;
  return judged.operands.size() == 1 && IsRealArray(judged.operands[0]) &&
         IsFloatingPointType(judged.operands[0].element_type()) && BitWidth(judged.operands[0].element_type()) >= 16;
}

}  // namespace

void SumsOverDevices::See(std::size_t device, const HloInstruction& executed, const JudgedInstruction& judged) {
  if (!IsSumOverDevices(judged)) return;
  const std::size_t execution = executions_[{device, &executed}]++;
  std::vector<std::vector<double>>& of_executions = magnitudes_[&executed];
  if (of_executions.size() <= execution) of_executions.resize(execution + 1);
  std::vector<double>& magnitudes = of_executions[execution];
  const std::vector<double> terms = NumbersIn(judged.operands[0]);
  magnitudes.resize(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) magnitudes[i] += std::fabs(terms[i]);
}

std::optional<Literal> SumsOverDevices::ErrorsOf(const HloInstruction& executed, std::size_t execution,
                                                 const JudgedInstruction& judged, const Literal& result) const {
  if (!IsSumOverDevices(judged) || !IsRealArray(result) || devices_ >= kFewTerms) return std::nullopt;
  const auto known = magnitudes_.find(&executed);
  if (known == magnitudes_.end() || execution >= known->second.size()) return std::nullopt;
  std::vector<double> magnitudes = known->second[execution];
  const std::vector<double> own = NumbersIn(judged.operands[0]), sums = NumbersIn(result);
  if (magnitudes.size() != own.size()) return std::nullopt;
  for (std::size_t i = 0; i < own.size(); ++i) magnitudes[i] = std::max(magnitudes[i], std::fabs(own[i]));
  // An op that scatters the sums has some of them: the largest error counts for all.
  if (own.size() != sums.size()) magnitudes.assign(sums.size(), *std::ranges::max_element(magnitudes));
  const PrimitiveType type = result.element_type();
  Literal errors(ShapeUtil::MakeShape(F64, {result.element_count()}));
  const double terms = static_cast<double>(devices_) + 2;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double magnitude = std::max(magnitudes[i], std::fabs(sums[i]));
    if (!std::isfinite(magnitude)) return std::nullopt;
    const double rounded = UnitRoundoff(type) * magnitude + 2 * LostBelow(judged, type);
    if (magnitude > 0) errors.mutable_values<double>()[i] = terms * rounded;
  }
  return errors;
}

}  // namespace assay
