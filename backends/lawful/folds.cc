#include "backends/lawful/folds.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/lawful/arithmetic.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/extract.h"

namespace assay {
namespace {

// The most parts that a fold without separate terms is split into; each part costs an evaluation.
constexpr std::int64_t kMostFoldParts = 6;
constexpr std::int64_t kMostAccumulators = 16;

// Draws the result's type or a wider one. Excludes a type without zero, because a sum begins with zero.
PrimitiveType AccumulationType(PrimitiveType type, bool may_be_narrow, Noise& noise) {
  std::vector<PrimitiveType> types = {type, type, type};
  if ((BitWidth(type) <= 16 && !may_be_narrow) || !FloatFormatOf(type).has_zero) types.clear();
  if (BitWidth(type) < 32) types.push_back(F32);
  if (BitWidth(type) < 64) types.push_back(F64);
  return types[noise.Below(static_cast<std::int64_t>(types.size()))];
}

struct FoldProduct {
  double a = 0;
  double b = 1;
};

// The way in which all sums of one instruction are computed.
struct Manner {
  Arithmetic arithmetic;
  bool is_contracted;
  bool is_shuffled;
  std::int64_t accumulators;
  int kept_bits = 0;  // of each partial sum, the others are cut; 0: it is rounded to the type
};

// Cuts a number behind its first bits.
double KeepBits(double x, int bits) {
  int exponent;
  const double significand = std::frexp(x, &exponent);
  return std::ldexp(std::trunc(std::ldexp(significand, bits)), exponent - bits);
}

// Returns the number of bits that an error of at most `error` leaves of a number that is cut.
int BitsWithin(double error) { return static_cast<int>(std::ceil(1 - std::log2(error))); }

Manner AnyManner(PrimitiveType type, bool flushes, bool may_be_narrow, const SumAlgorithm& algorithm, Noise& noise) {
  const std::int64_t accumulators = noise.Chance(0.5) ? 1 : 1 + noise.Below(kMostAccumulators);
  Manner manner = {Arithmetic(AccumulationType(type, may_be_narrow, noise), flushes), noise.Chance(0.3),
                   noise.Chance(0.7), accumulators};
  if (algorithm.accumulator_roundoff > 0 && !flushes && noise.Chance(0.5)) {
    manner.kept_bits = BitsWithin(algorithm.accumulator_roundoff);
  }
  return manner;
}

// Gives operands the errors of a precision: cut or rounded to some bits, or each number its own error. A number of as
// few bits keeps its value.
void LosePrecision(double error, std::vector<ComplexNumber>& numbers, Noise& noise) {
  if (error == 0 || noise.Chance(0.3)) return;
  const int bits = BitsWithin(error);
  const std::int64_t kind = noise.Below(3);
  const auto lost = [&](double x) {
    if (!std::isfinite(x) || KeepBits(x, bits) == x) return x;
    if (kind == 0) return KeepBits(x, bits);
    if (kind == 1) return x + error * noise.Signed() * std::fabs(x);
    int exponent;
    const double significand = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(significand, bits)), exponent - bits);
  };
  for (ComplexNumber& number : numbers) number = {lost(number.real), lost(number.imaginary)};
}

double Sum(std::vector<FoldProduct>& products, const Manner& manner, Noise& noise) {
  const Arithmetic& arithmetic = manner.arithmetic;
  if (manner.is_shuffled) noise.Shuffle(products);
  std::vector<double> accumulators(manner.accumulators, 0);
  for (std::size_t i = 0; i < products.size(); ++i) {
    double& accumulator = accumulators[i % accumulators.size()];
    const auto [a, b] = products[i];
    if (manner.kept_bits > 0) {
      accumulator = KeepBits(accumulator + a * b, manner.kept_bits);
    } else {
      accumulator = manner.is_contracted ? arithmetic.MultiplyAdd(a, b, accumulator)
                                         : arithmetic.Add(accumulator, arithmetic.Multiply(a, b));
    }
  }
  double sum = accumulators[0];
  for (std::size_t i = 1; i < accumulators.size(); ++i) sum = arithmetic.Add(sum, accumulators[i]);
  return sum;
}

Literal SumInOrder(const HloInstruction& instruction, std::span<const Literal> operands, const SumTerms& terms,
                   bool flushes, bool may_be_narrow, const SumAlgorithm& algorithm, Noise& noise) {
  const PrimitiveType type = instruction.shape.element_type();
  const bool is_complex = IsComplexType(type);
  const Manner manner = AnyManner(ComplexComponentType(type), flushes, may_be_narrow, algorithm, noise);
  std::vector<ComplexNumber> lhs = ComplexNumbers(operands[terms.lhs_operand()]),
                             rhs = ComplexNumbers(operands[terms.rhs_operand()]);
  LosePrecision(algorithm.operand_error, lhs, noise);
  LosePrecision(algorithm.operand_error, rhs, noise);
  std::vector<ComplexNumber> sums;
  std::vector<FoldProduct> real, imaginary;
  std::vector<Term> sum;
  for (std::int64_t i = 0; i < ShapeUtil::ElementsIn(instruction.shape); ++i) {
    terms.At(i, sum);
    real.clear();
    imaginary.clear();
    for (const Term& term : sum) {
      const bool has_lhs = term.lhs != Term::kNone, has_rhs = term.rhs != Term::kNone;
      const ComplexNumber a = has_lhs ? lhs[term.lhs] : rhs[term.rhs],
                          b = has_rhs && has_lhs ? rhs[term.rhs] : ComplexNumber{1, 0};
      real.push_back({a.real, b.real});
      if (!is_complex) continue;
      imaginary.push_back({a.imaginary, b.real});
      if (!has_lhs || !has_rhs) continue;
      real.push_back({-a.imaginary, b.imaginary});
      imaginary.push_back({a.real, b.imaginary});
    }
    const double real_sum = Sum(real, manner, noise);
    sums.push_back({real_sum, is_complex ? Sum(imaginary, manner, noise) : 0});
  }
  return ArrayOf(instruction.shape, sums);
}

// The operation of a fold and its neutral number.
struct Folding {
  double neutral;
  double (Arithmetic::*combine)(double, double) const;
};
constexpr Folding kAdding = {-0.0, &Arithmetic::Add}, kMultiplying = {1, &Arithmetic::Multiply};

// Keeps the elements of part `part` and replaces the others with the neutral number.
Literal PartOf(const Literal& operand, const std::vector<std::int64_t>& parts, std::int64_t part, double neutral) {
  std::vector<double> reals = RealsOf(operand);
  const std::size_t components = reals.size() / std::max<std::size_t>(parts.size(), 1);
  for (std::size_t i = 0; i < reals.size(); ++i) {
    if (parts[i / components] != part) reals[i] = neutral;
  }
  return ArrayOf(operand.shape(), reals);
}

// Returns the operands that contain the terms: all folded operands of a fold, the left factors of sums of products.
std::vector<bool> OperandsWithTerms(const HloInstruction& instruction) {
  const bool is_fold = AcceptanceOf(instruction).rule == Acceptance::kCalled;
  std::vector<bool> has_terms;
  for (int i = 0; i < static_cast<int>(instruction.operands.size()); ++i) {
    const bool is_taken = is_fold ? i != AcceptanceOf(instruction).Fact<FoldFacts>().compared_operand : i == 0;
    has_terms.push_back(HasReals(instruction.operand(i).shape) && is_taken);
  }
  return has_terms;
}

// True if terms can be left out. 0 times infinity is NaN, and some formats have no zero.
bool CanLeaveOutTerms(std::span<const Literal> operands) {
  return std::ranges::all_of(operands, [](const Literal& operand) {
    if (!HasReals(operand.shape())) return true;
    if (!FloatFormatOf(ComplexComponentType(operand.element_type())).has_zero) return false;
    return std::ranges::all_of(RealsOf(operand), [](double x) { return std::isfinite(x); });
  });
}

// Deals the terms to parts, folds each part with the evaluator, and combines the results. Each step of a part rounds if
// the fold calls a computation; otherwise the part is exact.
std::optional<Literal> FoldParts(const HloInstruction& instruction, std::span<const Literal> operands,
                                 const Folding& folding, bool flushes, Noise& noise) {
  const HloInstruction* piece[] = {&instruction};
  const auto module = ExtractInstructions(piece);
  std::vector<Op> plain(module->computations.size());
  for (std::size_t i = 0; i < plain.size(); ++i) RoundEveryStep(*module->computations[i], plain[i]);
  const std::vector<bool> has_terms = OperandsWithTerms(instruction);
  const std::int64_t count = CanLeaveOutTerms(operands) ? 1 + noise.Below(kMostFoldParts) : 1;
  std::vector<std::vector<std::int64_t>> parts(operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::int64_t k = 0; has_terms[i] && k < operands[i].element_count(); ++k)
      parts[i].push_back(noise.Below(count));
  }
  const Arithmetic arithmetic(ComplexComponentType(instruction.shape.element_type()), flushes);
  std::vector<double> results;
  for (std::int64_t part = 0; part < count; ++part) {
    std::vector<Literal> arguments;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_split = has_terms[i] && count > 1;
      arguments.push_back(is_split ? PartOf(operands[i], parts[i], part, folding.neutral) : operands[i]);
    }
    const Result<Literal> result = EvaluateTogether(*module, {std::move(arguments)});
    if (!result) return std::nullopt;
    const std::vector<double> numbers = RealsOf(*result);
    if (part == 0) results.assign(numbers.size(), folding.neutral);
    for (std::size_t i = 0; i < results.size(); ++i) {
      results[i] = (arithmetic.*folding.combine)(results[i], numbers[i]);
    }
  }
  return ArrayOf(instruction.shape, results);
}

}  // namespace

void RoundEveryStep(HloComputation& computation, Op& plain) {
  HloInstruction& root = *computation.root;
  if (root.operands.size() != 2 || AcceptanceOf(root).folded == Acceptance::kExact) return;
  // A fold recognizes an op by the address of its record, so a copy hides the op.
  plain = *root.op;
  root.op = &plain;
}

std::optional<Literal> SumInSomeOrder(const HloInstruction& instruction, std::span<const Literal> operands,
                                      bool flushes, bool may_be_narrow, const SumAlgorithm& algorithm, Noise& noise) {
  if (!HasReals(instruction.shape)) return std::nullopt;
  const auto terms = instruction.shape.IsArray() ? SumTerms::Of(instruction, operands) : std::nullopt;
  if (terms && HasReals(operands[terms->lhs_operand()].shape()) && HasReals(operands[terms->rhs_operand()].shape())) {
    return SumInOrder(instruction, operands, *terms, flushes, may_be_narrow, algorithm, noise);
  }
  const bool is_narrow =
      instruction.shape.IsArray() && BitWidth(ComplexComponentType(instruction.shape.element_type())) <= 16;
  if (is_narrow && !may_be_narrow) return std::nullopt;
  return FoldParts(instruction, operands, kAdding, flushes, noise);
}

std::optional<Literal> ProductInSomeOrder(const HloInstruction& instruction, std::span<const Literal> operands,
                                          bool flushes, Noise& noise) {
  if (!HasReals(instruction.shape) || IsComplexType(instruction.shape.element_type())) return std::nullopt;
  return FoldParts(instruction, operands, kMultiplying, flushes, noise);
}

}  // namespace assay
