#include "backends/lawful/noisy_results.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>

#include "backends/lawful/algorithms/algorithms.h"
#include "backends/lawful/folds.h"
#include "backends/lawful/functions.h"
#include "backends/lawful/noisy_numbers.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/statistics/sums/promised_order.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// The probability of the exact sum where a profile promises an order.
constexpr double kExactSum = 0.1;

bool HasRunTimeSizes(const Literal& value) {
  return value.has_dynamic_sizes() || std::ranges::any_of(value.elements(), HasRunTimeSizes);
}

bool IsPromised(const Literal& value) {
  return value.promise() != nullptr || std::ranges::any_of(value.elements(), IsPromised);
}

// True for an instruction that computes numbers itself and does not only move them.
bool Computes(const HloInstruction& instruction, const RuleChoice& rule) {
  if (AcceptanceOf(instruction).walk != nullptr) return false;
  const bool has_real_operand = std::ranges::any_of(
      instruction.operands, [](const HloInstruction* operand) { return ShapeUtil::HasInexactLeaf(operand->shape); });
  if (!has_real_operand) return false;
  if (rule.acceptance != Acceptance::kExact) return true;
  const PrimitiveType type = instruction.shape.IsArray() ? instruction.shape.element_type() : PRIMITIVE_TYPE_INVALID;
  return instruction.op->evaluation.kernel != nullptr && (type == PRED || HasReals(instruction.shape));
}

Result<Literal> Reference(const HloInstruction& instruction, std::vector<Literal> operands,
                          const EvaluationOptions& options = {}) {
  const HloInstruction* piece[] = {&instruction};
  const auto module = ExtractInstructions(piece);
  module->replica_count = module->num_partitions = 1;
  return EvaluateTogether(*module, {std::move(operands)}, options);
}

bool AllFinite(std::span<const Literal> values) {
  return std::ranges::all_of(values, [](const Literal& value) {
    if (!HasReals(value.shape())) return AllFinite(value.elements());
    return std::ranges::all_of(RealsOf(value), [](double x) { return std::isfinite(x); });
  });
}

// Permutes the rows of an array along a dimension, each slice in its own order.
Literal Permuted(const Literal& array, std::int64_t dimension, const std::vector<std::vector<std::int64_t>>& orders) {
  Literal result = array;
  const Dimensions& dimensions = array.shape().dimensions();
  const std::int64_t length = dimensions[dimension], inner = Product(std::span(dimensions).subspan(dimension + 1));
  const int bytes = StorageBytes(array.element_type());
  std::byte* out = result.mutable_data();
  for (std::size_t slice = 0; slice < orders.size(); ++slice) {
    const auto at = [&](std::int64_t row) {
      const auto number = static_cast<std::int64_t>(slice);
      return ((number / inner * length + row) * inner + number % inner) * bytes;
    };
    for (std::int64_t row = 0; row < length; ++row) {
      std::memcpy(out + at(row), array.data() + at(orders[slice][row]), bytes);
    }
  }
  return result;
}

// Replaces the sums that a profile promises by the promised or the exact ones.
void KeepPromises(PromisedSums& promised, const Literal& exact, Place place, Noise& noise, Literal& sums) {
  for (std::size_t i = 0; i < sums.elements().size(); ++i) {
    Place part = place;
    part.tuple_index.push_back(static_cast<std::int64_t>(i));
    KeepPromises(promised, exact.elements()[i], std::move(part), noise, sums.mutable_elements()[i]);
  }
  if (!HasReals(sums.shape()) || IsComplexType(sums.element_type())) return;
  std::vector<double> reals = RealsOf(sums);
  for (place.offset = 0; place.offset < sums.element_count(); ++place.offset) {
    const std::optional<PromisedSums::Sum> sum = promised.At(exact, place);
    if (!sum) continue;
    reals[place.offset] = noise.Chance(kExactSum) ? RealValue(ComponentAt(exact, place.offset)) : sum->value;
  }
  sums = ArrayOf(sums.shape(), reals);
}

Literal WithOperandFlushed(const Literal& operand) {
  return MayFlush(ComplexComponentType(operand.element_type())) ? WithSubnormalsFlushed(operand) : operand;
}

}  // namespace

const NoisyResults::Row NoisyResults::kRows[] = {
    {"none", &NoisyResults::Unchanged},
    {"approximation", &NoisyResults::Approximated},
    {"order of terms", &NoisyResults::Summed},
    {"order of factors", &NoisyResults::Multiplied},
    {"algorithm", &NoisyResults::ByAlgorithm},
    {"order of ties", &NoisyResults::Reordered, /*is_all=*/true},
    {"other numbers", &NoisyResults::DrawnAgain, /*is_all=*/true},
};

const NoisyResults::Row* NoisyResults::RowOf(std::string_view noise) {
  const Row* row = std::ranges::find(kRows, noise, &Row::noise);
  return row == std::end(kRows) ? nullptr : row;
}

bool NoisyResults::Knows(std::string_view noise) { return RowOf(noise) != nullptr; }

void NoisyResults::Replace(const HloInstruction& instruction, std::span<const Literal> operands, Literal& result) {
  if (!profile_.AllowsAnything() || instruction.op->role != OpRole::kOrdinary) return;
  if (IsPromised(result) || HasRunTimeSizes(result) || std::ranges::any_of(operands, HasRunTimeSizes)) return;
  const RuleChoice rule = RuleOf(instruction, profile_);
  // An instruction that is judged step by step has the noise of its steps, and none of its own.
  if (rule.acceptance == Acceptance::kCalled && AcceptanceOf(instruction).steps != nullptr) return;
  const Row& row = *RowOf(RecordOf(rule.acceptance).noise);
  if (row.is_all) {
    result = (this->*row.compute)({instruction, operands, result, rule, false});
    return;
  }
  if (const auto widening = widenings_.find(&instruction); widening != widenings_.end()) {
    if (!widening->second) return;
    if (auto exact = Reference(instruction, {WithOperandFlushed(operands[0])})) result = *std::move(exact);
    return;
  }
  if (instruction.op->evaluation.depends_on_device || !Computes(instruction, rule)) return;
  const bool flushes = profile_.ArithmeticOf(instruction.op->name).flushes_subnormals && noise_.Chance(kFlushes);
  std::vector<Literal> seen(operands.begin(), operands.end());
  if (flushes) {
    for (Literal& operand : seen) operand = WithOperandFlushed(operand);
    if (auto exact = Reference(instruction, seen)) result = *std::move(exact);
  }
  Literal noisy = (this->*row.compute)({instruction, seen, result, rule, flushes});
  NoisyNumbers(profile_, instruction, seen, flushes, noise_).Replace(noisy, result);
  result = std::move(noisy);
}

Literal NoisyResults::Unchanged(const Piece& piece) { return piece.exact; }

Literal NoisyResults::Approximated(const Piece& piece) {
  const auto& [instruction, operands, exact, rule, flushes] = piece;
  if (!HasReals(exact.shape())) return exact;
  const FunctionRange range = profile_.ArithmeticOf(instruction.op->name).leaves_ranges
                                  ? FunctionRange()
                                  : AcceptanceOf(instruction).Fact<FunctionRange>();
  return Approximate(instruction, operands, exact, rule, range, noise_);
}

Literal NoisyResults::Summed(const Piece& piece) {
  const JudgedInstruction judged = {piece.instruction, piece.operands, profile_, piece.rule};
  const bool may_be_narrow = judged.arithmetic.keeps_narrow_sums;
  // Numbers that an algorithm does not hold may become anything: operands with its errors are no noise.
  const Profile::Precision* precision = PrecisionOf(piece.instruction, profile_);
  const SumAlgorithm algorithm = precision == nullptr ? SumAlgorithm{} : precision->algorithm;
  std::optional<Literal> sums =
      SumInSomeOrder(piece.instruction, piece.operands, piece.flushes, may_be_narrow, algorithm, noise_);
  if (!sums) return piece.exact;
  PromisedSums promised(judged);
  if (PromisedSums::Apply(judged)) KeepPromises(promised, piece.exact, {}, noise_, *sums);
  return *std::move(sums);
}

Literal NoisyResults::Multiplied(const Piece& piece) {
  return ProductInSomeOrder(piece.instruction, piece.operands, piece.flushes, noise_).value_or(piece.exact);
}

Literal NoisyResults::ByAlgorithm(const Piece& piece) {
  const auto& [instruction, operands, exact, rule, flushes] = piece;
  const Algorithm algorithm = FindAlgorithm(instruction.op->name);
  // Algorithms guarantee nothing for numbers that are not finite. All results of these ops have one element type.
  if (algorithm == nullptr || !AllFinite(operands) || !AllFinite({&exact, 1})) return exact;
  const Shape& shape = exact.shape().IsTuple() ? exact.shape().tuple_shapes()[0] : exact.shape();
  const PrimitiveType type = ComplexComponentType(shape.element_type());
  const bool is_wide = BitWidth(type) < 64 && noise_.Chance(0.2);
  return algorithm(instruction, operands, Arithmetic(is_wide ? F64 : type, flushes), noise_);
}

Literal NoisyResults::DrawnAgain(const Piece& piece) {
  EvaluationOptions options;
  options.random_state = {noise_.Bits(), noise_.Bits()};
  auto drawn = Reference(piece.instruction, {piece.operands.begin(), piece.operands.end()}, options);
  return drawn ? *std::move(drawn) : piece.exact;
}

Literal NoisyResults::Reordered(const Piece& piece) {
  const auto& [sort, operands, exact, rule, flushes] = piece;
  const auto [dimension, is_stable, comparator] = AcceptanceOf(sort).Fact<RowOrderFunction>()(sort);
  if (is_stable) return exact;
  const std::int64_t length = operands[0].shape().dimensions(dimension);
  std::vector<std::vector<std::int64_t>> orders(length == 0 ? 0 : operands[0].element_count() / length);
  for (std::vector<std::int64_t>& order : orders) {
    order.resize(length);
    std::iota(order.begin(), order.end(), 0);
    noise_.Shuffle(order);
  }
  std::vector<Literal> rows;
  for (const Literal& operand : operands) rows.push_back(Permuted(operand, dimension, orders));
  Result<Literal> sorted = Reference(sort, std::move(rows));
  return sorted ? *std::move(sorted) : exact;
}

}  // namespace assay
