// The number and the size of the terms that each element of a sum adds up.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>

#include "interpreter/acceptance/rule.h"

namespace assay {

// True if so many terms of a sum are zero that counting the others is worth another sum.
bool HasManyZeroTerms(const JudgedInstruction& judged);

// Evaluates the instruction on magnitudes, and on ones in place of all numbers but zeros, at the first query. A term
// that is zero adds no rounding in any order.
class TermSizes {
 public:
  // The facts about one element that the bound of its sum depends on.
  struct Of {
    double count = 0;      // n, including the initial value; without zeros, but no fewer than two of several products
    double magnitude = 0;  // sum of the finite terms' magnitudes
    double flushed = 0;    // the part of it that is lost if subnormal operands are flushed
    double tile = 0;       // the largest magnitude of a transform's tile (SumAlgorithm::transform_error); 0 for others
  };

  // The instruction must outlive this object. The terms of a fold are elements of its operands, not products.
  TermSizes(const JudgedInstruction& judged, bool is_fold) : judged_(judged), is_fold_(is_fold) {}

  // False if the instruction has no value in f64.
  bool AreKnown();
  // Returns the terms of an element; nullopt if none are known.
  std::optional<Of> At(const Place& place);

  // The following may be called after one of these. LargestCount and magnitudes need known terms.
  // Returns the power of two of which all terms are multiples; infinity if all are zero.
  double quantum() const { return quantum_; }
  bool has_infinities() const { return has_infinities_; }
  double LargestCount() const;
  // For a fold: the numbers of the operands that count as terms, and the initial values that each sum counts.
  double numbers() const { return numbers_; }
  double starts() const { return starts_; }
  const Literal& magnitudes() const { return *magnitudes_; }

  // Returns the loss of a term whose scaled factor underflows: its other factors may be large.
  double ScaledUnderflow() const;

 private:
  // True if the sum does not read an operand.
  bool IsUnread(std::size_t operand) const;
  void Evaluate();
  void TakeFlushedOperands();
  void TakeTiles();
  void TakeCounts();

  const JudgedInstruction& judged_;
  const bool is_fold_;
  double quantum_ = INFINITY;
  bool is_evaluated_ = false;
  bool has_infinities_ = false;
  std::optional<Literal> magnitudes_, counts_, normal_magnitudes_;
  std::optional<double> count_;  // replaces counts_
  double tile_ = 0;
  double numbers_ = 0, starts_ = 0;
};

// Returns the largest number that may be lost by underflow in a type, or be flushed.
double LostBelow(const JudgedInstruction& judged, PrimitiveType type);

}  // namespace assay
