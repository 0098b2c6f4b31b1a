// The values of decisions (decisions.h), element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// Returns the real components of an array.
std::vector<double> NumbersIn(const Literal& array);
// Returns those of all arrays of a value.
std::vector<double> RealsIn(const Literal& value);

// True for a component of a function of several numbers that are all zero, such as atan2(0, 0), which has no limit.
bool IsOfZeros(std::span<const Literal> operands, std::size_t component);

// In the following, real results count among the decided elements only if the function has steps.
// Replaces the decided elements of a result by those of another run.
void Repeat(const Literal& made, bool has_steps, Literal& result);
// Returns for each decided element whether it differs.
std::vector<bool> Different(const Literal& a, const Literal& b, bool has_steps);
// The decided elements that changed, each with up to two results that have other values of it: a later clamp may hide
// one of them.
class ChangedElements {
 public:
  using Results = std::vector<std::shared_ptr<const Literal>>;

  // Adds a result. The numbers of elements are those of CopyElement.
  void Add(std::size_t element, const std::shared_ptr<const Literal>& result, bool has_steps);
  const std::map<std::size_t, Results>& results() const { return results_; }

 private:
  std::map<std::size_t, Results> results_;
};
// Returns the largest number of values that a decided element has in the results.
std::size_t MostValues(std::span<const Literal> results, bool has_steps);
// Copies one element: the numbers are those of Different, followed by those of RealsIn if the function has no steps.
void CopyElement(const Literal& from, bool has_steps, std::size_t element, Literal& to);

// Returns the result of a comparison on operands that were moved. Moved numbers are hardly ever equal: those that
// changed their order may be.
std::optional<Literal> Compared(const HloInstruction& compare, std::span<const Literal> operands,
                                const std::vector<Literal>& moved, std::uint64_t& stream);

}  // namespace assay
