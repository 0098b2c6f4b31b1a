// Triangular systems of linear equations, exact values rounded once.
#pragma once

#include "interpreter/types/literal.h"

namespace assay {

enum class Transpose { kNone, kTranspose, kAdjoint };

// op(a) x = b, or x op(a) = b, for triangular a; the other triangle is not read, nor is a unit diagonal.
struct TriangularEquation {
  bool left_side = false;
  bool lower = false;
  bool unit_diagonal = false;
  Transpose transpose = Transpose::kNone;
};

// x for each pair of matrices in the two minor dimensions of a and b. A zero on the diagonal gives what the divisions
// of the substitution give in IEEE 754.
Literal SolveTriangular(const TriangularEquation& equation, const Literal& a, const Literal& b);

}  // namespace assay
