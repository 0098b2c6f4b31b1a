// Products of matrices: one for each run of rows of one group, or for each group of terms.
#include <algorithm>
#include <cstring>
#include <vector>

#include "interpreter/kernels/common/matrix_product.h"
#include "interpreter/kernels/common/permuted.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/common/ragged_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// The groups of the ragged dimension at each index of the prefix dimensions. Group g is [begin(p, g), begin(p, g + 1)).
class Groups {
 public:
  Groups(const Literal& sizes, std::int64_t limit)
      : count_(sizes.shape().dimensions().back()), is_shared_(sizes.shape().rank() == 1) {
    for (std::int64_t i = 0; i < sizes.element_count(); ++i) {
      if (i % count_ == 0) begin_.push_back(0);
      begin_.push_back(std::clamp<std::int64_t>(sizes.IntegerAt(i), 0, limit - begin_.back()) + begin_.back());
    }
    if (count_ == 0) begin_.push_back(0);
  }
  std::int64_t count() const { return count_; }
  std::int64_t begin(std::int64_t prefix, std::int64_t group) const {
    return begin_[(is_shared_ ? 0 : prefix) * (count_ + 1) + group];
  }

 private:
  std::int64_t count_;
  bool is_shared_;
  std::vector<std::int64_t> begin_;
};

// Computes the mode kFree. Rows past the last group are sums of no terms.
Literal EvaluateFree(const HloInstruction& dot, const Literal& lhs, const Literal& rhs, const Groups& groups) {
  DotDimensions d = DotDimensionsOf(dot);
  const std::int64_t ragged = RaggedDimension(dot), group_dim = dot.Int64s("rhs_group_dims")[0];
  std::erase(d.rhs_free, group_dim);
  const MatrixProduct product(dot.shape.element_type());
  const Literal a = product.Numbers(Permuted(lhs, Concatenated(d.lhs_batch, d.lhs_free, d.lhs_contracting)));
  const Literal b = product.Numbers(
      Permuted(rhs, Concatenated({group_dim}, Concatenated(d.rhs_batch, d.rhs_contracting, d.rhs_free))));
  const auto at = std::ranges::find(d.lhs_free, ragged);
  const std::int64_t batch = SizeOf(lhs.shape(), d.lhs_batch), k = SizeOf(lhs.shape(), d.lhs_contracting);
  const std::int64_t before = SizeOf(lhs.shape(), Int64List(d.lhs_free.begin(), at));
  const std::int64_t after = SizeOf(lhs.shape(), Int64List(at + 1, d.lhs_free.end()));
  const std::int64_t n = SizeOf(rhs.shape(), d.rhs_free), size = lhs.shape().dimensions(ragged);
  const int bytes = StorageBytes(product.number_type()), result_bytes = StorageBytes(dot.shape.element_type());
  Literal result = Literal::Uninitialized(dot.shape);
  std::byte* const out = result.mutable_data();
  product.Multiply(a.data(), b.data(), 1, batch * before * size * after, n, 0, out);
  for (std::int64_t prefix = 0; prefix < batch * before; ++prefix) {
    for (std::int64_t group = 0; group < groups.count(); ++group) {
      const std::int64_t first = (prefix * size + groups.begin(prefix, group)) * after;
      const std::int64_t rows = (groups.begin(prefix, group + 1) - groups.begin(prefix, group)) * after;
      product.Multiply(a.data() + first * k * bytes, b.data() + (group * batch + prefix / before) * k * n * bytes, 1,
                       rows, n, k, out + first * n * result_bytes);
    }
  }
  return result;
}

Literal EvaluateContracting(const HloInstruction& dot, const Literal& lhs, const Literal& rhs, const Groups& groups) {
  const DotDimensions d = DotDimensionsOf(dot);
  const std::int64_t ragged = RaggedDimension(dot);
  const MatrixProduct product(dot.shape.element_type());
  const Literal a = product.Numbers(Permuted(lhs, Concatenated(d.lhs_batch, d.lhs_contracting, d.lhs_free)));
  const Literal b = product.Numbers(Permuted(rhs, Concatenated(d.rhs_batch, d.rhs_contracting, d.rhs_free)));
  const auto at = std::ranges::find(d.lhs_contracting, ragged);
  const std::int64_t batch = SizeOf(lhs.shape(), d.lhs_batch), k = SizeOf(lhs.shape(), d.lhs_contracting);
  const std::int64_t before = SizeOf(lhs.shape(), Int64List(d.lhs_contracting.begin(), at));
  const std::int64_t after = SizeOf(lhs.shape(), Int64List(at + 1, d.lhs_contracting.end()));
  const std::int64_t m = SizeOf(lhs.shape(), d.lhs_free), n = SizeOf(rhs.shape(), d.rhs_free);
  const std::int64_t size = lhs.shape().dimensions(ragged);
  const int bytes = StorageBytes(product.number_type()), result_bytes = StorageBytes(dot.shape.element_type());
  Literal result = Literal::Uninitialized(dot.shape);
  std::byte* const out = result.mutable_data();
  for (std::int64_t i = 0; i < groups.count() * batch; ++i) {
    const std::int64_t group = i / batch, image = i % batch;
    // The terms of this group: columns of lhs and rows of rhs.
    std::vector<std::int64_t> terms;
    for (std::int64_t p = 0; p < before; ++p) {
      const std::int64_t prefix = image * before + p;
      for (std::int64_t t = groups.begin(prefix, group) * after; t < groups.begin(prefix, group + 1) * after; ++t) {
        terms.push_back(image * k + p * size * after + t);
      }
    }
    const auto depth = static_cast<std::int64_t>(terms.size());
    std::vector<std::byte> columns(m * depth * bytes), rows(depth * n * bytes);
    for (std::int64_t t = 0; t < depth; ++t) {
      for (std::int64_t row = 0; row < m; ++row) {
        std::memcpy(columns.data() + (row * depth + t) * bytes, a.data() + (terms[t] * m + row) * bytes, bytes);
      }
      std::copy_n(b.data() + terms[t] * n * bytes, n * bytes, rows.data() + t * n * bytes);
    }
    product.Multiply(columns.data(), rows.data(), 1, m, n, depth, out + i * m * n * result_bytes);
  }
  return result;
}

Literal EvaluateRaggedDot(const HloInstruction& dot, std::span<Literal> operands, Evaluation&) {
  const DotDimensions d = DotDimensionsOf(dot);
  const Groups groups(operands[2], dot.operand(0).shape.dimensions(RaggedDimension(dot)));
  switch (RaggedModeOf(dot, d)) {
    case RaggedMode::kFree:
      return EvaluateFree(dot, operands[0], operands[1], groups);
    case RaggedMode::kContracting:
      return EvaluateContracting(dot, operands[0], operands[1], groups);
    default:
      return EvaluateDot(operands[0], operands[1], d, dot.shape);
  }
}

}  // namespace

const OpKernel kernel_ragged_dot = {.op = &op_ragged_dot, .evaluate = EvaluateRaggedDot};

}  // namespace assay
