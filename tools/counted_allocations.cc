#include "tools/counted_allocations.h"

#include <gmp.h>
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "interpreter/types/limits.h"
#include "interpreter/types/sanitizers.h"

namespace {

using assay::MemoryUse::AddScratch;

std::int64_t SizeOf(void* memory) { return static_cast<std::int64_t>(malloc_usable_size(memory)); }

// To ask the allocator for the size of a block takes longer than to allocate a small one. So each block up to a limit
// counts the same. A limit is the whole size of some block, so a block is within it if the size that was asked for is.
struct SizeClass {
  std::int64_t limit, counted;
};
SizeClass small = {0, 64}, medium = {0, 320};  // the limits are 0 until they are known

void FindLimits() {
  const auto whole_size = [](std::size_t bytes) {
    void* const block = std::malloc(bytes);
    const std::int64_t size = block == nullptr ? 0 : SizeOf(block);
    std::free(block);
    return size;
  };
  small.limit = whole_size(128);
  medium.limit = whole_size(512);
}

// Returns the size that counts for a block. Some blocks are freed without the size that was asked for, so this depends
// on the block alone.
std::int64_t CountedOf(void* memory) {
  const std::int64_t size = SizeOf(memory);
  return size <= small.limit ? small.counted : size <= medium.limit ? medium.counted : size;
}

[[noreturn]] void ThrowBadAlloc(std::int64_t counted) {
  AddScratch(-counted);
  throw std::bad_alloc();
}

// Throws before it allocates: an allocator may touch the memory that it returns.
template <class Allocate>
[[maybe_unused]] void* Counted(std::size_t bytes, Allocate allocate) {
  const auto asked_for = static_cast<std::int64_t>(bytes);
  if (asked_for < 0 || !assay::MemoryUse::TryAddScratch(asked_for)) throw assay::ScratchBeyondLimit(asked_for);
  void* const memory = allocate();
  if (memory == nullptr) ThrowBadAlloc(asked_for);
  AddScratch(CountedOf(memory) - asked_for);
  return memory;
}

// The bytes of small and medium blocks that this thread has not counted yet: it counts some of them together.
constexpr std::int64_t kCountedTogether = 4096;
thread_local std::int64_t uncounted = 0;

// Counts them, with a block of this size that is not allocated yet.
[[maybe_unused, gnu::noinline]] void CountTogether(std::int64_t next) {
  const std::int64_t bytes = uncounted;
  uncounted = 0;
  if (assay::MemoryUse::TryAddScratch(bytes)) return;
  AddScratch(bytes - next);
  throw assay::ScratchBeyondLimit(next);
}

[[maybe_unused]] inline void* CountedIn(const SizeClass& size_class, std::size_t bytes) {
  uncounted += size_class.counted;
  if (uncounted >= kCountedTogether) [[unlikely]]
    CountTogether(size_class.counted);
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) [[unlikely]]
    ThrowBadAlloc(size_class.counted);
  return memory;
}

[[maybe_unused, gnu::noinline]] void* CountedLarge(std::size_t bytes) {
  if (small.limit == 0) FindLimits();
  return Counted(bytes, [bytes] { return std::malloc(bytes == 0 ? 1 : bytes); });
}

[[maybe_unused]] void Free(void* memory) {
  if (memory == nullptr) return;
  AddScratch(-CountedOf(memory));
  std::free(memory);
}

[[maybe_unused]] inline void FreeIn(const SizeClass& size_class, void* memory) {
  if (memory == nullptr) return;
  uncounted -= size_class.counted;
  if (uncounted <= -kCountedTogether) [[unlikely]] {
    AddScratch(uncounted);
    uncounted = 0;
  }
  std::free(memory);
}

// Ends the process if the allocation failed: GMP cannot handle that.
void* OrAbort(void* memory) {
  if (memory != nullptr) return memory;
  std::fputs("error: the system has no memory left\n", stderr);
  std::_Exit(4);
}

// GMP frees each block with the size that it was allocated with.
void* GmpAllocate(std::size_t bytes) {
  AddScratch(static_cast<std::int64_t>(bytes));
  return OrAbort(std::malloc(bytes));
}

void* GmpReallocate(void* memory, std::size_t before, std::size_t bytes) {
  AddScratch(static_cast<std::int64_t>(bytes) - static_cast<std::int64_t>(before));
  return OrAbort(std::realloc(memory, bytes));
}

void GmpFree(void* memory, std::size_t bytes) {
  AddScratch(-static_cast<std::int64_t>(bytes));
  std::free(memory);
}

}  // namespace

// A sanitizer has its own versions of these functions and must replace all of them or none.
#if !defined(ASSAY_ADDRESS_SANITIZER)

// The replaceable functions of C++. Its other forms of new and delete call these.
void* operator new(std::size_t bytes) {
  if (bytes <= static_cast<std::size_t>(small.limit)) return CountedIn(small, bytes);
  if (bytes <= static_cast<std::size_t>(medium.limit)) return CountedIn(medium, bytes);
  return CountedLarge(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return Counted(bytes, [=] { return std::aligned_alloc(unit, (bytes / unit + 1) * unit); });
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t bytes) noexcept {
  if (bytes <= static_cast<std::size_t>(small.limit)) return FreeIn(small, memory);
  if (bytes <= static_cast<std::size_t>(medium.limit)) return FreeIn(medium, memory);
  Free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }

#endif

namespace assay {

void CountAllocations() { mp_set_memory_functions(GmpAllocate, GmpReallocate, GmpFree); }

}  // namespace assay
