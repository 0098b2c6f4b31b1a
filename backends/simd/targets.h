// The instruction sets for which the kernels are compiled. Every file that includes Highway includes this one first.
#pragma once

// Each instruction set costs compile time, and these gain little: SSSE3 and SSE4 over SSE2, which x86-64 always has,
// and the extensions of AVX-512. The last two of those are AVX3_ZEN4 and AVX3_SPR, for which Highway 1.0.3 has no
// names. Vectors of unknown length are excluded because the matrix product keeps vectors in arrays.
#define HWY_DISABLED_TARGETS                                                                                        \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | (1LL << 6) | (1LL << 4) | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | \
   HWY_RVV)

// The fallback is HWY_SCALAR with every compiler, as with GCC 12. Emulated vectors convert a number beyond f32 to the
// largest one, and add products of pairs in other lanes than the instruction for x86.
#define HWY_BROKEN_EMU128 1
