// Loops that multiply and add as fast as a processor can, from registers to registers.
#pragma once

#include <cstdint>

namespace assay {

// The kinds of products that have instructions of their own.
enum class ProductKind { kF32, kF64, kBytes };

// Does so many multiplications and additions of a kind on this thread, rounded up to whole loops. A product and its
// addition are two operations. kBytes adds four products of bytes in each s32, where the machine has an instruction for
// that, otherwise it is kF32.
void MultiplyAndAdd(ProductKind kind, double operations);

}  // namespace assay
