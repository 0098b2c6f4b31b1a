// Random StableHLO programs of quantized operations.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fuzz/generate/modules.h"
#include "fuzz/generate/random.h"

namespace assay {

// Returns the steps that programs are made of. A step is a line for each of its operations, or several lines:
//
//     NAME | OPERANDS | RESULTS | REGIONS AND ATTRIBUTES
//
// An operand or a result is a letter, a number, perhaps a quantization dimension, and sizes: `q1:0[N,M+1]`. Operands
// and results of one step with the same letter and number have one type; without a number they have types of their own.
//
//     q  quantized, all of a step with one storage type and its limits     f  of the expressed type
//     w  weights: with the storage type of q, and zero points of 0         i  i32, from -1 to 4
//     o  quantized, with any storage type                                  b  i1
//     a  a sum of i32                                                      k  the constant list of the sizes
//     s  a sum of i32 whose scales are the products of those of q1 and w1  p  the same with the shape [1, sizes]
//
// N, M and K are sizes of the program, and X is any shape. Operands after a `;` are used by regions only. The rest may
// have $0 (an operand), $N (a size), $q1[N] (a type), $+a1 (a region that folds scalars by any function), $^a1 (one
// that returns the largest or the smallest one) and $>q1 (one that compares). If it begins with $r, the name of the
// result, it is all of the operation's text.
std::span<const std::string> QuantizedSteps();

// An operation that takes quantized tensors, and the reason why no program has it.
struct NotDrawnOperation {
  std::string_view name, reason;
};
std::span<const NotDrawnOperation> QuantizedOperationsNotDrawn();

// Draws a program of 2 to 7 steps on earlier results, on arguments at ties, at limits and beyond. All of its quantized
// types express one floating type. The module has the program as its source, which backends may get in its place.
generate::DrawnModule DrawQuantizedProgram(generate::Random& random);

}  // namespace assay
