// The targets of a scatter's updates, as text. The sorted items are windows if these cannot overlap partially;
// otherwise they are the windows' elements, in the order of the windows.
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

  // Returns the number of updated arrays.
  static std::size_t ArraysOf(const HloInstruction& scatter) { return scatter.operands.size() / 2; }

  std::int64_t items() const { return windows_ * pieces_; }
  // The number of elements of an item.
  std::int64_t together() const { return together_; }
  bool HasUpdates() const { return ShapeUtil::ElementsIn(update_) > 0; }

  // Writes the place of item "i" in the operand to `target`. If its window is not inside the operand, writes -1 and
  // returns from the kernel.
  void WriteTarget(const std::string& target, Body& body, ElementEmitter& emitter) const;

  // One element of an item: its place in the window, and its target.
  struct Element {
    std::vector<std::string> window;
    std::string to;
  };
  // Returns element `inner` of the item whose place is "start".
  Element ElementOf(const std::string& inner, Body& body) const;
  // Returns the updates of that element of "item", one of each array.
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
  Dimensions batch_;                       // of the indices, without index_vector_dim
  std::vector<std::int64_t> window_dims_;  // of the operand
  Dimensions window_;
  std::int64_t windows_ = 0;
  std::int64_t together_ = 1;
  std::int64_t pieces_ = 1;  // items of a window
};

}  // namespace assay::cuda
