#include "conformance/judging/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "interpreter/acceptance/elements.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/parts.h"

namespace assay {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// A sum with the error of each addition in a second number (Neumaier 1974).
class CompensatedSum {
 public:
  void Add(double term) {
    const double sum = sum_ + term;
    lost_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

template <class Term>
double SumOf(std::size_t count, const Term& term) {
  CompensatedSum sum;
  for (std::size_t i = 0; i < count; ++i) sum.Add(term(i));
  return sum.value();
}

// Multiplies numbers by a power of two so that the largest is near 1 and no square overflows. Returns the power.
double Normalize(std::vector<double>& numbers, double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  const double scale = std::ldexp(1, -std::clamp(exponent, -1022, 1022));
  for (double& x : numbers) x *= scale;
  return scale;
}

double LargestOf(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double x : numbers) largest = std::max(largest, std::fabs(x));
  return largest;
}

// Returns the sum of products of two arrays over the root of the product of their sums of squares.
double CosineOf(const std::vector<double>& a, const std::vector<double>& b) {
  const auto dot = [n = a.size()](const std::vector<double>& x, const std::vector<double>& y) {
    return SumOf(n, [&](std::size_t i) { return x[i] * y[i]; });
  };
  const double cosine = dot(a, b) / (std::sqrt(dot(a, a)) * std::sqrt(dot(b, b)));
  return std::isnan(cosine) ? kUndefined : std::clamp(cosine, -1.0, 1.0);  // 0 / 0 is -nan on some processors
}

void Center(std::vector<double>& numbers) {
  const double mean =
      SumOf(numbers.size(), [&](std::size_t i) { return numbers[i]; }) / static_cast<double>(numbers.size());
  for (double& x : numbers) x -= mean;
}

void AddWholeMetrics(std::vector<double> want, std::vector<double> got, ArrayMetrics& metrics) {
  metrics.pcc = metrics.cosine = metrics.relative_l2 = kUndefined;
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!std::ranges::all_of(want, is_finite) || !std::ranges::all_of(got, is_finite)) return;
  const double largest_want = LargestOf(want), largest_got = LargestOf(got);
  const double scale = Normalize(want, largest_want);
  const double difference = std::sqrt(SumOf(want.size(), [&](std::size_t i) {
    const double d = got[i] * scale - want[i];
    return d * d;
  }));
  metrics.relative_l2 = difference / std::sqrt(SumOf(want.size(), [&](std::size_t i) { return want[i] * want[i]; }));
  Normalize(got, largest_got);
  metrics.cosine = CosineOf(want, got);
  Center(want);
  Center(got);
  metrics.pcc = CosineOf(want, got);
}

// The distance of two elements, which are numbers or complex numbers, and the magnitude of the wanted one.
struct ElementError {
  double difference = 0;
  double magnitude = 0;
  bool is_equal = false;      // as numbers: a NaN is not
  bool are_both_nan = false;  // in every part that is not equal
};

ElementError ErrorAt(const std::vector<double>& want, const std::vector<double>& got, std::size_t begin, int parts) {
  ElementError error = {.is_equal = true, .are_both_nan = true};
  for (std::size_t i = begin; i < begin + static_cast<std::size_t>(parts); ++i) {
    const bool is_equal = want[i] == got[i];
    error.is_equal = error.is_equal && is_equal;
    error.are_both_nan = error.are_both_nan && (is_equal || (std::isnan(want[i]) && std::isnan(got[i])));
    error.difference = std::hypot(error.difference, is_equal ? 0 : got[i] - want[i]);
    error.magnitude = std::hypot(error.magnitude, want[i]);
  }
  return error;
}

bool IsCloseTo(const ElementError& error, Closeness closeness) {
  const bool is_within = error.difference <= closeness.absolute + closeness.relative * error.magnitude;
  return error.is_equal || (std::isfinite(error.magnitude) && is_within);
}

void AddElementMetrics(const std::vector<double>& want, const std::vector<double>& got, PrimitiveType type,
                       ArrayMetrics& metrics) {
  const int parts = ComponentCount(type);
  const Closeness torch = TorchCloseness(type);
  const auto at_most = [](double error) { return std::isnan(error) ? kInfinite : error; };
  metrics.is_close_by_numpy = metrics.is_close_by_torch = true;
  for (std::size_t i = 0; i < want.size(); i += static_cast<std::size_t>(parts)) {
    const ElementError error = ErrorAt(want, got, i, parts);
    if (error.is_equal) continue;
    metrics.is_close_by_numpy = metrics.is_close_by_numpy && IsCloseTo(error, kNumpyCloseness);
    metrics.is_close_by_torch = metrics.is_close_by_torch && IsCloseTo(error, torch);
    if (error.are_both_nan) continue;
    metrics.max_absolute = std::max(metrics.max_absolute, at_most(error.difference));
    metrics.max_relative = std::max(metrics.max_relative, at_most(error.difference / error.magnitude));
  }
}

void AddArrays(const Literal& want, const Literal& got, std::vector<std::int64_t>& tuple_index,
               std::vector<ArrayMetrics>& metrics) {
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    tuple_index.push_back(static_cast<std::int64_t>(i));
    AddArrays(want.elements()[i], got.elements()[i], tuple_index, metrics);
    tuple_index.pop_back();
  }
  const bool has_one_size = want.shape().IsArray() && want.element_count() == got.element_count() &&
                            !want.has_dynamic_sizes() && !got.has_dynamic_sizes();
  if (!has_one_size || want.BitwiseEqual(got)) return;
  const std::vector<double> wanted = ElementsAsDoubles(want), gotten = ElementsAsDoubles(got);
  ArrayMetrics& of_array = metrics.emplace_back();
  of_array.tuple_index = tuple_index;
  for (std::int64_t i = 0; i < want.element_count(); ++i) {
    of_array.max_ulps = std::max(of_array.max_ulps, WorstUlps(want, got, i));
  }
  AddElementMetrics(wanted, gotten, want.element_type(), of_array);
  AddWholeMetrics(wanted, gotten, of_array);
}

constexpr Gate kGates[] = {
    {"PCC > 0.99",
     [](const ArrayMetrics& metrics) {
       return std::isnan(metrics.pcc) ? std::nullopt : std::optional(metrics.pcc > 0.99);
     }},
    {"cosine > 0.99",
     [](const ArrayMetrics& metrics) {
       return std::isnan(metrics.cosine) ? std::nullopt : std::optional(metrics.cosine > 0.99);
     }},
    {"numpy.allclose", [](const ArrayMetrics& metrics) { return std::optional(metrics.is_close_by_numpy); }},
    {"torch.testing.assert_close",
     [](const ArrayMetrics& metrics) { return std::optional(metrics.is_close_by_torch); }},
};

}  // namespace

Closeness TorchCloseness(PrimitiveType type) {
  // torch/testing/_comparison.py, _DTYPE_PRECISIONS.
  switch (type) {
    case F16:
      return {1e-3, 1e-5};
    case BF16:
      return {1.6e-2, 1e-5};
    case F32:
    case C64:
      return {1.3e-6, 1e-5};
    case F64:
    case C128:
      return {1e-7, 1e-7};
    default:
      return {};
  }
}

std::vector<ArrayMetrics> MetricsOf(const Literal& want, const Literal& got) {
  std::vector<ArrayMetrics> metrics;
  std::vector<std::int64_t> tuple_index;
  if (ShapeUtil::Compatible(want.shape(), got.shape())) AddArrays(want, got, tuple_index, metrics);
  return metrics;
}

std::span<const Gate> AllGates() { return kGates; }

std::optional<bool> PassesAll(const Gate& gate, std::span<const ArrayMetrics> arrays) {
  if (arrays.empty()) return std::nullopt;
  bool passes_all = true;
  for (const ArrayMetrics& metrics : arrays) {
    const std::optional<bool> passes = gate.passes(metrics);
    if (!passes) return std::nullopt;
    passes_all = passes_all && *passes;
  }
  return passes_all;
}

std::vector<GateError> GateErrors(Verdict verdict, std::span<const ArrayMetrics> arrays) {
  std::vector<GateError> errors;
  if (verdict != Verdict::kFail && verdict != Verdict::kLegal) return errors;
  for (const Gate& gate : kGates) {
    const std::optional<bool> passes = PassesAll(gate, arrays);
    if (passes && *passes == (verdict == Verdict::kFail)) errors.push_back({gate.name, *passes});
  }
  return errors;
}

std::string GateErrorText(const GateError& error, Verdict verdict) {
  return fmt::format("{} {} this, though it is {}", error.gate, error.passes ? "passes" : "fails",
                     VerdictName(verdict));
}

namespace {

double OfNumbers(double want, double got) {
  if (want == got || (std::isnan(want) && std::isnan(got))) return 0;
  const double difference = std::abs(got - want) / std::abs(want);
  return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
}

double LargestOfNumbers(std::span<const double> want, std::span<const double> got) {
  double largest = 0;
  for (std::size_t i = 0; i < want.size(); ++i) largest = std::max(largest, OfNumbers(want[i], got[i]));
  return largest;
}

double MeanOfNumbers(std::span<const double> want, std::span<const double> got) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (std::isfinite(want[i]) != std::isfinite(got[i])) return std::numeric_limits<double>::infinity();
    if (!std::isfinite(want[i])) continue;
    difference += std::abs(got[i] - want[i]);
    size += std::abs(want[i]);
  }
  return difference == 0 ? 0 : difference / size;
}

// Returns the largest difference of two arrays, or of the arrays of a tuple.
double LargestOfArrays(const Literal& want, const Literal& got,
                       double (*difference)(std::span<const double> want, std::span<const double> got)) {
  double largest = 0;
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    largest = std::max(largest, LargestOfArrays(want.elements()[i], got.elements()[i], difference));
  }
  if (!want.shape().IsArray()) return largest;
  const std::vector<double> wanted = ElementsAsDoubles(want), gotten = ElementsAsDoubles(got);
  const std::size_t count = std::min(wanted.size(), gotten.size());
  return difference(std::span(wanted).first(count), std::span(gotten).first(count));
}

}  // namespace

std::vector<double> ElementsAsDoubles(const Literal& array) {
  const PrimitiveType type = array.element_type();
  if (IsInexactType(type)) return LoadParts(array);
  std::vector<std::uint64_t> integers(array.element_count());
  LoadIntegers(type, array.data(), integers.data(), array.element_count());
  std::vector<double> numbers(integers.size());
  std::ranges::transform(integers, numbers.begin(), [&](std::uint64_t bits) {
    return IsSignedIntegralType(type) ? static_cast<double>(static_cast<std::int64_t>(bits))
                                      : static_cast<double>(bits);
  });
  return numbers;
}

double RelativeDifference(const Literal& want, const Literal& got) {
  return LargestOfArrays(want, got, LargestOfNumbers);
}

double MeanDifference(const Literal& want, const Literal& got) { return LargestOfArrays(want, got, MeanOfNumbers); }

}  // namespace assay
