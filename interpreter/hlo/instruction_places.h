// The positions of the instructions of a computation: tables by position are cheaper than maps of instructions.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <utility>

#include "interpreter/hlo/module.h"

namespace assay {

class InstructionPlaces {
 public:
  explicit InstructionPlaces(const HloComputation& computation) {
    by_address_.reserve(computation.instructions.size());
    for (const auto& instruction : computation.instructions) {
      by_address_.emplace_back(instruction.get(), by_address_.size());
    }
    std::ranges::sort(by_address_);
  }

  std::size_t size() const { return by_address_.size(); }
  // Returns size() if the computation does not have the instruction.
  std::size_t operator[](const HloInstruction* instruction) const {
    const auto found = std::ranges::lower_bound(by_address_, instruction, {}, &Place::first);
    return found != by_address_.end() && found->first == instruction ? found->second : size();
  }

 private:
  using Place = std::pair<const HloInstruction*, std::size_t>;
  boost::container::small_vector<Place, 24> by_address_;
};

}  // namespace assay
