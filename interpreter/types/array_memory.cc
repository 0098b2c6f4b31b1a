#include "interpreter/types/array_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "interpreter/types/limits.h"

namespace assay::ArrayMemory {
namespace {

constexpr std::int64_t kMost = kIsSanitized ? 0 : std::int64_t{1} << 28;  // the limit on all kept bytes
constexpr std::int64_t kLeast = std::int64_t{1} << 16;

bool IsKept(std::int64_t bytes) { return bytes >= kLeast && bytes <= kMost; }

class Kept {
 public:
  // Returns null if no array of exactly that size is kept.
  void* Take(std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = count_; i-- > 0;) {
      if (arrays_[i].bytes != bytes) continue;
      void* const memory = arrays_[i].memory;
      Remove(i, 1);
      return memory;
    }
    return nullptr;
  }

  void Add(void* memory, std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    arrays_[count_++] = {memory, bytes};
    Count(bytes);
    DropOldest(kMost);
  }

  void Drop() {
    const std::lock_guard lock(mutex_);
    DropOldest(0);
  }

  std::int64_t bytes() {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  struct Array {
    void* memory = nullptr;
    std::int64_t bytes = 0;
  };

  void DropOldest(std::int64_t most) {
    std::size_t dropped = 0;
    for (std::int64_t left = bytes_; left > most; ++dropped) {
      std::free(arrays_[dropped].memory);
      left -= arrays_[dropped].bytes;
    }
    Remove(0, dropped);
  }

  void Remove(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) Count(-arrays_[i].bytes);
    std::copy(arrays_.begin() + first + count, arrays_.begin() + count_, arrays_.begin() + first);
    count_ -= count;
  }

  void Count(std::int64_t bytes) {
    bytes_ += bytes;
    MemoryUse::AddScratch(bytes);
  }

  std::mutex mutex_;
  // Oldest first. Not a vector: the allocator may call DropKept, and so re-enter this class.
  std::array<Array, kMost / kLeast + 1> arrays_ = {};
  std::size_t count_ = 0;
  std::int64_t bytes_ = 0;
};

// Asks the kernel for huge pages: it hands out and zeroes 2 MiB pages in a third of the time that as many 4 KiB ones
// take. The kernel may decline.
void AskForLargePages(void* memory, std::int64_t bytes) {
  constexpr std::uintptr_t kPage = 1 << 12;
  constexpr std::int64_t kLeastBytes = std::int64_t{1} << 23;
  if (memory == nullptr || bytes < kLeastBytes) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) & ~(kPage - 1);
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + static_cast<std::uintptr_t>(bytes)) & ~(kPage - 1);
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

constinit Kept kept_arrays;  // never destroyed: arrays may outlive everything else

}  // namespace

void* Get(std::int64_t bytes, bool zeroed) {
  if (void* const kept = IsKept(bytes) ? kept_arrays.Take(bytes) : nullptr; kept != nullptr) {
    return zeroed ? std::memset(kept, 0, bytes) : kept;
  }
  const auto allocate = [&] {
    void* const memory = zeroed ? std::calloc(bytes, 1) : std::malloc(bytes);
    AskForLargePages(memory, bytes);
    return memory;
  };
  if (void* const memory = allocate(); memory != nullptr) return memory;
  DropKept();
  return allocate();
}

void GiveBack(void* memory, std::int64_t bytes) {
  if (!IsKept(bytes)) return std::free(memory);
  kept_arrays.Add(memory, bytes);
}

std::int64_t KeptBytes() { return kept_arrays.bytes(); }

void DropKept() { kept_arrays.Drop(); }

}  // namespace assay::ArrayMemory
