// Folding elements into accumulators by a computation: that of reduce, reduce-window, select-and-scatter.
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
// Where each result is one op of its accumulator and its element whose order does not matter, accumulators are what is
// computed with: of f16 they are f32, and round once, at the end. Else they are elements, and are folded as they come.
class Folding {
 public:
  explicit Folding(const HloComputation& computation);
  // Of the first results of a computation, whatever its shapes. Empty where one of them is not free.
  static std::optional<Folding> OfFreeResults(const HloComputation& computation, std::size_t count);
  // Of one array, without a computation: accumulators of this type of the text, whose combination is `expression` of
  // {0} and {1}.
  Folding(std::string_view type, std::string_view expression, std::string start);

  // Whether it has a text.
  static bool Takes(const HloComputation& computation);

  std::size_t size() const { return accumulators_.size(); }
  // Whether accumulators may be combined in any order, from a start that changes nothing.
  bool IsFree() const { return is_free_; }
  // Whether accumulators may be combined, in their order: they are elements too.
  bool MayBeSplit() const;

  std::string_view AccumulatorType(std::size_t i) const { return accumulators_[i].type; }
  // Bytes of one accumulator of each array.
  std::int64_t AccumulatorBytes() const;
  std::int64_t AccumulatorBytes(std::size_t i) const;
  // What changes nothing, where there is such a thing.
  const std::string& Start(std::size_t i) const { return accumulators_[i].start; }
  // The accumulator of one element, and the element that an accumulator becomes.
  std::string OfElement(const std::string& element) const;
  std::string ToElement(std::size_t i, const std::string& accumulator) const;

  // Declares accumulators "a0", "a1" and so on: with Start, or with nothing where there is none.
  std::vector<std::string> Declare(Body& body, std::string_view prefix = "a") const;
  // Makes `accumulators` what they are together with others, which come behind them.
  void Combine(std::span<const std::string> accumulators, std::span<const std::string> others, Body& body,
               ElementEmitter& emitter) const;
  // The same with elements.
  void Fold(std::span<const std::string> accumulators, std::span<const std::string> elements, Body& body,
            ElementEmitter& emitter) const;

 private:
  struct Accumulator {
    std::string_view type;        // of the text
    std::string_view expression;  // of {0} and {1}, where it is free
    std::string start;
  };

  Folding(const HloComputation& computation, std::vector<PrimitiveType> types);

  const HloComputation* computation_ = nullptr;
  std::vector<PrimitiveType> types_;  // that the computation returns
  std::vector<Accumulator> accumulators_;
  bool is_free_ = true;
};

}  // namespace assay::cuda
