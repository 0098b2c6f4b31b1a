// Quotients of whole numbers, rounded down or up. One operand may be negative.
#pragma once

namespace assay {

// An integer that holds products of sizes, strides and dilations.
__extension__ typedef __int128 WideInteger;

inline WideInteger FloorDivide(WideInteger a, WideInteger b) {
  const WideInteger quotient = a / b;
  return quotient - (quotient * b != a && (a < 0) != (b < 0) ? 1 : 0);
}
inline WideInteger CeilDivide(WideInteger a, WideInteger b) { return -FloorDivide(-a, b); }

}  // namespace assay
