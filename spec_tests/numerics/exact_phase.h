// The functions of whole arrays, computed by their exact phase alone (interpreter/numerics/exact_functions.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "interpreter/numerics/complex.h"
#include "interpreter/numerics/functions.h"

namespace assay {

enum class Phases {
  kBoth,   // as in Apply: the exact phase computes the results that the approximation leaves in doubt
  kExact,  // the exact phase only
};

// Applies a function like Apply.
void ApplyExactly(const RealUnary& function, PrimitiveType type, const std::byte* in, std::byte* out,
                  std::int64_t count);
void ApplyExactly(const RealBinary& function, PrimitiveType type, const std::byte* lhs, const std::byte* rhs,
                  std::byte* out, std::int64_t count);
void ApplyExactly(const ComplexUnary& function, PrimitiveType type, const std::byte* in, std::byte* out,
                  std::int64_t count);
void ApplyExactly(const ComplexBinary& function, PrimitiveType type, const std::byte* lhs, const std::byte* rhs,
                  std::byte* out, std::int64_t count);
// Computes absolute values like ComplexAbs.
void ComplexAbsExactly(PrimitiveType type, const std::byte* in, std::byte* out, std::int64_t count);

template <class Function, class... Arrays>
void Apply(Phases phases, const Function& function, PrimitiveType type, Arrays... arrays) {
  if (phases == Phases::kBoth) return Apply(function, type, arrays...);
  ApplyExactly(function, type, arrays...);
}

}  // namespace assay
