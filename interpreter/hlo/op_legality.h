// The part of an op's record that verifier and builder read: what the op takes, and the shape that it returns.
#pragma once

#include <string_view>

#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

struct HloInstruction;

struct Arity {
  int min = 0;
  int max = 0;  // kVariadic: no upper bound
  static constexpr int kVariadic = -1;
};
constexpr Arity Exactly(int n) { return {n, n}; }
constexpr Arity AtLeast(int n) { return {n, Arity::kVariadic}; }

// What a verifier that looks at layouts asks of a result.
enum class LayoutRule {
  kFree,      // any layout
  kKept,      // an array has the order of dimensions of every operand of its rank
  kInferred,  // values are handed on as they are: the result is what is inferred, layouts included
};

struct OpLegality {
  Arity arity = {};
  TypeSet types = {};  // legal element types of operand 0 (without operands: of the result)
  // Element-wise ops keep layouts without saying so.
  LayoutRule layouts = LayoutRule::kFree;
  // Operands of different floating types may meet; elsewhere all floating operands have the same type.
  bool allows_mixed_precision = false;
  // Operands may be or hold buffers, "b(f32[4])" in text.
  bool accepts_buffers = false;
  // Passes its operands on as they are, as (parts of) its result or into the computations that it calls: what the value
  // of an asynchronous operation may go through on its way from start to done.
  bool forwards_operands = false;
  // The called computation is one fused kernel: a schedule does not order its instructions.
  bool fuses = false;
  // The mnemonic of the op that ends what this one starts ("copy-done" of copy-start), which is then the only user of
  // the result. Empty for ops that start nothing.
  std::string_view done = {};
  // Checks operands and attributes against the op's legality rules and gives the result shape; an error names the rule.
  // Ops whose result shape is part of what is written check it and return it. Operand count and required attributes
  // have been checked against this record before.
  Result<Shape> (*infer)(const HloInstruction&) = nullptr;
};

}  // namespace assay
