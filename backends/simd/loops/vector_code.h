// Instructions of AVX2 on the elements of small arrays, by AsmJit. Its compiler assigns the machine's registers.
#pragma once

#include <asmjit/asmjit.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/types/primitive_type.h"

namespace assay::simd {

using Vec = asmjit::x86::Vec;
using InstId = asmjit::InstId;
namespace Inst = asmjit::x86::Inst;

// The elements of an array, in order. Each register has 32 bytes of them, or 16 if that is all; of pred it has 16
// elements, a byte each. The elements beyond the array's own are undefined.
using Vectors = std::vector<Vec>;

constexpr std::int64_t BytesOfRegister(PrimitiveType type) { return type == PRED ? 16 : 32; }

class VectorCode {
 public:
  explicit VectorCode(asmjit::x86::Compiler& compiler) : compiler_(compiler) {}

  asmjit::x86::Compiler& compiler() { return compiler_; }

  template <class... Operands>
  void Emit(InstId id, Operands&&... operands) {
    compiler_.emit(id, std::forward<Operands>(operands)...);
  }

  // Returns a register of 16 or of 32 bytes.
  Vec New(bool is_wide) {
    return is_wide ? static_cast<Vec>(compiler_.newYmm()) : static_cast<Vec>(compiler_.newXmm());
  }
  Vec Like(const Vec& other) { return New(other.isYmm()); }

  // Returns a constant operand beside a register: a number in every element.
  template <class T>
  asmjit::x86::Mem Constant(const Vec& beside, T number) {
    std::array<T, 32 / sizeof(T)> numbers;
    numbers.fill(number);
    return compiler_.newConst(asmjit::ConstPoolScope::kLocal, numbers.data(), 32).cloneResized(beside.size());
  }
  // Returns the constant with the sign bit of each element of 4 or 8 bytes.
  asmjit::x86::Mem Signs(const Vec& beside, int bytes) {
    return bytes == 4 ? Constant(beside, std::uint32_t{1} << 31) : Constant(beside, std::uint64_t{1} << 63);
  }

 private:
  asmjit::x86::Compiler& compiler_;
};

}  // namespace assay::simd
