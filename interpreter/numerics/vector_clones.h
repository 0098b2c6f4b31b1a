// For loops that are worth compiling once for each vector width; the best one is picked when the program starts.
// Contraction stays off in all of them, so they differ in speed alone.
#pragma once

// For what such a loop is made of: each clone has it compiled in, with its own instructions.
#define ASSAY_INLINE [[gnu::always_inline]] inline

// Clones and sanitizers do not go together: gcc 12 computes the wrong shadow addresses in them.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define ASSAY_VECTOR_CLONES __attribute__((target_clones("avx512f", "fma", "default"), optimize("O3")))
// For loops over fused multiply-adds, which the C library computes exactly where the machine does not: with all that
// they call compiled into them.
#define ASSAY_FUSED_CLONES __attribute__((target_clones("fma", "default"), flatten))
// The same for loops that can use vectors.
#define ASSAY_BALL_CLONES __attribute__((target_clones("avx512f", "fma", "default"), flatten, optimize("O3")))
#else
#define ASSAY_BALL_CLONES
#define ASSAY_VECTOR_CLONES
#define ASSAY_FUSED_CLONES
#endif
