#include "interpreter/kernels/common/window_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "interpreter/kernels/common/window_walk.h"
#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/double_word.h"
#include "interpreter/numerics/lane_sum.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// The number of cells from which a sliding window is cheaper than a new sum at each position.
constexpr std::int64_t kLongWindow = 128;

Literal DecodedReals(PrimitiveType type, const Literal& array, std::int64_t count) {
  Literal decoded = Literal::Uninitialized(ShapeUtil::MakeShape(F64, {count}));
  auto* out = decoded.mutable_values<double>().data();
  ParallelFor(count, kComputedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    LoadReals(type, array.data() + begin * StorageBytes(type), out + begin, end - begin);
  });
  return decoded;
}

// A sum with terms that can be added and removed. Counts non-finite terms, which cannot be subtracted.
class SlidingSum {
 public:
  void Add(double term) { Change(term, term, 1); }
  void Remove(double term) { Change(term, -term, -1); }

  void Store(PrimitiveType type, std::byte* out) const {
    if (terms_ == 0 || (nans_ == 0 && infinities_[0] == 0 && infinities_[1] == 0 && other_ > 0)) {
      return is_pair_ ? StorePair(type, out) : sum_.Store(type, out);
    }
    ExactSum special;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (nans_ > 0) special.Add(std::numeric_limits<double>::quiet_NaN());
    if (infinities_[0] > 0) special.Add(kInfinity);
    if (infinities_[1] > 0) special.Add(-kInfinity);
    if (other_ == 0) special.Add(-0.0);
    special.Store(type, out);
  }

 private:
  void Change(double term, double change, int count) {
    terms_ += count;
    if (std::isnan(term)) {
      nans_ += count;
    } else if (std::isinf(term)) {
      infinities_[std::signbit(term)] += count;
    } else if (term != 0 || !std::signbit(term)) {
      other_ += count;
      AddFinite(change);
    }
  }

  void AddFinite(double change) {
    if (is_pair_) {
      const DoubleWord high = TwoSum(pair_.hi, change), low = TwoSum(pair_.lo, high.lo);
      if (low.lo == 0) {
        pair_ = {high.hi, low.hi};
        return;
      }
      is_pair_ = false;
      sum_.Add(pair_.hi);
      sum_.Add(pair_.lo);
    }
    sum_.Add(change);
  }

  // Rounds the pair once.
  void StorePair(PrimitiveType type, std::byte* out) const {
    const double sum = type == F64 ? pair_.hi + pair_.lo : SumToOdd(pair_.hi, pair_.lo);
    StoreReals(type, &sum, out, 1);
  }

  // The exact sum: of two doubles while they hold it, then of all digits.
  bool is_pair_ = true;
  DoubleWord pair_ = {0, 0};
  ExactSum sum_;
  std::int64_t terms_ = 0;
  std::int64_t nans_ = 0;
  std::int64_t infinities_[2] = {0, 0};  // by sign
  std::int64_t other_ = 0;               // finite terms that are not -0: those that sum_ holds
};

class WindowSum {
 public:
  // An element has `parts` numbers: the last dimension of the walk, if there are two.
  WindowSum(PrimitiveType type, const Literal& operand, const Literal& init, const WindowWalk& walk, int parts,
            std::byte* out)
      : type_(type),
        walk_(walk),
        parts_(parts),
        decoded_(DecodedReals(type, operand, parts * operand.element_count())),
        terms_(decoded_.values<double>().data()),
        out_(out) {
    LoadReals(type, init.data(), inits_, parts);
  }

  void Run() const {
    const WalkDimension* axis = LongAxis();
    if (axis != nullptr) return SlideAlong(*axis);
    ParallelFor(walk_.block_count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) SumBlock(walk_.block(i));
    });
  }

 private:
  std::byte* Out(std::int64_t position) const { return out_ + position * StorageBytes(type_); }

  void SumBlock(const PositionBlock& block) const {
    LaneSums sums(block.count);
    std::vector<double> terms(block.count);
    std::vector<ElementRun> runs;
    for (std::int64_t cell = 0; cell < walk_.cell_count(); ++cell) {
      CheckLimits();
      walk_.FindRuns(block, cell, runs);
      // -0 adds nothing to any sum.
      std::fill(terms.begin(), terms.end(), -0.0);
      for (const ElementRun& run : runs) {
        for (std::int64_t t = 0; t < run.count; ++t) {
          terms[run.first_position + t * run.position_step] = terms_[run.first_element + t * run.element_step];
        }
      }
      if (!runs.empty()) sums.Add(terms.data());
    }
    for (std::int64_t i = 0; i < block.count; ++i) sums.AddTo(i, inits_[(block.first + i) % parts_]);
    sums.Store(type_, Out(block.first), [&](std::int64_t i, ExactSum& exact) {
      exact.Add(inits_[(block.first + i) % parts_]);
      for (std::int64_t element : walk_.ElementsAt(block.first + i)) exact.Add(terms_[element]);
    });
  }

  // Returns the only dimension that is not plain, if its window is long and has no holes; otherwise null.
  const WalkDimension* LongAxis() const {
    const WalkDimension* axis = nullptr;
    for (const WalkDimension& d : walk_.dimensions()) {
      if (d.IsPlain()) continue;
      if (axis != nullptr || d.window.window_dilation != 1 || d.cell_count < kLongWindow) return nullptr;
      axis = &d;
    }
    return axis;
  }

  void SlideAlong(const WalkDimension& axis) const {
    std::int64_t outer = 1, inner = 1;
    for (const WalkDimension& d : walk_.dimensions()) {
      if (&d != &axis) (&d < &axis ? outer : inner) *= d.base_size;
    }
    ParallelFor(outer * inner, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t line = begin; line < end; ++line) SlideLine(axis, line / inner, line % inner, inner);
    });
  }

  void SlideLine(const WalkDimension& axis, std::int64_t o, std::int64_t i, std::int64_t inner) const {
    const WindowDimension& w = axis.window;
    SlidingSum sum;
    sum.Add(inits_[i % parts_]);
    const double* const line = terms_ + o * axis.base_size * inner + i;
    std::int64_t first = 0, last = 0;  // the terms in the sum
    LimitCheck check;
    for (std::int64_t position = 0; position < axis.positions; ++position) {
      check();
      // The window covers the places [low, low + size) of the dilated base.
      const std::int64_t low = position * w.stride - w.padding_low;
      while (last < axis.base_size && last * w.base_dilation < low + w.size) sum.Add(line[inner * last++]);
      while (first < last && first * w.base_dilation < low) sum.Remove(line[inner * first++]);
      sum.Store(type_, Out((o * axis.positions + position) * inner + i));
    }
  }

  const PrimitiveType type_;
  const WindowWalk& walk_;
  const int parts_;
  const Literal decoded_;
  const double* const terms_;
  double inits_[2];
  std::byte* const out_;
};

}  // namespace

Literal SumWindows(const Literal& operand, const Literal& init, const Window& window, const Shape& shape) {
  Dimensions base = operand.shape().dimensions();
  Window walked = window;
  const int parts = ComponentCount(shape.element_type());
  if (parts == 2) {
    base.push_back(2);
    walked.dimensions.emplace_back();
  }
  Literal result = Literal::Uninitialized(shape);
  const WindowWalk walk(base, walked);
  WindowSum(ComplexComponentType(shape.element_type()), operand, init, walk, parts, result.mutable_data()).Run();
  return result;
}

}  // namespace assay
