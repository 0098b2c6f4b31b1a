#include "interpreter/types/strided_copy.h"

#include <cstring>
#include <vector>

#include "spec_tests/catch.h"

namespace assay {
namespace {

// More elements than one piece of ParallelFor has.
constexpr std::int64_t kCount = 200'001;

std::vector<std::byte> Numbered(std::int64_t bytes) {
  std::vector<std::byte> numbered(bytes);
  for (std::size_t i = 0; i < numbered.size(); ++i) numbered[i] = static_cast<std::byte>((i * 2654435761u) >> 16);
  return numbered;
}

}  // namespace

TEST_CASE("a copy along one dimension is the same in pieces") {
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (const std::int64_t from_stride : {-2, -1, 0, 1, 3}) {
      for (const std::int64_t to_stride : {-1, 1, 2}) {
        CAPTURE(bytes, from_stride, to_stride);
        const auto first = [](std::int64_t stride) { return stride < 0 ? -stride * (kCount - 1) : 0; };
        const std::vector<std::byte> from = Numbered(bytes * 3 * kCount);
        std::vector<std::byte> wanted(bytes * 2 * kCount), got = wanted;
        for (std::int64_t i = 0; i < kCount; ++i) {
          std::memcpy(wanted.data() + (first(to_stride) + i * to_stride) * bytes,
                      from.data() + (first(from_stride) + i * from_stride) * bytes, bytes);
        }
        const std::int64_t sizes[] = {kCount}, from_strides[] = {from_stride}, to_strides[] = {to_stride};
        const StridedCopy copy(bytes, sizes, from_strides, to_strides);
        copy.ParallelCopy(from.data() + first(from_stride) * bytes, got.data() + first(to_stride) * bytes);
        const bool is_same = got == wanted;
        CHECK(is_same);
      }
    }
  }
}

}  // namespace assay
