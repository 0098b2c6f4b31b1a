// The equation of a triangular-solve.
#pragma once

#include "interpreter/hlo/module.h"

namespace assay {

enum class Transpose { kNone, kTranspose, kAdjoint };

// The equation op(a) x = b, or x op(a) = b, for triangular a. The other triangle is not read, nor is a unit diagonal.
struct TriangularEquation {
  bool left_side = false;
  bool lower = false;
  bool unit_diagonal = false;
  Transpose transpose = Transpose::kNone;
};

TriangularEquation EquationOf(const HloInstruction& solve);

}  // namespace assay
