// A cache of the memory of big freed arrays, for the next arrays of the same size: the system takes longer to hand out
// pages than most operations take to fill them.
#pragma once

#include <cstdint>

#include "interpreter/types/sanitizers.h"

namespace assay::ArrayMemory {

// True under ASan or TSan: no array is kept, so that a sanitizer sees every allocation and free.
#if defined(ASSAY_ADDRESS_SANITIZER) || defined(ASSAY_THREAD_SANITIZER)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

// Returns memory of that many bytes; null if the system has none left.
void* Get(std::int64_t bytes, bool zeroed);
// Keeps or frees memory that Get returned for that many bytes. Kept memory counts as scratch memory (limits.h).
void GiveBack(void* memory, std::int64_t bytes);

std::int64_t KeptBytes();
// Frees all kept memory. Allocates nothing, so an allocator may call it.
void DropKept();

}  // namespace assay::ArrayMemory
