// Sums of floating and complex numbers as the reference has them: exact, rounded once. Kernels keep them in wide
// accumulators (text_sums.cc), which decide how nearly all of them round; the others are in doubt.
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

// Whether a computation of two scalars adds them, numbers of this type, and has nothing else in it: folds by such ones
// are exact sums.
bool IsSum(const HloComputation& computation, PrimitiveType type);
// Whether a reduction of one array, of any kind, is such a fold of elements of its result's type.
bool IsExactSum(const HloInstruction& reduction);
// Whether a fold of integers, or by an op that picks one of two elements, gives the same numbers in any order.
bool IsSameInAnyOrder(const HloInstruction& reduction);

// "wide_sum" or "wide_complex".
std::string_view WideType(PrimitiveType type);
// Of one array of sums. No sum of elements of -0 alone is +0.
Folding WideSums(PrimitiveType type);

// Stores a wide sum as element `place` of the result. `is_long`: of products of f64 numbers, or of such numbers.
void StoreSum(Body& body, const std::string& sum, const std::string& place, bool is_long);
inline bool IsLong(PrimitiveType type) { return type == F64 || type == C128; }

// What the host sums again, for element `o` of the result: `n` terms, each one number or the product of two, written
// one after the other. The texts are f64 or complex.
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
