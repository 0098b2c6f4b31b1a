#include "tools/counted_allocations.h"

#include <gmp.h>
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "interpreter/types/limits.h"

namespace {

using assay::MemoryUse::AddScratch;

std::int64_t SizeOf(void* memory) { return static_cast<std::int64_t>(malloc_usable_size(memory)); }

// Throws before it allocates: an allocator may touch the memory that it returns.
template <class Allocate>
[[maybe_unused]] void* Counted(std::size_t bytes, Allocate allocate) {
  const auto asked_for = static_cast<std::int64_t>(bytes);
  if (asked_for < 0 || !assay::MemoryUse::TryAddScratch(asked_for)) throw assay::ScratchBeyondLimit(asked_for);
  void* const memory = allocate();
  AddScratch((memory == nullptr ? 0 : SizeOf(memory)) - asked_for);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void Free(void* memory) {
  if (memory == nullptr) return;
  AddScratch(-SizeOf(memory));
  std::free(memory);
}

// Ends the process if the allocation failed: GMP cannot handle that.
void* OrAbort(void* memory) {
  if (memory != nullptr) return memory;
  std::fputs("error: the system has no memory left\n", stderr);
  std::_Exit(4);
}

void* GmpAllocate(std::size_t bytes) {
  void* const memory = OrAbort(std::malloc(bytes));
  AddScratch(SizeOf(memory));
  return memory;
}

void* GmpReallocate(void* memory, std::size_t, std::size_t bytes) {
  const std::int64_t before = SizeOf(memory);
  memory = OrAbort(std::realloc(memory, bytes));
  AddScratch(SizeOf(memory) - before);
  return memory;
}

void GmpFree(void* memory, std::size_t) { Free(memory); }

}  // namespace

// A sanitizer has its own versions of these functions and must replace all of them or none.
#if defined(__SANITIZE_ADDRESS__)
#define ASSAY_COUNTS_NEW 0
#elif defined(__has_feature)
#define ASSAY_COUNTS_NEW !__has_feature(address_sanitizer)
#else
#define ASSAY_COUNTS_NEW 1
#endif
#if ASSAY_COUNTS_NEW

// The replaceable functions of C++. Its other forms of new and delete call these.
void* operator new(std::size_t bytes) {
  return Counted(bytes, [bytes] { return std::malloc(bytes == 0 ? 1 : bytes); });
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return Counted(bytes, [=] { return std::aligned_alloc(unit, (bytes / unit + 1) * unit); });
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }

#endif

namespace assay {

void CountAllocations() { mp_set_memory_functions(GmpAllocate, GmpReallocate, GmpFree); }

}  // namespace assay
