#include "conformance/orders/sum_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/hlo/op.h"
#include "interpreter/numerics/round.h"

namespace assay {
namespace {

// Accumulators of narrow types and of f32 have at most 24 bits, unless they are exact or f64.
constexpr int kAccumulatorBits = 24;
// The distance between mask and unit in types with a large range, in powers of two. It hides a unit beneath a mask in
// accumulators of f64, and leaves room for products.
constexpr int kMostDistance = 100;

bool IsRealArray(const Shape& shape) {
  return shape.IsArray() && IsFloatingPointType(shape.element_type()) && ShapeUtil::ElementsIn(shape) > 0;
}

Literal FilledWith(const Shape& shape, double number) {
  Literal literal(shape);
  const std::vector<double> numbers(static_cast<std::size_t>(literal.element_count()), number);
  StoreReals(shape.element_type(), numbers.data(), literal.mutable_data(), literal.element_count());
  return literal;
}

void Store(Literal& literal, std::int64_t offset, double number) {
  const PrimitiveType type = literal.element_type();
  StoreReals(type, &number, literal.mutable_data() + offset * StorageBytes(type), 1);
}

Error NoSum(std::string_view why) {
  return {ErrorCode::kUnsupported, fmt::format("the order of the sum cannot be seen: {}", why)};
}

}  // namespace

SumProbe::SumProbe(std::unique_ptr<Executable> executable, const HloModule& module, std::int64_t element)
    : executable_(std::move(executable)), devices_(module.device_count()) {
  for (const HloInstruction* parameter : module.entry->Parameters()) parameters_.push_back(parameter->shape);
  const Shape& result = module.entry->root->shape;
  element_ = element < 0 ? ShapeUtil::ElementsIn(result) - 1 : element;
  term_type_ = parameters_[0].element_type();
  result_type_ = result.element_type();
  has_factor_ = parameters_.size() > 1;
}

Result<SumProbe> SumProbe::Open(Backend& backend, const HloModule& module, std::int64_t element) {
  const std::vector<const HloInstruction*> parameters = module.entry->Parameters();
  const Shape& result = module.entry->root->shape;
  const auto is_real = [](const HloInstruction* parameter) { return IsRealArray(parameter->shape); };
  if (parameters.empty() || !std::ranges::all_of(parameters, is_real)) {
    return NoSum("every parameter must be an array of a floating type, and the first one holds the terms");
  }
  if (!IsRealArray(result)) return NoSum("the result must be an array of a floating type");
  if (element >= ShapeUtil::ElementsIn(result)) {
    return NoSum(fmt::format("element {} of a result of {} elements", element, ShapeUtil::ElementsIn(result)));
  }
  ASSAY_TRY(std::unique_ptr<Executable> executable, backend.Compile(module));
  SumProbe probe(std::move(executable), module, element);
  ASSAY_TRY(const double nothing, probe.RunElements(probe.Arguments(1)));
  if (nothing != 0) return NoSum(fmt::format("the sum of zeros is {}", nothing));
  for (std::int64_t device = 0; device < probe.devices_; ++device) {
    ASSAY_CHECK_OK(probe.FindTerms(device, 0, ShapeUtil::ElementsIn(parameters[0]->shape)));
  }
  if (probe.places_.empty()) return NoSum("no element of the first parameter reaches the result");
  ASSAY_CHECK_OK(probe.ChooseMask());
  return probe;
}

DeviceValues SumProbe::Arguments(double factor) const {
  std::vector<Literal> arguments = {FilledWith(parameters_[0], 0)};
  for (std::size_t i = 1; i < parameters_.size(); ++i) arguments.push_back(FilledWith(parameters_[i], factor));
  return {devices_, arguments};
}

Result<double> SumProbe::RunElements(const DeviceValues& arguments) {
  ++runs_;
  ASSAY_TRY(const PerDevice<Literal> results, executable_->Run(arguments));
  double number = 0;
  LoadReals(result_type_, results.front().data() + element_ * StorageBytes(result_type_), &number, 1);
  return number;
}

Status SumProbe::FindTerms(std::int64_t device, std::int64_t first, std::int64_t end) {
  DeviceValues arguments = Arguments(1);
  for (std::int64_t offset = first; offset < end; ++offset) Store(arguments[device][0], offset, 1);
  ASSAY_TRY(const double sum, RunElements(arguments));
  if (sum == 0) return {};
  if (end - first == 1) {
    if (sum != 1) return NoSum(fmt::format("a term of 1 among zeros gives {}", sum));
    places_.push_back({device, first});
    return {};
  }
  const std::int64_t middle = first + (end - first) / 2;
  ASSAY_CHECK_OK(FindTerms(device, first, middle));
  return FindTerms(device, middle, end);
}

Status SumProbe::ChooseMask() {
  const FloatFormat& format = term_format();
  const int largest = std::ilogb(ToDouble(format, format.max_finite_bits()));
  const int bits = std::min(format.precision(), result_format().precision());
  const bool is_wide = largest > kMostDistance;
  // Subnormal units, unless the backend flushes them.
  for (const int least : {is_wide ? 0 : format.min_exponent() - format.mantissa_bits, format.min_exponent()}) {
    const int mask = is_wide ? kMostDistance : largest;
    std::vector<double> single(places_.size());
    single[0] = unit_ = std::ldexp(1, least);
    ASSAY_TRY(const double kept, Run(single));
    if (kept != unit_) continue;
    mask_ = std::ldexp(1, mask);
    const int room = std::min({mask - least - kAccumulatorBits, bits, 20});
    if (room < 1) break;
    most_units_ = 1 << room;
    return {};
  }
  return NoSum(
      fmt::format("the range of {} is too small to hide a number beneath another one in an accumulator of {} "
                  "bits",
                  PrimitiveTypeName(term_type_), kAccumulatorBits));
}

Result<double> SumProbe::Run(const std::vector<double>& terms, double factor) {
  DeviceValues arguments = Arguments(factor);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    Store(arguments[places_[i].device][0], places_[i].offset, terms[i]);
  }
  return RunElements(arguments);
}

Result<int> SumProbe::SizeOfCommonSum(int a, int b) {
  int counted = 0;
  for (int first = 0; first < terms(); first += most_units_) {
    std::vector<double> numbers(places_.size());
    const int end = std::min(terms(), first + most_units_);
    std::fill(numbers.begin() + first, numbers.begin() + end, unit_);
    numbers[static_cast<std::size_t>(a)] = mask_;
    numbers[static_cast<std::size_t>(b)] = -mask_;
    ASSAY_TRY(const double sum, Run(numbers));
    const double units = sum / unit_;
    const bool is_count = units >= 0 && units <= end - first && units == std::floor(units);
    if (!is_count) return NoSum(fmt::format("masks at terms {} and {} leave {} units", a, b, units));
    counted += static_cast<int>(units);
  }
  return terms() - counted;
}

}  // namespace assay
