#include "backends/simd/loops/comparison_code.h"

#include <algorithm>

namespace assay::simd {
namespace {

using asmjit::x86::VCmpImm;

// A comparison by a machine instruction, which may need its operands exchanged or its mask inverted.
struct Relation {
  std::string_view direction;
  VCmpImm floats;
  std::string_view integers;
  bool is_swapped, is_inverted;
};

constexpr Relation kRelations[] = {
    {"EQ", VCmpImm::kEQ_OQ, "EQ", false, false}, {"NE", VCmpImm::kNEQ_UQ, "EQ", false, true},
    {"LT", VCmpImm::kLT_OQ, "GT", true, false},  {"LE", VCmpImm::kLE_OQ, "GT", false, true},
    {"GT", VCmpImm::kGT_OQ, "GT", false, false}, {"GE", VCmpImm::kGE_OQ, "GT", true, true},
};

void EmitFloatMask(VectorCode& code, PrimitiveType type, VCmpImm relation, const Vec& out, const Vec& a, const Vec& b) {
  code.Emit(type == F32 ? Inst::kIdVcmpps : Inst::kIdVcmppd, out, a, b, static_cast<int>(relation));
}

// Joins the masks of 4 elements of 8 bytes each to one of 8 elements of 4 bytes.
Vec Joined(VectorCode& code, const Vec& low, const Vec& high) {
  const Vec joined = code.Like(low);
  code.Emit(Inst::kIdVshufps, joined, low, high, 0x88);
  if (joined.isYmm()) code.Emit(Inst::kIdVpermq, joined, joined, 0xd8);
  return joined;
}

// Narrows the masks of up to 16 elements of 4 bytes to bytes.
void EmitBytes(VectorCode& code, const Vec& out, const Vec& low, const Vec& high) {
  const Vec words = code.Like(low), upper = code.New(false);
  code.Emit(Inst::kIdVpackssdw, words, low, high);
  if (!words.isYmm()) return code.Emit(Inst::kIdVpacksswb, out, words, words);
  code.Emit(Inst::kIdVpermq, words, words, 0xd8);
  code.Emit(Inst::kIdVextracti128, upper, words, 1);
  code.Emit(Inst::kIdVpacksswb, out, words.xmm(), upper);
}

}  // namespace

void EmitMask(VectorCode& code, PrimitiveType type, std::string_view relation, const Vec& out, const Vec& a,
              const Vec& b) {
  const bool is_narrow = StorageBytes(type) == 4;
  if (relation == "EQ") return code.Emit(is_narrow ? Inst::kIdVpcmpeqd : Inst::kIdVpcmpeqq, out, a, b);
  const InstId greater = is_narrow ? Inst::kIdVpcmpgtd : Inst::kIdVpcmpgtq;
  if (IsSignedIntegralType(type)) return code.Emit(greater, out, a, b);
  // The machine has only the signed relation; inverted signs turn the order of unsigned numbers into it.
  const Vec x = code.Like(a), y = code.Like(b);
  code.Emit(Inst::kIdVpxor, x, a, code.Signs(a, StorageBytes(type)));
  code.Emit(Inst::kIdVpxor, y, b, code.Signs(a, StorageBytes(type)));
  code.Emit(greater, out, x, y);
}

void EmitCompare(VectorCode& code, const HloInstruction& compare, const Vectors& out, std::span<const Vectors> in) {
  const PrimitiveType type = compare.operand(0).shape.element_type();
  const Relation& relation = *std::ranges::find(kRelations, compare.String("direction"), &Relation::direction);
  const bool is_float = IsFloatingPointType(type);
  Vectors masks;
  for (std::size_t k = 0; k < in[0].size(); ++k) {
    masks.push_back(code.Like(in[0][k]));
    if (is_float) {
      EmitFloatMask(code, type, relation.floats, masks[k], in[0][k], in[1][k]);
    } else {
      EmitMask(code, type, relation.integers, masks[k], in[relation.is_swapped ? 1 : 0][k],
               in[relation.is_swapped ? 0 : 1][k]);
    }
  }
  if (StorageBytes(type) == 8) {
    for (std::size_t k = 0; 2 * k < masks.size(); ++k) {
      masks[k] = Joined(code, masks[2 * k], masks[std::min(2 * k + 1, masks.size() - 1)]);
    }
    masks.resize((masks.size() + 1) / 2);
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    EmitBytes(code, out[k], masks[2 * k], masks[std::min(2 * k + 1, masks.size() - 1)]);
    const bool is_inverted = !is_float && relation.is_inverted;
    code.Emit(is_inverted ? Inst::kIdVpandn : Inst::kIdVpand, out[k], out[k], code.Constant(out[k], std::uint8_t{1}));
  }
}

void EmitPredicates(VectorCode& code, int bytes, const Vectors& predicates, std::size_t k, const Vec& out) {
  const std::size_t first = k * 32 / bytes;
  Vec part = predicates[first / 16].xmm();
  if (first % 16 != 0) {
    part = code.New(false);
    code.Emit(Inst::kIdVpsrldq, part, predicates[first / 16].xmm(), first % 16);
  }
  code.Emit(bytes == 4 ? Inst::kIdVpmovzxbd : Inst::kIdVpmovzxbq, out, part);
}

void EmitSelect(VectorCode& code, const HloInstruction& select, const Vectors& out, std::span<const Vectors> in) {
  const int bytes = StorageBytes(select.shape.element_type());
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Vec is_false = code.Like(out[k]);
    EmitPredicates(code, bytes, in[0], k, is_false);
    code.Emit(bytes == 4 ? Inst::kIdVpcmpeqd : Inst::kIdVpcmpeqq, is_false, is_false,
              code.Constant(is_false, std::uint64_t{0}));
    code.Emit(Inst::kIdVpblendvb, out[k], in[1][k], in[2][k], is_false);
  }
}

}  // namespace assay::simd
