// Distances between two results, the numbers by which other tools compare two arrays, and the gates that they put on
// them. They judge nothing here: docs/metrics.md shows what such gates pass and fail.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// |got - want| <= absolute + relative * |want| for every element: equal infinities are close, NaNs are not.
struct Closeness {
  double relative = 0;
  double absolute = 0;
};
// The defaults of numpy.allclose, 1e-5 and 1e-8.
inline constexpr Closeness kNumpyCloseness = {1e-5, 1e-8};
// Returns the defaults of torch.testing.assert_close for an element type. Types that PyTorch has no tolerance for are
// compared as integers are, without one.
Closeness TorchCloseness(PrimitiveType type);

// The metrics of one array that differs, computed in f64 with compensated sums. The parts of complex numbers are two
// numbers for pcc, cosine and relative_l2. These three are NaN if a number is NaN or infinite, and where NumPy divides
// zero by zero: pcc of constant arrays, cosine of zeros.
struct ArrayMetrics {
  std::vector<std::int64_t> tuple_index;  // of the array in the result
  double pcc = 0;                         // Pearson's correlation coefficient: numpy.corrcoef
  double cosine = 0;                      // want . got / (|want| |got|)
  double relative_l2 = 0;                 // |got - want| / |want|
  // The largest of all elements. Two NaNs and equal infinities differ by 0; a NaN or an infinity and anything else by
  // infinity. The relative error of a nonzero result for 0 is infinite.
  double max_ulps = 0;  // the difference, for integers
  double max_absolute = 0;
  double max_relative = 0;  // |got - want| / |want|
  bool is_close_by_numpy = false;
  bool is_close_by_torch = false;
};

// Returns the metrics of each array of the result that is not equal to the last bit. The results have one shape; arrays
// of other run-time sizes are left out.
std::vector<ArrayMetrics> MetricsOf(const Literal& want, const Literal& got);

// A criterion of pass and fail that is in common use.
struct Gate {
  std::string_view name;  // "PCC > 0.99"
  // Returns nullopt if the criterion is undefined for the array.
  std::optional<bool> (*passes)(const ArrayMetrics&);
};
std::span<const Gate> AllGates();

// Returns true or false if a gate passes all arrays or fails one; nullopt if it is undefined for an array, or if there
// are none.
std::optional<bool> PassesAll(const Gate& gate, std::span<const ArrayMetrics> arrays);

// A gate that decides otherwise than the judge: it passes what is FAIL, or fails what is LEGAL.
struct GateError {
  std::string_view gate;
  bool passes = false;
};
// Returns them in the order of AllGates. Other verdicts prove nothing, so no gate contradicts them.
std::vector<GateError> GateErrors(Verdict verdict, std::span<const ArrayMetrics> arrays);
// Returns "PCC > 0.99 passes this, though it is FAIL".
std::string GateErrorText(const GateError& error, Verdict verdict);

// Returns the elements of an array as doubles, a complex element as its real part, then its imaginary part. Integers
// beyond 2^53 are rounded.
std::vector<double> ElementsAsDoubles(const Literal& array);

// Returns the largest |got - want| / |want| over all elements of two values of one shape, integers and predicates
// included. Returns infinity if exactly one element is NaN, if infinities differ, or if `want` is 0 and `got` is not.
double RelativeDifference(const Literal& want, const Literal& got);

// Returns the sum of |got - want| over the elements of two values of one shape, divided by the sum of |want|: the worst
// of a tuple's arrays. Elements that are not finite in both are left out; infinite if exactly one is.
double MeanDifference(const Literal& want, const Literal& got);

}  // namespace assay
