#include "backends/simd/loops/conversion_code.h"

#include <algorithm>

#include "backends/simd/loops/comparison_code.h"

namespace assay::simd {
namespace {

using asmjit::x86::VCmpImm;

// Between elements of as many bytes.
template <InstId kId>
void Same(VectorCode& code, const HloInstruction&, const Vectors& out, std::span<const Vectors> in) {
  for (std::size_t k = 0; k < out.size(); ++k) code.Emit(kId, out[k], in[0][k]);
}

// From 4 bytes to 8: half a register becomes one.
template <InstId kId>
void Widen(VectorCode& code, const HloInstruction&, const Vectors& out, std::span<const Vectors> in) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    Vec half = in[0][k / 2].xmm();
    if (k % 2 == 1) {
      half = code.New(false);
      code.Emit(Inst::kIdVextracti128, half, in[0][k / 2].ymm(), 1);
    }
    code.Emit(kId, out[k], half);
  }
}

// The low halves of numbers of 8 bytes.
void Truncate(VectorCode& code, const Vec& out, const Vec& in) {
  if (!in.isYmm()) return code.Emit(Inst::kIdVpshufd, out, in, 0x88);
  const Vec halves = code.New(true);
  code.Emit(Inst::kIdVpshufd, halves, in.ymm(), 0x88);
  code.Emit(Inst::kIdVpermq, halves, halves, 0x08);
  code.Emit(Inst::kIdVmovaps, out, halves.xmm());
}
void Demote(VectorCode& code, const Vec& out, const Vec& in) { code.Emit(Inst::kIdVcvtpd2ps, out, in); }

// From 8 bytes to 4: two registers become one.
template <void (*kEmit)(VectorCode& code, const Vec& out, const Vec& in)>
void Narrow(VectorCode& code, const HloInstruction&, const Vectors& out, std::span<const Vectors> in) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Vec low = code.New(false);
    kEmit(code, low, in[0][2 * k]);
    if (2 * k + 1 == in[0].size()) {
      code.Emit(Inst::kIdVmovaps, out[k].xmm(), low);
      continue;
    }
    const Vec high = code.New(false);
    kEmit(code, high, in[0][2 * k + 1]);
    code.Emit(Inst::kIdVinserti128, out[k], low.ymm(), high, 1);
  }
}

// Rounds toward zero and saturates; NaN becomes 0. The instruction returns the smallest number for all that s32 has
// not.
void Saturate(VectorCode& code, const HloInstruction&, const Vectors& out, std::span<const Vectors> in) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Vec number = code.Like(out[k]), is_large = code.Like(out[k]), is_number = code.Like(out[k]);
    code.Emit(Inst::kIdVcvttps2dq, number, in[0][k]);
    code.Emit(Inst::kIdVcmpps, is_large, in[0][k], code.Constant(is_large, 0x1p31f), static_cast<int>(VCmpImm::kGE_OQ));
    // INT32_MIN becomes INT32_MAX if all its bits are inverted.
    code.Emit(Inst::kIdVpxor, number, number, is_large);
    code.Emit(Inst::kIdVcmpps, is_number, in[0][k], in[0][k], static_cast<int>(VCmpImm::kORD_Q));
    code.Emit(Inst::kIdVpand, out[k], number, is_number);
  }
}

template <int kBytes>
void FromPredicate(VectorCode& code, const HloInstruction&, const Vectors& out, std::span<const Vectors> in) {
  for (std::size_t k = 0; k < out.size(); ++k) EmitPredicates(code, kBytes, in[0], k, out[k]);
}

void FromPredicateToF32(VectorCode& code, const HloInstruction&, const Vectors& out, std::span<const Vectors> in) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    EmitPredicates(code, 4, in[0], k, out[k]);
    code.Emit(Inst::kIdVcvtdq2ps, out[k], out[k]);
  }
}

struct Conversion {
  PrimitiveType from, to;
  EmitElements emit;
};

constexpr Conversion kConversions[] = {
    {S32, U32, Same<Inst::kIdVmovaps>},
    {U32, S32, Same<Inst::kIdVmovaps>},
    {S64, U64, Same<Inst::kIdVmovaps>},
    {U64, S64, Same<Inst::kIdVmovaps>},
    {S32, F32, Same<Inst::kIdVcvtdq2ps>},
    {F32, S32, Saturate},
    {F32, F64, Widen<Inst::kIdVcvtps2pd>},
    {S32, F64, Widen<Inst::kIdVcvtdq2pd>},
    {S32, S64, Widen<Inst::kIdVpmovsxdq>},
    {S32, U64, Widen<Inst::kIdVpmovsxdq>},
    {U32, S64, Widen<Inst::kIdVpmovzxdq>},
    {U32, U64, Widen<Inst::kIdVpmovzxdq>},
    {F64, F32, Narrow<Demote>},
    {S64, S32, Narrow<Truncate>},
    {S64, U32, Narrow<Truncate>},
    {U64, S32, Narrow<Truncate>},
    {U64, U32, Narrow<Truncate>},
    {PRED, F32, FromPredicateToF32},
    {PRED, S32, FromPredicate<4>},
    {PRED, U32, FromPredicate<4>},
    {PRED, S64, FromPredicate<8>},
    {PRED, U64, FromPredicate<8>},
};

}  // namespace

EmitElements ConversionCode(PrimitiveType from, PrimitiveType to) {
  if (from == to) return Same<Inst::kIdVmovaps>;
  const auto* const found = std::ranges::find_if(
      kConversions, [&](const Conversion& conversion) { return conversion.from == from && conversion.to == to; });
  return found == std::end(kConversions) ? nullptr : found->emit;
}

}  // namespace assay::simd
