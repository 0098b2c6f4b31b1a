// The positions of the instructions of a computation: tables by position are cheaper than maps of instructions.
#pragma once

#include <bit>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "interpreter/hlo/module.h"

namespace assay {

// A hash table of the addresses, at most half full, without an allocation for a small computation.
class InstructionPlaces {
 public:
  explicit InstructionPlaces(const HloComputation& computation)
      : size_(computation.instructions.size()),
        mask_(std::bit_ceil(2 * size_ + 1) - 1),
        table_(mask_ + 1, Place(nullptr, size_)) {
    for (std::size_t place = 0; place < size_; ++place) {
      const HloInstruction* const instruction = computation.instructions[place].get();
      std::size_t at = First(instruction);
      while (table_[at].first != nullptr) at = (at + 1) & mask_;
      table_[at] = {instruction, place};
    }
  }

  std::size_t size() const { return size_; }
  // Returns size() if the computation does not have the instruction.
  std::size_t operator[](const HloInstruction* instruction) const {
    std::size_t at = First(instruction);
    while (table_[at].first != nullptr && table_[at].first != instruction) at = (at + 1) & mask_;
    return table_[at].second;
  }

 private:
  using Place = std::pair<const HloInstruction*, std::size_t>;

  std::size_t First(const HloInstruction* instruction) const {
    return (reinterpret_cast<std::uintptr_t>(instruction) * 0x9E3779B97F4A7C15 >> 32) & mask_;
  }

  std::size_t size_, mask_;
  boost::container::small_vector<Place, 64> table_;
};

}  // namespace assay
