#include "interpreter/acceptance/sets/widen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/operand_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/lane_sum.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

PrimitiveType RealsInF64(PrimitiveType type) { return IsInexactType(type) ? F64 : type; }

PrimitiveType NumbersAsF64(PrimitiveType type) {
  return IsFloatingPointType(type) || IsIntegralType(type) ? F64 : type;
}

PrimitiveType WidenedValue(PrimitiveType type) {
  if (IsComplexType(type)) return C128;
  return IsFloatingPointType(type) ? F64 : type;
}

Literal MapReals(const Literal& value, double (*map)(double)) {
  if (!IsInexactType(value.element_type())) return value;
  Literal result = Literal::Uninitialized(ShapeUtil::ChangeElementType(value.shape(), F64));
  const PrimitiveType type = ComplexComponentType(value.element_type());
  const int components = ComponentCount(value.element_type());
  double* const out = result.mutable_values<double>().data();
  ParallelFor(value.element_count(), kComputedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t count = end - begin;
    std::vector<double> parts(components == 2 ? count * 2 : 0);
    double* const in = components == 2 ? parts.data() : out + begin;
    LoadReals(type, value.data() + begin * StorageBytes(value.element_type()), in, count * components);
    for (std::int64_t i = 0; i < count; ++i) {
      out[begin + i] = components == 2 ? map(in[2 * i]) + map(in[2 * i + 1]) : map(in[i]);
    }
  });
  return result;
}

Literal Widen(const Literal& value) {
  if (!value.shape().IsArray() || !IsInexactType(value.element_type())) return value;
  return NumbersOf(value);
}

// True if the wanted number may be the value rounded. It is not if an op has another meaning in another type:
// reduce-precision to a type's own width is an identity in that type, but rounds in f64.
bool RoundsTo(double value, RealElement want) {
  const FloatFormat& format = FloatFormatOf(want.type);
  const RealElement rounded = {want.type, RoundDouble(format, value)};
  if (rounded.bits == want.bits || (IsNan(rounded) && IsNan(want))) return true;
  // The value is itself rounded to f64, which may have produced a tie.
  return std::fabs(value - RealValue(want)) == std::fabs(value - RealValue(rounded));
}

// Returns an array of ones of the same shape, f64 or c128.
Literal OnesLike(const Literal& array) {
  Literal ones(array.shape());
  const std::int64_t parts = ComponentCount(array.element_type());
  auto* const values = reinterpret_cast<double*>(ones.mutable_data());
  for (std::int64_t i = 0; i < ones.element_count(); ++i) values[i * parts] = 1;
  return ones;
}

// Returns the least positive number of a non-negative array; infinity if there is none.
double LeastPositive(const Literal& numbers) {
  double least = INFINITY;
  for (const double x : numbers.values<double>()) least = x > 0 && x < least ? x : least;
  return least;
}

// Evaluates a sum of products with the result type f32 instead of its own.
std::optional<Literal> SumsInF32(const HloInstruction& instruction, PrimitiveType (*retype)(PrimitiveType),
                                 std::vector<Literal> operands) {
  const std::optional<Literal> sums = EvaluateAlone(instruction, std::move(operands), {}, retype, F32);
  if (!sums) return std::nullopt;
  return NumbersOf(*sums);
}

template <class Convert>
std::optional<Literal> EvaluateRetyped(const HloInstruction& instruction, std::span<const Literal> operands,
                                       PrimitiveType (*retype)(PrimitiveType), const Convert& convert) {
  std::vector<Literal> arguments;
  const auto is_unread = AcceptanceOf(instruction).is_unread;
  for (const Literal& operand : operands) {
    const std::size_t number = arguments.size();
    arguments.push_back(convert(operand, number));
    if (is_unread != nullptr && is_unread(instruction, number)) arguments.back() = OnesLike(arguments.back());
  }
  return EvaluateAlone(instruction, std::move(arguments), {}, retype);
}

// Returns the sum of the numbers of a large array, mapped, if the instruction adds them up to one element: rounded once
// to f64. To fill an array of f64 with the mapped numbers would take longer than to add them up.
std::optional<Literal> SumOfLarge(const HloInstruction& instruction, std::span<const Literal> operands,
                                  double (*map)(double)) {
  constexpr std::int64_t kLarge = 1 << 20, kPiece = 1 << 18, kRow = 1024;
  if (AcceptanceOf(instruction).terms != SumTerms::OfReduction || !CountOfTerms(instruction, operands)) return {};
  const Literal& array = operands[0];
  const std::int64_t count = array.element_count();
  if (ShapeUtil::ElementsIn(instruction.shape) != 1 || count < kLarge) return {};
  const PrimitiveType type = array.element_type();
  std::vector<LaneSum> pieces(static_cast<std::size_t>((count - 1) / kPiece + 1));
  ParallelFor(count, kPiece, [&](std::int64_t begin, std::int64_t end) {
    LaneSums sums(kRow);
    std::array<double, kRow> row;
    for (std::int64_t at = begin; at < end; at += kRow) {
      const std::int64_t size = std::min(kRow, end - at);
      LoadReals(type, array.data() + at * StorageBytes(type), row.data(), size);
      for (double& number : std::span(row).first(size)) number = map(number);
      sums.AddToFirst(row.data(), size);
    }
    sums.MergeInto(1);
    pieces[static_cast<std::size_t>(begin / kPiece)] = sums.lane(0);
  });
  LaneSums sum(1);
  sum.AddTo(0, map(NumberAt(operands[1], 0)));
  for (const LaneSum& piece : pieces) sum.Merge(0, piece);
  Literal result = Literal::Uninitialized(ShapeUtil::ChangeElementType(instruction.shape, F64));
  sum.Store(F64, result.mutable_data(), [&](std::int64_t, ExactSum& exact) {
    const auto add = [&](std::span<const double> numbers) {
      for (const double number : numbers) exact.Add(map(number));
      return true;
    };
    for (const Literal& operand : operands) AllBlocks(operand, add);
  });
  return result;
}

}  // namespace

bool MultipliesIntegers(const HloInstruction& instruction) {
  const auto terms = AcceptanceOf(instruction).terms;
  const auto is_integer = [](const HloInstruction* operand) { return IsIntegralType(operand->shape.element_type()); };
  return (terms == SumTerms::OfProduct || terms == SumTerms::OfConvolution) && instruction.operands.size() == 2 &&
         IsFloatingPointType(instruction.shape.element_type()) && std::ranges::any_of(instruction.operands, is_integer);
}

bool AddsProducts(const HloInstruction& instruction) {
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  const auto is_real = [](const HloInstruction* operand) { return IsFloatingPointType(operand->shape.element_type()); };
  return acceptance.rule == Acceptance::kSum && acceptance.image != nullptr && instruction.operands.size() == 2 &&
         IsFloatingPointType(instruction.shape.element_type()) && std::ranges::all_of(instruction.operands, is_real);
}

std::optional<Literal> QuickSumsOfProducts(const HloInstruction& instruction, std::span<const Literal> operands) {
  std::optional<Literal> sums = SumsInF32(instruction, RealsInF64, {operands.begin(), operands.end()});
  if (!sums) return std::nullopt;
  const double least_normal = LeastNormal(F32);
  const auto numbers = sums->values<double>();
  const bool is_small = std::ranges::any_of(numbers, [=](double x) { return x < least_normal; });
  if (is_small && LeastPositive(operands[0]) * LeastPositive(operands[1]) < least_normal) return std::nullopt;
  const bool is_large = std::ranges::any_of(numbers, [](double x) { return std::isinf(x); });
  if (is_large && std::ranges::all_of(operands, IsFinite)) return std::nullopt;
  return sums;
}

std::optional<Literal> EvaluateInF64(const HloInstruction& instruction, std::span<const Literal> operands,
                                     double (*map)(double)) {
  if (MultipliesIntegers(instruction)) {
    return EvaluateRetyped(instruction, operands, NumbersAsF64,
                           [&](const Literal& operand, std::size_t) { return MapReals(NumbersOf(operand), map); });
  }
  const auto is_compared = [&](std::size_t number) {
    return static_cast<int>(number % instruction.operands.size()) ==
           AcceptanceOf(instruction).Fact<FoldFacts>().compared_operand;
  };
  const auto convert = [&](const Literal& operand, std::size_t number) {
    return is_compared(number) ? Widen(operand) : MapReals(operand, map);
  };
  if (AddsProducts(instruction) && BitWidth(instruction.shape.element_type()) <= 32) {
    const std::vector<Literal> mapped = {convert(operands[0], 0), convert(operands[1], 1)};
    if (std::optional<Literal> sums = QuickSumsOfProducts(instruction, mapped)) return sums;
  }
  if (std::optional<Literal> sum = SumOfLarge(instruction, operands, map)) return sum;
  return EvaluateRetyped(instruction, operands, RealsInF64, convert);
}

std::optional<Literal> NumbersInF64(const HloInstruction& instruction, std::span<const Literal> operands) {
  return EvaluateRetyped(instruction, operands, NumbersAsF64, [](const Literal& operand, std::size_t) {
    const PrimitiveType type = operand.element_type();
    return NumbersAsF64(type) == type ? operand : NumbersOf(operand);
  });
}

std::optional<double> ExactResult::InF32(const Literal& want, std::int64_t component) {
  if (!adds_products_) return std::nullopt;
  if (want.element_type() == F32) return want.values<float>()[component];
  const auto same = [](PrimitiveType type) { return type; };
  if (!in_f32_) in_f32_ = SumsInF32(instruction_, same, {operands_.begin(), operands_.end()});
  if (!*in_f32_) return std::nullopt;
  return (*in_f32_)->values<double>()[component];
}

std::optional<double> ExactResult::At(std::span<const std::int64_t> tuple_index, const Literal& want,
                                      std::int64_t component) {
  const PrimitiveType leaf = want.element_type();
  if (WidenedValue(leaf) == leaf) return std::nullopt;
  if (const std::optional<double> sum = InF32(want, component); sum && std::isfinite(*sum)) return sum;
  if (!widened_) {
    widened_ = SumOfLarge(instruction_, operands_, [](double number) { return number; });
    if (!*widened_) {
      widened_ = EvaluateRetyped(instruction_, operands_, WidenedValue,
                                 [](const Literal& operand, std::size_t) { return Widen(operand); });
    }
  }
  if (!*widened_) return std::nullopt;
  const Literal* part = &**widened_;
  for (const std::int64_t i : tuple_index) part = &part->elements()[i];
  return RealValue(ComponentAt(*part, component));
}

std::string ExactElement(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                         std::int64_t offset) {
  const PrimitiveType type = instruction.shape.element_type();
  if (!IsInexactType(type) || WidenedValue(type) == type) return {};
  const HloInstruction* piece[] = {&instruction};
  const auto module = ExtractInstructions(piece, WidenedValue);
  const Kernel kernel = module->entry->root->op->evaluation.kernel(*module->entry->root);
  if (!kernel) return {};
  std::vector<Literal> widened;
  std::vector<const std::byte*> inputs;
  for (const Literal& operand : operands) {
    widened.push_back(Widen(operand));
    const std::int64_t at = operand.element_count() == 1 ? 0 : offset;
    inputs.push_back(widened.back().data() + at * StorageBytes(widened.back().element_type()));
  }
  double parts[2] = {};
  kernel(inputs, reinterpret_cast<std::byte*>(parts), 1);
  for (int i = 0; i < ComponentCount(type); ++i) {
    if (!RoundsTo(parts[i], ComponentAt(want, ComponentCount(type) * offset + i))) return {};
  }
  return IsComplexType(type) ? fmt::format("({:.17g}, {:.17g})", parts[0], parts[1]) : fmt::format("{:.17g}", parts[0]);
}

}  // namespace assay
