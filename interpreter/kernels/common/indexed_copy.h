// Copies elements between a dense array and listed places of another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

// Copies to[i] = from[offsets[i]], for elements of a given size. Offsets count elements.
void GatherElements(int element_bytes, const std::byte* from, std::span<const std::int64_t> offsets, std::byte* to);
// Copies to[offsets[i]] = from[i].
void ScatterElements(int element_bytes, const std::byte* from, std::span<const std::int64_t> offsets, std::byte* to);

}  // namespace assay
