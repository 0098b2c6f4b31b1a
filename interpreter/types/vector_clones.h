// Attributes for loops that are compiled once for each vector width; the best clone is selected at program start.
// Contraction is off in all of them, so they differ in speed alone.
#pragma once

#include "interpreter/types/sanitizers.h"

// For functions called in such a loop: each clone inlines them and compiles them with its own instructions.
#define ASSAY_INLINE [[gnu::always_inline]] inline

// Sanitizers exclude clones: gcc 12 computes wrong shadow addresses in them.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(ASSAY_THREAD_SANITIZER) && \
    !defined(ASSAY_ADDRESS_SANITIZER)
#define ASSAY_VECTOR_CLONES __attribute__((target_clones("avx512f", "fma", "default"), optimize("O3")))
// For loops over fused multiply-adds, which the C library computes exactly on machines without the instruction. All
// functions that they call are inlined.
#define ASSAY_FUSED_CLONES __attribute__((target_clones("fma", "default"), flatten))
// The same for loops that vectorize.
#define ASSAY_BALL_CLONES __attribute__((target_clones("avx512f", "fma", "default"), flatten, optimize("O3")))
#else
#define ASSAY_BALL_CLONES
#define ASSAY_VECTOR_CLONES
#define ASSAY_FUSED_CLONES
#endif
