#include "interpreter/kernels/common/indexed_copy.h"

#include "interpreter/types/element_size.h"

namespace assay {

void GatherElements(int element_bytes, const std::byte* from, std::span<const std::int64_t> offsets, std::byte* to) {
  WithElementSize(element_bytes, [&]<class Element>(Element*) {
    const auto* source = reinterpret_cast<const Element*>(from);
    auto* target = reinterpret_cast<Element*>(to);
    for (std::size_t i = 0; i < offsets.size(); ++i) target[i] = source[offsets[i]];
  });
}

void ScatterElements(int element_bytes, const std::byte* from, std::span<const std::int64_t> offsets, std::byte* to) {
  WithElementSize(element_bytes, [&]<class Element>(Element*) {
    const auto* source = reinterpret_cast<const Element*>(from);
    auto* target = reinterpret_cast<Element*>(to);
    for (std::size_t i = 0; i < offsets.size(); ++i) target[offsets[i]] = source[i];
  });
}

}  // namespace assay
