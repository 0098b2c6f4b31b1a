// Sums of floating and complex numbers like the reference's: exact and rounded once. Kernels keep them in wide
// accumulators (text_sums.cc), which decide the rounding of nearly all of them. The others are doubtful.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "backends/cuda/kernels/body.h"
#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/folding.h"
#include "backends/cuda/kernels/program.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// True if a computation of two scalars of this type only adds them. Folds by such a computation are exact sums.
bool IsSum(const HloComputation& computation, PrimitiveType type);
// True if a reduction of one array, of any kind, folds elements of its result's type by such a computation.
bool IsExactSum(const HloInstruction& reduction);
// True if a fold has the same result in any order: a free fold of integers, or by maximum or minimum.
bool IsSameInAnyOrder(const HloInstruction& reduction);

// Returns "wide_sum" or "wide_complex".
std::string_view WideType(PrimitiveType type);
// Returns the folding of one array of wide sums, which start with -0: a sum of only -0 is not +0.
Folding WideSums(PrimitiveType type);

// Stores a wide sum as element `place` of the result. `is_long` is true for sums of f64 numbers or of products of such
// numbers.
void StoreSum(Body& body, const std::string& sum, const std::string& place, bool is_long);
inline bool IsLong(PrimitiveType type) { return type == F64 || type == C128; }

// The terms that the host sums again for element `o` of the result: `n` terms, each one number or the product of two,
// written one after the other. The texts are f64 or complex.
struct TermTexts {
  PrimitiveType result = PRIMITIVE_TYPE_INVALID;
  std::int64_t n = 0;
  bool are_products = false;
  std::function<void(Body& body, ElementEmitter& emitter, const std::string& o, const std::string& k)> write;
};
// Writes one factor of a term; `number` is 0 or 1.
void WriteFactor(Body& body, const TermTexts& terms, int number, const std::string& text);
void AddTerms(KernelProgram& program, const HloComputation& fused, const TermTexts& terms);

}  // namespace assay::cuda
