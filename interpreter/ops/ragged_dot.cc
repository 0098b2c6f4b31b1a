#include <algorithm>
#include <cstring>
#include <vector>

#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/matrix_product.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// The part that the ragged dimension plays decides what its groups mean.
enum class Mode {
  kFree,         // each group of lhs rows has its own rhs
  kContracting,  // one result for each group of terms
  kBatch,        // the groups are batches that a plain dot keeps apart anyway
};

std::int64_t RaggedDimension(const HloInstruction& dot) { return dot.Int64s("lhs_ragged_dims")[0]; }

Mode ModeOf(const HloInstruction& dot, const DotDimensions& d) {
  const std::int64_t ragged = RaggedDimension(dot);
  if (std::ranges::count(d.lhs_batch, ragged) > 0) return Mode::kBatch;
  return std::ranges::count(d.lhs_contracting, ragged) > 0 ? Mode::kContracting : Mode::kFree;
}

// The dimensions of lhs for which group_sizes may differ: those before the ragged one among the batch dimensions and
// the others that play its part.
Int64List PrefixDimensions(const HloInstruction& dot, const DotDimensions& d) {
  const Mode mode = ModeOf(dot, d);
  Int64List prefix = mode == Mode::kBatch         ? d.lhs_batch
                     : mode == Mode::kContracting ? Concatenated(d.lhs_batch, d.lhs_contracting)
                                                  : Concatenated(d.lhs_batch, d.lhs_free);
  prefix.erase(std::ranges::find(prefix, RaggedDimension(dot)), prefix.end());
  return prefix;
}

Status CheckGroupSizes(const HloInstruction& dot, const DotDimensions& d) {
  ASSAY_CHECK_OK(CheckArrayOperand(dot, 2, kIntegral, "integral"));
  const Shape& sizes = dot.operand(2).shape;
  Dimensions expected = SizesOf(dot.operand(0).shape, PrefixDimensions(dot, d));
  Dimensions found = sizes.dimensions();
  if (found.size() == 1) return {};
  if (!found.empty()) found.pop_back();
  if (!sizes.IsScalar() && found == expected) return {};
  return Illegal(dot, "group_sizes must have the dimensions [{}{}groups] or [groups], found {}",
                 fmt::join(expected, ","), expected.empty() ? "" : ",", sizes.ToStringWithoutLayout());
}

Result<Shape> Infer(const HloInstruction& dot) {
  ASSAY_TRY(const Shape dense, InferDot(dot));
  const DotDimensions d = DotDimensionsOf(dot);
  const auto ragged = dot.Int64s("lhs_ragged_dims");
  if (ragged.size() != 1) {
    return Illegal(dot, "lhs_ragged_dims must have exactly one dimension, found {}", ragged.size());
  }
  ASSAY_CHECK_OK(CheckDimensionNumbers(dot, "lhs_ragged_dims", ragged, dot.operand(0).shape.rank()));
  ASSAY_CHECK_OK(CheckGroupSizes(dot, d));
  const std::int64_t groups = dot.operand(2).shape.dimensions().back();
  const auto group_dims = dot.Int64s("rhs_group_dims");
  const Mode mode = ModeOf(dot, d);
  const std::size_t expected = mode == Mode::kFree ? 1 : 0;
  if (group_dims.size() != expected) {
    return Illegal(dot, "rhs_group_dims must have {} dimension{} where the ragged dimension is {}, found {}", expected,
                   expected == 1 ? "" : "s", mode == Mode::kFree ? "free" : "not free", group_dims.size());
  }
  if (mode == Mode::kBatch) return dense;
  Shape result = dense;
  if (mode == Mode::kContracting) {
    Dimensions sizes = dense.dimensions();
    sizes.insert(sizes.begin(), groups);
    return ShapeUtil::MakeShape(dense.element_type(), sizes);
  }
  const auto group_dim = std::ranges::find(d.rhs_free, group_dims[0]);
  if (group_dim == d.rhs_free.end() || dot.operand(1).shape.dimensions(group_dims[0]) != groups) {
    return Illegal(dot, "rhs_group_dims must be a free dimension of rhs of size {}, found {} of {}", groups,
                   group_dims[0], dot.operand(1).shape.ToStringWithoutLayout());
  }
  Dimensions sizes = dense.dimensions();
  sizes.erase(sizes.end() - (d.rhs_free.end() - group_dim));
  return ShapeUtil::MakeShape(dense.element_type(), sizes);
}

// The groups of the ragged dimension at each index of the prefix dimensions: group g is [begin(p, g), begin(p, g + 1)).
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

// Rows past the last group are sums of no terms.
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

Literal Evaluate(const HloInstruction& dot, std::span<Literal> operands, Evaluation&) {
  const DotDimensions d = DotDimensionsOf(dot);
  const Groups groups(operands[2], dot.operand(0).shape.dimensions(RaggedDimension(dot)));
  switch (ModeOf(dot, d)) {
    case Mode::kFree:
      return EvaluateFree(dot, operands[0], operands[1], groups);
    case Mode::kContracting:
      return EvaluateContracting(dot, operands[0], operands[1], groups);
    default:
      return EvaluateDot(operands[0], operands[1], d, dot.shape);
  }
}

}  // namespace

const Op op_ragged_dot = {
    .name = "ragged-dot",
    .meaning = "A dot with one ragged dimension, split into groups of given sizes.",
    .syntax =
        {
            .attributes = {DimensionList("lhs_batch_dims"),
                           Printed("lhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                           DimensionList("rhs_batch_dims"),
                           Printed("rhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                           DimensionList("lhs_ragged_dims"), DimensionList("rhs_group_dims"), OperandPrecision()},
        },
    .legality = {.arity = Exactly(3), .types = kArrays, .allows_mixed_precision = true, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .fit_run_time_sizes = EqualizeDotOperands},
    .acceptance = {.rule = Acceptance::kSum},
};

}  // namespace assay
