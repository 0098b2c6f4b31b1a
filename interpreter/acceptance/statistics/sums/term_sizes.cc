#include "interpreter/acceptance/statistics/sums/term_sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/operand_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/acceptance/statistics/disturbance.h"

namespace assay {
namespace {

double FiniteMagnitude(double x) {
  const double magnitude = std::fabs(x);
  return magnitude <= std::numeric_limits<double>::max() ? magnitude : 0;
}

double One(double) { return 1; }
double OneUnlessZero(double x) { return x == 0 ? 0 : 1; }

// The real numbers of an operand, of which a complex one has two; none for integers, which are places.
double CountOfNumbers(const Literal& operand) {
  if (!operand.shape().IsArray() || !IsInexactType(operand.element_type())) return 0;
  return static_cast<double>(operand.element_count() * ComponentCount(operand.element_type()));
}
double CountOfNonZeros(const Literal& operand) {
  if (CountOfNumbers(operand) == 0) return 0;
  const Literal numbers = NumbersOf(operand);
  return static_cast<double>(std::ranges::count_if(ComponentsIn(numbers), [](double x) { return x != 0; }));
}

// True if zeros are so many that they are not counted. Fewer change little, and to count the others takes a sum more.
bool HasManyZeros(const Literal& operand) {
  constexpr double kMany = 1.0 / 8;
  const double all = CountOfNumbers(operand);
  return all - CountOfNonZeros(operand) > kMany * all;
}

// True for an initial value of a fold.
bool IsStart(const JudgedInstruction& judged, const Literal& operand) {
  const bool is_fold = AcceptanceOf(judged.instruction).rule == Acceptance::kCalled;
  return is_fold && &operand != judged.operands.data() && operand.shape().rank() == 0;
}

}  // namespace

bool HasManyZeroTerms(const JudgedInstruction& judged) {
  return std::ranges::any_of(
      judged.operands, [&](const Literal& operand) { return !IsStart(judged, operand) && HasManyZeros(operand); });
}

std::optional<TermSizes::Of> TermSizes::At(const Place& place) {
  if (!AreKnown()) return std::nullopt;
  const auto at = [&](const Literal& result) { return place.LeafOf(result).values<double>()[place.offset]; };
  Of terms{count_ ? *count_ : at(*counts_), at(*magnitudes_), 0, tile_};
  // Any of them may be flushed: at most all of them are missing.
  if (normal_magnitudes_) terms.flushed = terms.magnitude - at(*normal_magnitudes_);
  return terms;
}

bool TermSizes::AreKnown() {
  if (!is_evaluated_) Evaluate();
  return magnitudes_ && (counts_ || count_);
}

double TermSizes::LargestCount() const { return count_ ? *count_ : LargestValue(*counts_); }

bool TermSizes::IsUnread(std::size_t operand) const {
  const auto is_unread = AcceptanceOf(judged_.instruction).is_unread;
  return is_unread != nullptr && is_unread(judged_.instruction, operand);
}

double TermSizes::ScaledUnderflow() const {
  if (judged_.operands.size() < 3 || is_fold_) return 0;
  double lost = 0, largest[2] = {1, 1};
  for (std::size_t k = 0; k < judged_.operands.size(); ++k) {
    const PrimitiveType type = ComplexComponentType(judged_.operands[k].element_type());
    if (!IsInexactType(type)) return 0;
    if (IsUnread(k)) continue;
    largest[k % 2] *= LargestValue(judged_.operands[k]);
    lost = std::max(lost, LostBelow(judged_, type));
  }
  return lost * (largest[0] + largest[1]);
}

void TermSizes::Evaluate() {
  is_evaluated_ = true;
  magnitudes_ = EvaluateInF64(judged_.instruction, judged_.operands, FiniteMagnitude);
  TakeCounts();
  has_infinities_ = !std::ranges::all_of(judged_.operands, IsFinite);
  if (judged_.arithmetic.flushes_subnormals) TakeFlushedOperands();
  TakeTiles();
  if (!is_fold_) quantum_ = 1;
  for (std::size_t k = 0; k < judged_.operands.size(); ++k) {
    if (IsUnread(k) || (is_fold_ && CountOfNumbers(judged_.operands[k]) == 0)) continue;
    const double own = QuantumOf(judged_.operands[k]);
    quantum_ = is_fold_ ? std::min(quantum_, own) : quantum_ * own;
  }
}

// A transform adds numbers that a sum does not: there zeros count. A kernel for products of dequantized numbers
// multiplies the integers, and their sum by both scales: to one product that costs as many roundings as to two.
void TermSizes::TakeCounts() {
  constexpr double kLeastProducts = 2;
  const std::span<const Literal> operands = judged_.operands;
  const auto is_start = [&](const Literal& operand) { return IsStart(judged_, operand); };
  const bool is_transformed = PrecisionErrorsOf(judged_.instruction, judged_.profile).transform_error != 0;
  const bool has_many_zeros = !is_transformed && HasManyZeroTerms(judged_);
  const std::optional<double> all = CountOfTerms(judged_.instruction, operands);
  if (!has_many_zeros) count_ = all;
  const auto one = has_many_zeros || (is_fold_ && !count_ && !is_transformed) ? OneUnlessZero : One;
  if (!count_) counts_ = EvaluateInF64(judged_.instruction, operands, one);
  if (counts_ && has_many_zeros && !is_fold_) {
    const auto every = all ? std::nullopt : EvaluateInF64(judged_.instruction, operands, One);
    const std::span<double> counts = counts_->mutable_values<double>();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double most = all ? *all : every ? every->values<double>()[i] : 0;
      counts[i] = std::max(counts[i], std::min(most, kLeastProducts));
    }
  }
  if (!is_fold_) return;
  for (const Literal& operand : operands) {
    if (is_start(operand)) {
      starts_ += CountOfNonZeros(operand);
    } else {
      numbers_ += one == One ? CountOfNumbers(operand) : CountOfNonZeros(operand);
    }
  }
  if (count_) *count_ += starts_ - 1;  // CountOfTerms counts the initial value
}

// The sum of weights is that of the output with the largest one.
void TermSizes::TakeTiles() {
  const bool is_convolution = AcceptanceOf(judged_.instruction).terms == SumTerms::OfConvolution;
  if (!is_convolution || PrecisionErrorsOf(judged_.instruction, judged_.profile).transform_error == 0) return;
  std::vector<Literal> operands(judged_.operands.begin(), judged_.operands.end());
  Literal largest(ShapeUtil::ChangeElementType(operands[0].shape(), F64));
  std::ranges::fill(largest.mutable_values<double>(), LargestMagnitude(operands[0]));
  operands[0] = std::move(largest);
  if (const auto sums = EvaluateInF64(judged_.instruction, operands, FiniteMagnitude)) tile_ = LargestValue(*sums);
}

void TermSizes::TakeFlushedOperands() {
  std::vector<Literal> operands;
  for (const Literal& operand : judged_.operands) operands.push_back(WithSubnormalsFlushed(operand));
  const bool is_same = std::ranges::equal(operands, judged_.operands, &Literal::BitwiseEqual);
  if (!is_same) normal_magnitudes_ = EvaluateInF64(judged_.instruction, operands, FiniteMagnitude);
}

double LostBelow(const JudgedInstruction& judged, PrimitiveType type) {
  const bool flushes = judged.arithmetic.flushes_subnormals && MayBeFlushed(type);
  return flushes ? LeastNormal(type) : SmallestSubnormal(type);
}

}  // namespace assay
