// Where the updates of a scatter go to, as text. What is sorted are items: windows that cannot lie across each other,
// or else their elements, in the order of the windows.
#pragma once

#include <string>
#include <vector>

#include "backends/cuda/kernels/body.h"
#include "backends/cuda/kernels/emitter.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {

class ScatterPlaces {
 public:
  explicit ScatterPlaces(const HloInstruction& scatter);

  // How many arrays are updated.
  static std::size_t ArraysOf(const HloInstruction& scatter) { return scatter.operands.size() / 2; }

  std::int64_t items() const { return windows_ * pieces_; }
  // Elements of an item.
  std::int64_t together() const { return together_; }
  bool HasUpdates() const { return ShapeUtil::ElementsIn(update_) > 0; }

  // Writes the place of item "i" in the operand to `target`: -1 if its window does not lie inside. Returns then.
  void WriteTarget(const std::string& target, Body& body, ElementEmitter& emitter) const;

  // One element of an item: its place in the window, and where it goes.
  struct Element {
    std::vector<std::string> window;
    std::string to;
  };
  // Element `inner` of the item whose place is "start".
  Element ElementOf(const std::string& inner, Body& body) const;
  // The updates of that element of "item", one of each array.
  std::vector<std::string> UpdatesOf(const Element& element, Body& body, ElementEmitter& emitter) const;

 private:
  bool HasVectors() const { return vector_dim_ < indices_.shape.rank(); }
  std::string StartOf(std::int64_t d, const std::vector<std::string>& batch, std::int64_t last, Body& body,
                      ElementEmitter& emitter) const;
  IndexText UpdateIndex(std::vector<std::string> window, Body& body) const;

  const HloInstruction& scatter_;
  std::size_t arrays_;
  const HloInstruction& indices_;
  const Shape& update_;
  const Shape& operand_;
  std::int64_t vector_dim_;
  Dimensions batch_;                       // of the indices, without that of the vectors
  std::vector<std::int64_t> window_dims_;  // of the operand
  Dimensions window_;
  std::int64_t windows_ = 0;
  std::int64_t together_ = 1;
  std::int64_t pieces_ = 1;  // items of a window
};

}  // namespace assay::cuda
