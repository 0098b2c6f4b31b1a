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

void* Counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const std::int64_t bytes = SizeOf(memory);
  if (assay::MemoryUse::TryAddScratch(bytes)) return memory;
  std::free(memory);
  throw assay::ScratchBeyondLimit(bytes);
}

void Free(void* memory) {
  if (memory == nullptr) return;
  AddScratch(-SizeOf(memory));
  std::free(memory);
}

// GMP cannot go on without the memory that it asks for.
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

// The replaceable functions of the language; its other forms of new and delete call these.
void* operator new(std::size_t bytes) { return Counted(std::malloc(bytes == 0 ? 1 : bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return Counted(std::aligned_alloc(unit, (bytes / unit + 1) * unit));
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }

namespace assay {

void CountAllocations() { mp_set_memory_functions(GmpAllocate, GmpReallocate, GmpFree); }

}  // namespace assay
