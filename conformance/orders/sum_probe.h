// A sum that a backend computes, seen from outside: terms go in, one number comes out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "conformance/orders/summation_tree.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"

namespace assay {

// One element of the result of a module on a backend, as a function of the terms that it adds. The terms are the
// elements of the module's first parameter that reach the element, on all devices; each is multiplied by a factor, with
// which all other parameters are filled.
class SumProbe {
 public:
  // Compiles the module and finds the terms. `element` is the row-major number of the element in the first device's
  // result; -1: the last one. Fails with kUnsupported if the first parameter or the result is not an array of a real
  // floating type, or has no such element, if an element of the result is no sum of the parameter, or if the type's
  // range is too small for masks; and with the backend's error. Backend and module must outlive the probe.
  static Result<SumProbe> Open(Backend& backend, const HloModule& module, std::int64_t element);

  int terms() const { return static_cast<int>(places_.size()); }
  const FloatFormat& term_format() const { return FloatFormatOf(term_type_); }
  const FloatFormat& result_format() const { return FloatFormatOf(result_type_); }
  // True if there are parameters for the factor.
  bool has_factor() const { return has_factor_; }
  // The numbers of runs so far.
  std::int64_t runs() const { return runs_; }

  // Returns the sum of terms that are numbers of the term's type.
  Result<double> Run(const std::vector<double>& terms, double factor = 1);
  // Returns the number of terms in the smallest sum that contains both. A mask at one term and its negative at the
  // other absorb every term that is added before the masks meet: the result counts the others.
  Result<int> SizeOfCommonSum(int a, int b);

 private:
  SumProbe(std::unique_ptr<Executable> executable, const HloModule& module, std::int64_t element);

  struct Place {
    std::int64_t device = 0;
    std::int64_t offset = 0;
  };

  // Finds the terms among elements [first, end) of the parameter on a device: halves that add nothing have none.
  Status FindTerms(std::int64_t device, std::int64_t first, std::int64_t end);
  // Sets unit, mask and count from the type's range.
  Status ChooseMask();
  Result<double> RunElements(const DeviceValues& arguments);
  DeviceValues Arguments(double factor) const;

  std::unique_ptr<Executable> executable_;
  std::vector<Shape> parameters_;
  std::int64_t devices_;
  std::int64_t element_;
  PrimitiveType term_type_;
  PrimitiveType result_type_;
  bool has_factor_;
  std::vector<Place> places_;
  std::int64_t runs_ = 0;
  double mask_ = 0;     // absorbs `most_units_` units
  double unit_ = 0;     // a term that is counted
  int most_units_ = 0;  // counted in one run without rounding
};

struct SumProgram {
  std::string_view name;     // "dot"
  std::string_view meaning;  // "a row times a column"
  std::string_view text;     // of its module: %T is the element type, %N the number of terms, %M one less
};

// Returns all programs.
std::span<const SumProgram> SumPrograms();

// Returns the module of a program that adds `terms` terms. Fails with kUsage if there is no such program, and with
// kIllegal if its op does not support the type.
Result<std::unique_ptr<HloModule>> MakeSumModule(const std::string& program, PrimitiveType type, std::int64_t terms);

}  // namespace assay
