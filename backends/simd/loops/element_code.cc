#include "backends/simd/loops/element_code.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "backends/simd/loops/comparison_code.h"
#include "backends/simd/loops/conversion_code.h"
#include "backends/simd/selection.h"

namespace assay::simd {
namespace {

using asmjit::x86::VCmpImm;

// The element types of a row of the table.
constexpr unsigned kF32 = 1, kF64 = 2, kS32 = 4, kU32 = 8, kS64 = 16, kU64 = 32, kPred = 64;
constexpr unsigned k32 = kS32 | kU32, k64 = kS64 | kU64, kInteger = k32 | k64;

unsigned BitOf(PrimitiveType type) {
  constexpr std::array<PrimitiveType, 7> kTypes = {F32, F64, S32, U32, S64, U64, PRED};
  const auto* const found = std::ranges::find(kTypes, type);
  return found == kTypes.end() ? 0 : 1u << (found - kTypes.begin());
}

// The functions below emit an operation on one register of each operand.

template <InstId kId>
void Unary(VectorCode& code, const Vec& out, const std::array<Vec, 3>& in) {
  code.Emit(kId, out, in[0]);
}
template <InstId kId>
void Binary(VectorCode& code, const Vec& out, const std::array<Vec, 3>& in) {
  code.Emit(kId, out, in[0], in[1]);
}
// The immediate operand is the direction of rounding; its 8 suppresses the exception flag.
template <InstId kId, int kDirection>
void Round(VectorCode& code, const Vec& out, const std::array<Vec, 3>& in) {
  code.Emit(kId, out, in[0], kDirection | 8);
}

// The low 64 bits of a product: those of the low halves, and the mixed products above them.
void Multiply64(VectorCode& code, const Vec& out, const std::array<Vec, 3>& in) {
  const Vec mixed = code.Like(out), other = code.Like(out), low = code.Like(out);
  code.Emit(Inst::kIdVpsrlq, mixed, in[0], 32);
  code.Emit(Inst::kIdVpmuludq, mixed, mixed, in[1]);
  code.Emit(Inst::kIdVpsrlq, other, in[1], 32);
  code.Emit(Inst::kIdVpmuludq, other, other, in[0]);
  code.Emit(Inst::kIdVpaddq, mixed, mixed, other);
  code.Emit(Inst::kIdVpsllq, mixed, mixed, 32);
  code.Emit(Inst::kIdVpmuludq, low, in[0], in[1]);
  code.Emit(Inst::kIdVpaddq, out, low, mixed);
}

template <InstId kId, class T, T kNumber>
void WithConstant(VectorCode& code, const Vec& out, const std::array<Vec, 3>& in) {
  code.Emit(kId, out, in[0], code.Constant(out, kNumber));
}

template <InstId kSubtract>
void NegateInteger(VectorCode& code, const Vec& out, const std::array<Vec, 3>& in) {
  const Vec zero = code.Like(out);
  code.Emit(Inst::kIdVmovdqu, zero, code.Constant(zero, std::uint64_t{0}));
  code.Emit(kSubtract, out, zero, in[0]);
}

template <bool kIsMaximum, PrimitiveType kType>
void Extreme64(VectorCode& code, const Vec& out, const std::array<Vec, 3>& in) {
  const Vec is_greater = code.Like(out);
  EmitMask(code, kType, "GT", is_greater, in[0], in[1]);
  code.Emit(Inst::kIdVpblendvb, out, in[kIsMaximum ? 1 : 0], in[kIsMaximum ? 0 : 1], is_greater);
}

struct FloatIds {
  InstId maximum, minimum, both, either, compare, blend;
};
template <PrimitiveType kType>
constexpr FloatIds kIds = {Inst::kIdVmaxps, Inst::kIdVminps, Inst::kIdVandps,
                           Inst::kIdVorps,  Inst::kIdVcmpps, Inst::kIdVblendvps};
template <>
constexpr FloatIds kIds<F64> = {Inst::kIdVmaxpd, Inst::kIdVminpd, Inst::kIdVandpd,
                                Inst::kIdVorpd,  Inst::kIdVcmppd, Inst::kIdVblendvpd};

// The machine's extreme of +0 and -0, and of a number and NaN, is its second operand. The two orders of the operands
// then have the signs of both zeros: `and` makes them +, `or` makes them -. A NaN is the result; of two, the second.
template <bool kIsMaximum, PrimitiveType kType>
void FloatExtreme(VectorCode& code, const Vec& out, const std::array<Vec, 3>& in) {
  constexpr const FloatIds& ids = kIds<kType>;
  const InstId extreme = kIsMaximum ? ids.maximum : ids.minimum;
  const Vec number = code.Like(out), swapped = code.Like(out), is_nan = code.Like(out);
  code.Emit(extreme, number, in[0], in[1]);
  code.Emit(extreme, swapped, in[1], in[0]);
  code.Emit(kIsMaximum ? ids.both : ids.either, number, number, swapped);
  for (const Vec& operand : {in[0], in[1]}) {
    code.Emit(ids.compare, is_nan, operand, operand, static_cast<int>(VCmpImm::kUNORD_Q));
    code.Emit(ids.blend, number, number, operand, is_nan);
  }
  code.Emit(Inst::kIdVmovaps, out, number);
}

using EmitOne = void (*)(VectorCode& code, const Vec& out, const std::array<Vec, 3>& in);

// min(max(x, low), high) for the operands low, x, high.
template <EmitOne kMaximum, EmitOne kMinimum>
void Clamp(VectorCode& code, const Vec& out, const std::array<Vec, 3>& in) {
  const Vec raised = code.Like(out);
  kMaximum(code, raised, {in[1], in[0]});
  kMinimum(code, out, {raised, in[2]});
}

template <EmitOne kEmit>
void Each(VectorCode& code, const HloInstruction&, const Vectors& out, std::span<const Vectors> in) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    std::array<Vec, 3> operands;
    for (std::size_t i = 0; i < in.size(); ++i) operands[i] = in[i][k];
    kEmit(code, out[k], operands);
  }
}

struct Row {
  std::string_view op;
  unsigned types;  // of the operands and the result
  EmitElements emit;
};

template <EmitOne kEmit>
constexpr Row RowOf(std::string_view op, unsigned types) {
  return {op, types, Each<kEmit>};
}

constexpr EmitOne kMaximum32 = Binary<Inst::kIdVpmaxsd>, kMinimum32 = Binary<Inst::kIdVpminsd>;
constexpr EmitOne kMaximumU32 = Binary<Inst::kIdVpmaxud>, kMinimumU32 = Binary<Inst::kIdVpminud>;

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

constexpr Row kRows[] = {
    RowOf<Binary<Inst::kIdVaddps>>("add", kF32),
    RowOf<Binary<Inst::kIdVaddpd>>("add", kF64),
    RowOf<Binary<Inst::kIdVpaddd>>("add", k32),
    RowOf<Binary<Inst::kIdVpaddq>>("add", k64),
    RowOf<Binary<Inst::kIdVsubps>>("subtract", kF32),
    RowOf<Binary<Inst::kIdVsubpd>>("subtract", kF64),
    RowOf<Binary<Inst::kIdVpsubd>>("subtract", k32),
    RowOf<Binary<Inst::kIdVpsubq>>("subtract", k64),
    RowOf<Binary<Inst::kIdVmulps>>("multiply", kF32),
    RowOf<Binary<Inst::kIdVmulpd>>("multiply", kF64),
    RowOf<Binary<Inst::kIdVpmulld>>("multiply", k32),
    RowOf<Multiply64>("multiply", k64),
    RowOf<Binary<Inst::kIdVdivps>>("divide", kF32),
    RowOf<Binary<Inst::kIdVdivpd>>("divide", kF64),
    RowOf<Binary<Inst::kIdVpand>>("and", kInteger | kPred),
    RowOf<Binary<Inst::kIdVpor>>("or", kInteger | kPred),
    RowOf<Binary<Inst::kIdVpxor>>("xor", kInteger | kPred),
    RowOf<WithConstant<Inst::kIdVpxor, std::uint64_t, kAllBits>>("not", kInteger),
    RowOf<WithConstant<Inst::kIdVpxor, std::uint8_t, 1>>("not", kPred),
    RowOf<WithConstant<Inst::kIdVpxor, std::uint32_t, 1u << 31>>("negate", kF32),
    RowOf<WithConstant<Inst::kIdVpxor, std::uint64_t, 1ull << 63>>("negate", kF64),
    RowOf<NegateInteger<Inst::kIdVpsubd>>("negate", k32),
    RowOf<NegateInteger<Inst::kIdVpsubq>>("negate", k64),
    RowOf<WithConstant<Inst::kIdVpand, std::uint32_t, (~0u >> 1)>>("abs", kF32),
    RowOf<WithConstant<Inst::kIdVpand, std::uint64_t, (kAllBits >> 1)>>("abs", kF64),
    RowOf<Unary<Inst::kIdVpabsd>>("abs", kS32),
    RowOf<FloatExtreme<true, F32>>("maximum", kF32),
    RowOf<FloatExtreme<true, F64>>("maximum", kF64),
    RowOf<kMaximum32>("maximum", kS32),
    RowOf<kMaximumU32>("maximum", kU32),
    RowOf<Extreme64<true, S64>>("maximum", kS64),
    RowOf<Extreme64<true, U64>>("maximum", kU64),
    RowOf<FloatExtreme<false, F32>>("minimum", kF32),
    RowOf<FloatExtreme<false, F64>>("minimum", kF64),
    RowOf<kMinimum32>("minimum", kS32),
    RowOf<kMinimumU32>("minimum", kU32),
    RowOf<Extreme64<false, S64>>("minimum", kS64),
    RowOf<Extreme64<false, U64>>("minimum", kU64),
    RowOf<Clamp<FloatExtreme<true, F32>, FloatExtreme<false, F32>>>("clamp", kF32),
    RowOf<Clamp<FloatExtreme<true, F64>, FloatExtreme<false, F64>>>("clamp", kF64),
    RowOf<Clamp<kMaximum32, kMinimum32>>("clamp", kS32),
    RowOf<Clamp<kMaximumU32, kMinimumU32>>("clamp", kU32),
    RowOf<Unary<Inst::kIdVsqrtps>>("sqrt", kF32),
    RowOf<Unary<Inst::kIdVsqrtpd>>("sqrt", kF64),
    RowOf<Round<Inst::kIdVroundps, 0>>("round-nearest-even", kF32),
    RowOf<Round<Inst::kIdVroundpd, 0>>("round-nearest-even", kF64),
    RowOf<Round<Inst::kIdVroundps, 1>>("floor", kF32),
    RowOf<Round<Inst::kIdVroundpd, 1>>("floor", kF64),
    RowOf<Round<Inst::kIdVroundps, 2>>("ceil", kF32),
    RowOf<Round<Inst::kIdVroundpd, 2>>("ceil", kF64),
    // A shift by as many bits as a number has, or more, shifts all of them out.
    RowOf<Binary<Inst::kIdVpsllvd>>("shift-left", k32),
    RowOf<Binary<Inst::kIdVpsllvq>>("shift-left", k64),
    RowOf<Binary<Inst::kIdVpsrlvd>>("shift-right-logical", k32),
    RowOf<Binary<Inst::kIdVpsrlvq>>("shift-right-logical", k64),
    RowOf<Binary<Inst::kIdVpsravd>>("shift-right-arithmetic", k32),
    {"compare", kF32 | kF64 | kInteger, EmitCompare},
    {"select", kF32 | kF64 | kInteger, EmitSelect},
};

}  // namespace

EmitElements ElementCode(const HloInstruction& instruction) {
  const std::string_view op = instruction.op->name;
  const PrimitiveType to = instruction.shape.element_type();
  if (op == "convert") return ConversionCode(instruction.operand(0).shape.element_type(), to);
  const bool is_compare = op == "compare", is_select = op == "select";
  const PrimitiveType type = is_compare ? instruction.operand(0).shape.element_type() : to;
  for (std::size_t i = is_select ? 1 : 0; i < instruction.operands.size(); ++i) {
    if (instruction.operand(i).shape.element_type() != type) return nullptr;
  }
  if (is_compare && IsTotalOrder(instruction)) return nullptr;
  const auto* const row =
      std::ranges::find_if(kRows, [&](const Row& row) { return row.op == op && (row.types & BitOf(type)) != 0; });
  return row == std::end(kRows) ? nullptr : row->emit;
}

void EmitCopy(VectorCode& code, const Vectors& out, const Vectors& in) {
  for (std::size_t k = 0; k < out.size(); ++k) code.Emit(Inst::kIdVmovaps, out[k], in[k]);
}

void EmitRepeat(VectorCode& code, PrimitiveType type, const Vectors& out, const Vectors& in) {
  const InstId id = type == PRED              ? Inst::kIdVpbroadcastb
                    : StorageBytes(type) == 4 ? Inst::kIdVpbroadcastd
                                              : Inst::kIdVpbroadcastq;
  code.Emit(id, out[0], in[0].xmm());
  for (std::size_t k = 1; k < out.size(); ++k) code.Emit(Inst::kIdVmovaps, out[k], out[0]);
}

}  // namespace assay::simd
