// The memory of big arrays that were freed, kept for the next ones of the same size: the system takes longer to hand
// out pages than most operations take to fill them.
#pragma once

#include <cstdint>

#if defined(__clang__)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ASSAY_CLANG_SANITIZES
#endif
#endif

namespace assay::ArrayMemory {

// Sanitizers see every array come and go: none is kept, and each has memory of its own. clang has a name of its own for
// them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(ASSAY_CLANG_SANITIZES)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

// Returns memory of that many bytes; null if the system has none left.
void* Get(std::int64_t bytes, bool zeroed);
// Keeps or frees what Get returned for that many bytes. What is kept counts as scratch memory (limits.h).
void GiveBack(void* memory, std::int64_t bytes);

std::int64_t KeptBytes();
// Frees all that is kept. Allocates nothing, so an allocator may call it.
void DropKept();

}  // namespace assay::ArrayMemory
