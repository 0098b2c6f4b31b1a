#include "backends/simd/gather_rows.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "interpreter/numerics/convert.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

// Starts to read the first bytes of a row into the cache; the processor itself fetches what follows them.
void Prefetch(const std::byte* row, std::int64_t bytes) {
  constexpr std::int64_t kLine = 64, kMost = 512;
  for (std::int64_t i = 0; i < std::min(bytes, kMost); i += kLine) __builtin_prefetch(row + i);
}

// True for start_index_map={0}, collapsed_slice_dims={0} and slices that are whole rows.
bool TakesRows(const HloInstruction& gather) {
  const Shape& operand = gather.operand(0).shape;
  const auto sizes = gather.Int64s("slice_sizes");
  const auto is_zero = [](std::span<const std::int64_t> numbers) { return numbers.size() == 1 && numbers[0] == 0; };
  return is_zero(gather.Int64s("start_index_map")) && is_zero(gather.Int64s("collapsed_slice_dims")) &&
         gather.Int64s("operand_batching_dims").empty() && sizes[0] == 1 &&
         std::equal(sizes.begin() + 1, sizes.end(), operand.dimensions().begin() + 1);
}

// Copies rows of kBytes, or of `bytes` if that is 0, from these places of the operand. Constant sizes take one or two
// instructions. Rows of a large operand are prefetched.
template <int kBytes>
void CopyRows(const std::byte* operand, std::span<const std::int64_t> starts, std::int64_t bytes, bool is_large,
              std::byte* to) {
  constexpr std::size_t kAhead = 8;
  if (kBytes > 0) bytes = kBytes;
  for (std::size_t i = 0; i < std::min(kAhead, starts.size()) && is_large; ++i) Prefetch(operand + starts[i], bytes);
  for (std::size_t i = 0; i < starts.size(); ++i, to += bytes) {
    if (is_large && i + kAhead < starts.size()) Prefetch(operand + starts[i + kAhead], bytes);
    std::memcpy(to, operand + starts[i], kBytes > 0 ? kBytes : bytes);
  }
}

}  // namespace

std::optional<RowGather> RowGather::Of(const HloInstruction& gather) {
  static const Op* const op = FindOp("gather");
  if (gather.op != op || !gather.shape.IsFixedArray() || !gather.operand(0).shape.IsFixedArray()) return std::nullopt;
  const Shape& indices = gather.operand(1).shape;
  if (!indices.IsFixedArray() || indices.element_type() == U64 || !TakesRows(gather)) return std::nullopt;
  RowGather rows;
  for (std::int64_t d = 0; d < indices.rank(); ++d) {
    if (d != gather.Int64("index_vector_dim")) rows.rows_.push_back(indices.dimensions(d));
  }
  const auto offset_dims = gather.Int64s("offset_dims");
  for (std::size_t i = 0; i < offset_dims.size(); ++i) {
    if (offset_dims[i] != static_cast<std::int64_t>(rows.rows_.size() + i)) return std::nullopt;
  }
  rows.index_type_ = indices.element_type();
  rows.row_bytes_ = StorageBytes(gather.shape.element_type()) * Product(gather.Int64s("slice_sizes"));
  rows.last_ = gather.operand(0).shape.dimensions(0) - 1;
  return rows;
}

void RowGather::Copy(const std::byte* operand, const std::byte* indices, std::byte* to, std::int64_t begin,
                     std::int64_t end) const {
  constexpr std::int64_t kMost = 256, kCached = 1 << 18;
  const auto copy = row_bytes_ == 4    ? CopyRows<4>
                    : row_bytes_ == 8  ? CopyRows<8>
                    : row_bytes_ == 64 ? CopyRows<64>
                                       : CopyRows<0>;
  std::uint64_t numbers[kMost];
  std::int64_t starts[kMost];
  for (std::int64_t first = begin; first < end; first += kMost) {
    const std::int64_t count = std::min(kMost, end - first);
    LoadIntegers(index_type_, indices + first * StorageBytes(index_type_), numbers, count);
    for (std::int64_t i = 0; i < count; ++i) {
      starts[i] = std::clamp<std::int64_t>(static_cast<std::int64_t>(numbers[i]), 0, last_) * row_bytes_;
    }
    copy(operand, {starts, starts + count}, row_bytes_, (last_ + 1) * row_bytes_ > kCached, to);
    to += count * row_bytes_;
  }
}

namespace {

// Handles gathers of whole rows. The evaluator computes the others.
PreparedFunction PrepareGather(const HloInstruction& gather, const OpOverrides&) {
  const std::optional<RowGather> rows = RowGather::Of(gather);
  if (!rows) return {};
  return [rows = *rows, &gather](std::span<Literal> operands, Evaluation&) {
    Literal result = Literal::Uninitialized(gather.shape);
    if (result.element_count() == 0) return result;
    std::byte* const out = result.mutable_data();
    const std::int64_t columns = rows.row_bytes() / StorageBytes(gather.shape.element_type());
    ParallelFor(Product(rows.rows()), GrainOfRows(columns, kMovedPerPiece), [&](std::int64_t begin, std::int64_t end) {
      rows.Copy(operands[0].data(), operands[1].data(), out + begin * rows.row_bytes(), begin, end);
    });
    return result;
  };
}

constexpr std::string_view kNames[] = {"gather"};

}  // namespace

const Family kGather = {.ops = kNames, .prepare = PrepareGather};

}  // namespace assay::simd
