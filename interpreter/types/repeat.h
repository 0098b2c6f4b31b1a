// Arrays of repeated elements.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

// Writes the element at `from`, of 1, 2, 4, 8 or 16 bytes, `count` times from `to` on. Both are aligned to an element.
void FillWith(int bytes, const std::byte* from, std::byte* to, std::int64_t count);

// Writes each of `count` elements `times` times, one after the other.
void RepeatEach(int bytes, const std::byte* from, std::int64_t count, std::int64_t times, std::byte* to);

}  // namespace assay
