// Quotients of whole numbers that round down or up, of which one operand may be negative.
#pragma once

namespace assay {

// Products of sizes, strides and dilations fit.
__extension__ typedef __int128 WideInteger;

inline WideInteger FloorDivide(WideInteger a, WideInteger b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
inline WideInteger CeilDivide(WideInteger a, WideInteger b) { return -FloorDivide(-a, b); }

}  // namespace assay
