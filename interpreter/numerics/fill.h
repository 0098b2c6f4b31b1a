// An array of equal elements.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

// Writes the element at `from`, of 1, 2, 4, 8 or 16 bytes, `count` times from `to` on. Both are aligned to an element.
void FillWith(int bytes, const std::byte* from, std::byte* to, std::int64_t count);

}  // namespace assay
