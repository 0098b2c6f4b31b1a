// The real functions as MPFR computes them at 200 bits (more if the definition requires it), and inputs that reach the
// interesting parts of their domains.
#pragma once

#include <mpfr.h>

#include <random>
#include <string_view>
#include <vector>

#include "spec_tests/numerics/exact_phase.h"

namespace assay {

struct UnaryCase {
  std::string_view name;
  const RealUnary* function;
  void (*reference)(mpfr_ptr result, mpfr_srcptr operand);
};

struct BinaryCase {
  std::string_view name;
  const RealBinary* function;
  void (*reference)(mpfr_ptr result, mpfr_srcptr lhs, mpfr_srcptr rhs);
};

inline constexpr mpfr_prec_t kReferencePrecision = 200;

const std::vector<UnaryCase>& UnaryCases();
const std::vector<BinaryCase>& BinaryCases();

// Returns a number of the type: half of them within 2^-8 to 2^8, the rest any finite pattern.
double RandomReal(PrimitiveType type, std::mt19937_64& random);

// Counts the elements that differ from the reference; prints the first few.
std::size_t WrongResults(const UnaryCase& unary, PrimitiveType type, const std::vector<double>& operands,
                         Phases phases = Phases::kBoth);
std::size_t WrongResults(const BinaryCase& binary, PrimitiveType type, const std::vector<double>& lhs,
                         const std::vector<double>& rhs, Phases phases = Phases::kBoth);

}  // namespace assay
