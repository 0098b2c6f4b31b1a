// Folds of elements into accumulators by a computation: that of reduce, reduce-window or select-and-scatter.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/kernels/body.h"
#include "backends/cuda/kernels/emitter.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// A computation of N accumulators, then N elements, which returns N accumulators.
//
// A folding is free if each result is one op of its accumulator and its element whose order does not matter. Its
// accumulators have the type of the arithmetic: f32 for f16, rounded once at the end. Otherwise accumulators are
// elements, and fold in order.
class Folding {
 public:
  explicit Folding(const HloComputation& computation);
  // Returns the folding of the first results of a computation of any shapes; nullopt if one of them is not free.
  static std::optional<Folding> OfFreeResults(const HloComputation& computation, std::size_t count);
  // A folding of one array without a computation. Its accumulators have this type of the text, and `expression` of {0}
  // and {1} combines them.
  Folding(std::string_view type, std::string_view expression, std::string start);

  // True if the computation has a text.
  static bool Takes(const HloComputation& computation);

  std::size_t size() const { return accumulators_.size(); }
  // True if accumulators may be combined in any order, from a neutral start.
  bool IsFree() const { return is_free_; }
  // True if accumulators may be combined in order, because they have the elements' types.
  bool MayBeSplit() const;

  std::string_view AccumulatorType(std::size_t i) const { return accumulators_[i].type; }
  // Return the bytes of one accumulator of each array, and of one array.
  std::int64_t AccumulatorBytes() const;
  std::int64_t AccumulatorBytes(std::size_t i) const;
  // Returns the neutral start of a free folding.
  const std::string& Start(std::size_t i) const { return accumulators_[i].start; }
  // OfElement returns the accumulator of one element. ToElement returns the element of an accumulator.
  std::string OfElement(const std::string& element) const;
  std::string ToElement(std::size_t i, const std::string& accumulator) const;

  // Declares accumulators "a0", "a1" and so on, with the value Start if the folding is free.
  std::vector<std::string> Declare(Body& body, std::string_view prefix = "a") const;
  // Combines `accumulators` with others that follow in order.
  void Combine(std::span<const std::string> accumulators, std::span<const std::string> others, Body& body,
               ElementEmitter& emitter) const;
  // Combines `accumulators` with elements.
  void Fold(std::span<const std::string> accumulators, std::span<const std::string> elements, Body& body,
            ElementEmitter& emitter) const;

 private:
  struct Accumulator {
    std::string_view type;        // of the text
    std::string_view expression;  // of {0} and {1}, if the folding is free
    std::string start;
  };

  Folding(const HloComputation& computation, std::vector<PrimitiveType> types);

  const HloComputation* computation_ = nullptr;
  std::vector<PrimitiveType> types_;  // the types of the computation's results
  std::vector<Accumulator> accumulators_;
  bool is_free_ = true;
};

}  // namespace assay::cuda
