// Code that moves elements depends only on their size: it is written once for a type of each size.
#pragma once

#include <cstdint>

namespace assay {

struct Element16 {
  std::uint64_t halves[2];
};

// Calls visit with a null pointer to a type of this many bytes.
template <class Visit>
void WithElementSize(int bytes, Visit visit) {
  switch (bytes) {
    case 1:
      return visit(static_cast<std::uint8_t*>(nullptr));
    case 2:
      return visit(static_cast<std::uint16_t*>(nullptr));
    case 4:
      return visit(static_cast<std::uint32_t*>(nullptr));
    case 8:
      return visit(static_cast<std::uint64_t*>(nullptr));
    default:
      return visit(static_cast<Element16*>(nullptr));
  }
}

}  // namespace assay
