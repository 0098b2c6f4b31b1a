#include "interpreter/types/repeat.h"

#include <array>
#include <cstring>

#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

struct Wide {
  std::array<std::byte, 16> bytes;
};

template <class T>
ASSAY_INLINE void Fill(const std::byte* from, std::byte* to, std::int64_t count) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  T* const out = reinterpret_cast<T*>(to);
  constexpr auto kLine = static_cast<std::int64_t>(64 / sizeof(T));
  std::int64_t i = 0;
  for (; i + kLine <= count; i += kLine) {
    for (std::int64_t j = 0; j < kLine; ++j) out[i + j] = value;
  }
  for (; i < count; ++i) out[i] = value;
}

template <class T>
ASSAY_INLINE void Repeat(const std::byte* from, std::int64_t count, std::int64_t times, std::byte* to) {
  for (std::int64_t i = 0; i < count; ++i) Fill<T>(from + i * sizeof(T), to + i * times * sizeof(T), times);
}

}  // namespace

ASSAY_VECTOR_CLONES void RepeatEach(int bytes, const std::byte* from, std::int64_t count, std::int64_t times,
                                    std::byte* to) {
  switch (bytes) {
    case 1:
      return Repeat<std::uint8_t>(from, count, times, to);
    case 2:
      return Repeat<std::uint16_t>(from, count, times, to);
    case 4:
      return Repeat<std::uint32_t>(from, count, times, to);
    case 8:
      return Repeat<std::uint64_t>(from, count, times, to);
    default:
      return Repeat<Wide>(from, count, times, to);
  }
}

void FillWith(int bytes, const std::byte* from, std::byte* to, std::int64_t count) {
  RepeatEach(bytes, from, 1, count, to);
}

}  // namespace assay
