// Quotients of whole numbers, rounded down or up. One operand may be negative.
#pragma once

#include <type_traits>

namespace assay {

// An integer that holds products of sizes, strides and dilations.
__extension__ typedef __int128 WideInteger;

template <class Integer>
Integer FloorDivide(Integer a, std::type_identity_t<Integer> b) {
  const Integer quotient = a / b;
  return quotient - (quotient * b != a && (a < 0) != (b < 0) ? 1 : 0);
}
template <class Integer>
Integer CeilDivide(Integer a, std::type_identity_t<Integer> b) {
  return -FloorDivide(-a, b);
}

}  // namespace assay
