// The part of an op's record that verifier and builder read: legal operands, and the shape of the result.
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

// The requirement of a layout-sensitive verifier on the layout of a result.
enum class LayoutRule {
  kFree,      // any layout
  kKept,      // an array has the same dimension order as every operand of its rank
  kInferred,  // values are passed on: the result has the inferred shape, including layouts
};

struct OpLegality {
  Arity arity = {};
  TypeSet types = {};  // legal element types of operand 0 (without operands: of the result)
  // Element-wise ops keep layouts without setting this (Op::RuleForLayouts).
  LayoutRule layouts = LayoutRule::kFree;
  // Operands may have different floating types; otherwise all floating operands have the same type.
  bool allows_mixed_precision = false;
  // Operands may be or contain buffers, "b(f32[4])" in text.
  bool accepts_buffers = false;
  // Passes its operands on unchanged, as (parts of) its result or into the computations that it calls. The value of an
  // asynchronous operation may pass through such ops between start and done.
  bool forwards_operands = false;
  // The called computation is one fused kernel: a schedule does not order its instructions.
  bool fuses = false;
  // The mnemonic of the op that completes this one ("copy-done" for copy-start) and is the only user of its result.
  // Empty for ops that start nothing.
  std::string_view done = {};
  // Checks operands and attributes against the op's legality rules and returns the result shape; an error names the
  // rule. Ops whose result shape is part of the text check it and return it. Operand count and required attributes have
  // been checked against this record before.
  Result<Shape> (*infer)(const HloInstruction&) = nullptr;
};

}  // namespace assay
