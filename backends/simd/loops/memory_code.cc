#include "backends/simd/loops/memory_code.h"

#include <algorithm>

namespace assay::simd {
namespace {

using asmjit::x86::Gp;

// The most multiplications of vectors in a product's code.
constexpr std::int64_t kMostMultiplications = 512;

// Emits a load of fewer than 32 bytes, in words of 4.
void EmitPartialLoad(VectorCode& code, const Vec& to, const asmjit::x86::Mem& from, std::int64_t bytes) {
  if (bytes == 1) {
    const Gp byte = code.compiler().newUInt32();
    code.Emit(Inst::kIdMovzx, byte, from.cloneResized(1));
    return code.Emit(Inst::kIdVmovd, to.xmm(), byte);
  }
  if (bytes == 4) return code.Emit(Inst::kIdVmovd, to.xmm(), from);
  if (bytes == 8) return code.Emit(Inst::kIdVmovq, to.xmm(), from);
  if (bytes == 16) return code.Emit(Inst::kIdVmovdqu, to.xmm(), from);
  std::array<std::int32_t, 8> words = {};
  std::fill_n(words.begin(), bytes / 4, -1);
  const Vec mask = code.Like(to);
  code.Emit(Inst::kIdVmovdqu, mask,
            code.compiler().newConst(asmjit::ConstPoolScope::kLocal, words.data(), 32).cloneResized(mask.size()));
  code.Emit(Inst::kIdVpmaskmovd, to, mask, from);
}

// Emits stores of ever smaller powers of two. A store under a mask is slow on some processors.
void EmitPartialStore(VectorCode& code, const ArrayAddress& to, std::int64_t begin, Vec from, std::int64_t bytes) {
  if (bytes >= 16) {
    code.Emit(Inst::kIdVmovdqu, to.At(begin), from.xmm());
    if (bytes == 16) return;
    const Vec upper = code.New(false);
    code.Emit(Inst::kIdVextracti128, upper, from.ymm(), 1);
    return EmitPartialStore(code, to, begin + 16, upper, bytes - 16);
  }
  if (bytes >= 8) {
    code.Emit(Inst::kIdVmovq, to.At(begin), from.xmm());
    if (bytes == 8) return;
    const Vec upper = code.New(false);
    code.Emit(Inst::kIdVpsrldq, upper, from.xmm(), 8);
    return EmitPartialStore(code, to, begin + 8, upper, bytes - 8);
  }
  if (bytes == 4) return code.Emit(Inst::kIdVmovd, to.At(begin), from.xmm());
  code.Emit(Inst::kIdVpextrb, to.At(begin), from.xmm(), 0);
}

// Returns a start index as a number of 64 bits, clamped to [0, last].
Gp EmitClamped(VectorCode& code, const StartIndex& start, std::int64_t last) {
  const Gp index = code.compiler().newInt64(), bound = code.compiler().newInt64();
  const bool is_signed = IsSignedIntegralType(start.type);
  EmitFirst(code, index, start.number, StorageBytes(start.type));
  if (start.type == S32) code.Emit(Inst::kIdMovsxd, index, index.r32());
  if (is_signed) {
    code.Emit(Inst::kIdXor, bound.r32(), bound.r32());
    code.Emit(Inst::kIdTest, index, index);
    code.Emit(Inst::kIdCmovs, index, bound);
  }
  code.Emit(Inst::kIdMov, bound, last);
  code.Emit(Inst::kIdCmp, index, bound);
  code.Emit(Inst::kIdCmova, index, bound);
  return index;
}

}  // namespace

void EmitFirst(VectorCode& code, const Gp& to, const Vec& from, int bytes) {
  // AsmJit of 2022 makes wrong code of vmovd and vmovq if the vector is not in a register.
  if (bytes == 8) return code.Emit(Inst::kIdVpextrq, to, from.xmm(), 0);
  code.Emit(Inst::kIdVpextrd, to.r32(), from.xmm(), 0);
}

void EmitLoad(VectorCode& code, const Vectors& to, const ArrayAddress& from, std::int64_t bytes) {
  for (std::size_t k = 0; k < to.size(); ++k) {
    const std::int64_t size = to[k].size(), begin = static_cast<std::int64_t>(k) * size;
    if (bytes - begin >= size) {
      code.Emit(Inst::kIdVmovdqu, to[k], from.At(begin));
    } else {
      EmitPartialLoad(code, to[k], from.At(begin), bytes - begin);
    }
  }
}

void EmitStore(VectorCode& code, const ArrayAddress& to, const Vectors& from, std::int64_t bytes) {
  for (std::size_t k = 0; k < from.size(); ++k) {
    const std::int64_t size = from[k].size(), begin = static_cast<std::int64_t>(k) * size;
    if (bytes - begin >= size) {
      code.Emit(Inst::kIdVmovdqu, to.At(begin), from[k]);
    } else {
      EmitPartialStore(code, to, begin, from[k], bytes - begin);
    }
  }
}

bool IsOneRun(std::span<const std::int64_t> dimensions, std::span<const std::int64_t> sizes) {
  std::size_t d = 0;
  while (d < sizes.size() && sizes[d] == 1) ++d;
  return d == sizes.size() || std::ranges::equal(dimensions.subspan(d + 1), sizes.subspan(d + 1));
}

ArrayAddress EmitRunAddress(VectorCode& code, const ArrayAddress& array, int element_bytes,
                            std::span<const std::int64_t> dimensions, std::span<const std::int64_t> sizes,
                            std::span<const StartIndex> starts) {
  ArrayAddress address = array;
  std::int64_t stride = element_bytes;
  for (std::size_t d = dimensions.size(); d-- > 0; stride *= dimensions[d]) {
    const std::int64_t last = dimensions[d] - sizes[d];
    if (last == 0) continue;
    if (starts[d].constant) {
      address.offset += std::clamp<std::int64_t>(*starts[d].constant, 0, last) * stride;
      continue;
    }
    const Gp index = EmitClamped(code, starts[d], last), moved = code.compiler().newInt64();
    code.Emit(Inst::kIdImul, index, index, stride);
    code.Emit(Inst::kIdLea, moved, asmjit::x86::ptr(address.base, index));
    address.base = moved;
  }
  return address;
}

bool ProductCode::IsSmall() const {
  const std::int64_t lanes = 32 / StorageBytes(type);
  return (type == F32 || type == F64) && k > 0 && (m == 1 || n % lanes == 0) && n > 1 &&
         m * ((n + lanes - 1) / lanes) * k <= kMostMultiplications;
}

void ProductCode::Emit(VectorCode& code, const Vectors& out, const ArrayAddress& lhs, const ArrayAddress& rhs) const {
  const int bytes = StorageBytes(type);
  const bool is_wide = out[0].isYmm();
  const InstId broadcast = bytes == 4 ? Inst::kIdVbroadcastss : is_wide ? Inst::kIdVbroadcastsd : Inst::kIdVmovddup;
  const std::size_t columns = out.size() / m;
  Vectors sums;
  for (std::size_t i = 0; i < out.size(); ++i) {
    sums.push_back(code.Like(out[i]));
    // The sum of terms that are all -0 is -0.
    code.Emit(Inst::kIdVmovdqu, sums[i], code.Signs(sums[i], bytes));
  }
  for (std::int64_t l = 0; l < k; ++l) {
    for (std::int64_t i = 0; i < m; ++i) {
      const Vec factor = code.New(is_wide);
      code.Emit(broadcast, factor, lhs.At((i * k + l) * bytes));
      for (std::size_t j = 0; j < columns; ++j) {
        code.Emit(bytes == 4 ? Inst::kIdVfmadd231ps : Inst::kIdVfmadd231pd, sums[i * columns + j], factor,
                  rhs.At((l * n) * bytes + static_cast<std::int64_t>(j) * 32));
      }
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) code.Emit(Inst::kIdVmovaps, out[i], sums[i]);
}

}  // namespace assay::simd
