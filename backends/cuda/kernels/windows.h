// Windows that move over a base: the element under a cell of the window at a position.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backends/cuda/kernels/body.h"
#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// Returns the shape of a reduce-window's first result. All results have the same dimensions.
inline const Shape& ResultShape(const HloInstruction& reduce_window) {
  return reduce_window.shape.IsTuple() ? reduce_window.shape.tuple_shapes()[0] : reduce_window.shape;
}

class WindowText {
 public:
  WindowText(const Window& window, std::span<const std::int64_t> base, std::span<const std::int64_t> positions);

  // IsWide is true if places need more than 32 bits, Fits if they fit into 64 bits.
  bool IsWide() const { return reach_ >= 1 << 29; }
  bool Fits() const { return reach_ < std::int64_t{1} << 60; }
  // Return the sizes of the window, and an estimate of the cells on the base at a position.
  const std::vector<std::int64_t>& sizes() const { return sizes_; }
  std::int64_t cell_count() const { return cell_count_; }
  // Returns the number of all cells, saturated at a number that is too large for any loop.
  std::int64_t all_cells() const { return all_cells_; }
  // True if a cell may be on padding or in a hole.
  bool MayBeOutside() const;
  // True if no two positions share an element.
  bool IsApart() const;

  // Returns the element of the base under a cell. `condition` receives the condition for the cell to be on an element,
  // or stays empty.
  std::vector<std::string> Element(Body& body, std::span<const std::string> position, std::span<const std::string> cell,
                                   std::string& condition) const;

  // Opens loops over the cells that are on elements at a position, in order. Returns the element.
  std::vector<std::string> OpenCells(Body& body, std::span<const std::string> position);
  // Opens loops over the positions whose window may contain an element, in order. Returns the position.
  std::vector<std::string> OpenPositions(Body& body, std::span<const std::string> element);
  void Close(Body& body);

 private:
  // Returns the greatest place of an element of the base, including holes.
  std::int64_t LastPlace(std::size_t d) const { return (base_[d] - 1) * window_.dimensions[d].base_dilation; }
  // Return the least and the greatest place under the window.
  std::int64_t Least(std::size_t d) const { return -window_.dimensions[d].padding_low; }
  std::int64_t Greatest(std::size_t d) const;
  std::string InBase(Body& body, std::size_t d, const std::string& place, bool may_be_outside,
                     std::string& condition) const;

  const Window& window_;
  std::vector<std::int64_t> base_, positions_, sizes_;
  std::int64_t cell_count_ = 1;
  std::int64_t all_cells_ = 1;
  std::int64_t reach_ = 0;
  int open_ = 0;
};

}  // namespace assay::cuda
