#include "interpreter/numerics/sum_axis.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "interpreter/numerics/exact_sum.h"
#include "interpreter/numerics/lane_sum.h"
#include "interpreter/numerics/quick_sum.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// The lanes of one pass: enough to fill vectors and hide the cost of a call, few enough to fit the L1 cache.
constexpr std::int64_t kAxisLanes = 256;
// Decoded terms; they fit the L2 cache.
constexpr std::int64_t kValues = 16384;
// The long rows whose results are rounded together.
constexpr std::int64_t kRowsTogether = 16;

class AxisSum {
 public:
  AxisSum(PrimitiveType type, const std::byte* terms, std::int64_t outer, std::int64_t n, std::int64_t inner,
          const std::byte* inits, std::int64_t init_count, std::byte* out)
      : type_(type),
        bytes_(StorageBytes(type)),
        terms_(terms),
        outer_(outer),
        n_(n),
        inner_(inner),
        inits_(inits),
        init_count_(init_count),
        out_(out),
        is_quick_(HasQuickSums(type) && n <= kMostQuickSumTerms) {}

  void Run() const {
    if (outer_ == 0 || inner_ == 0) return;
    const std::int64_t row = n_ * inner_;
    if (inner_ <= kAxisLanes && outer_ < 2 * ParallelThreads() && row >= 2 * kMovedPerPiece) {
      for (std::int64_t o = 0; o < outer_; ++o) SumHugeRow(o);
    } else if (inner_ >= kAxisLanes / 4) {
      SumColumns();
    } else if (row < 2 * kAxisLanes) {
      SumShortRows();
    } else {
      SumLongRows();
    }
  }

 private:
  const std::byte* Term(std::int64_t o, std::int64_t k, std::int64_t i) const {
    return terms_ + ((o * n_ + k) * inner_ + i) * bytes_;
  }

  double Load(const std::byte* element) const {
    double value;
    LoadReals(type_, element, &value, 1);
    return value;
  }

  // Adds the initial values to the lanes of results q, q + 1, ....
  template <class Sums>
  void AddInits(Sums& sums, std::int64_t q) const {
    if (init_count_ == 1) {
      const double init = Load(inits_);
      return sums.Add(&init, 0);
    }
    std::vector<double> inits(sums.lanes());
    for (std::int64_t lane = 0; lane < sums.lanes(); ++lane) {
      inits[lane] = Load(inits_ + (q + lane) % init_count_ * bytes_);
    }
    sums.Add(inits.data());
  }

  // Stores the results q, q + 1, ....
  void Finish(LaneSums& sums, std::int64_t q) const {
    AddInits(sums, q);
    sums.Store(type_, out_ + q * bytes_, [&](std::int64_t lane, ExactSum& exact) { AddExactly(q + lane, exact); });
  }

  void AddExactly(std::int64_t q, ExactSum& exact) const {
    exact.Add(Load(inits_ + q % init_count_ * bytes_));
    const std::int64_t o = q / inner_;
    CheckLimits();
    for (std::int64_t k = 0; k < n_; ++k) exact.Add(Load(Term(o, k, q % inner_)));
  }

  // Sums many columns, one lane for each.
  void SumColumns() const {
    const std::int64_t blocks = (inner_ - 1) / kAxisLanes + 1;
    const std::int64_t grain = GrainOfRows(kAxisLanes * n_, kMovedPerPiece);
    ParallelFor(outer_ * blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      double values[kAxisLanes];
      for (std::int64_t block = begin; block < end; ++block) {
        const std::int64_t o = block / blocks;
        const std::int64_t first = block % blocks * kAxisLanes;
        const std::int64_t lanes = std::min(kAxisLanes, inner_ - first);
        if (is_quick_ && SumColumnsQuickly(o, first, lanes)) continue;
        LaneSums sums(lanes);
        LimitCheck check;
        for (std::int64_t k = 0; k < n_; ++k) {
          check();
          LoadReals(type_, Term(o, k, first), values, sums.lanes());
          sums.Add(values);
        }
        Finish(sums, o * inner_ + first);
      }
    });
  }

  // Returns false if the sums are undecided.
  bool SumColumnsQuickly(std::int64_t o, std::int64_t first, std::int64_t lanes) const {
    QuickSums sums(type_, lanes);
    LimitCheck check;
    for (std::int64_t k = 0; k < n_; ++k) {
      check();
      sums.Add(Term(o, k, first));
    }
    AddInits(sums, o * inner_ + first);
    return sums.Store(out_ + (o * inner_ + first) * bytes_);
  }

  // Returns false if the sums of these rows are undecided.
  bool SumRowsQuickly(std::int64_t o, std::int64_t rows) const {
    QuickSums sums(type_, rows);
    LimitCheck check;
    for (std::int64_t r = 0; r < rows; ++r) {
      check();
      sums.SetToRow(r, Term(o + r, 0, 0), n_);
    }
    AddInits(sums, o);
    return sums.Store(out_ + o * bytes_);
  }

  // Sums many rows, one lane for each.
  void SumShortRows() const {
    const std::int64_t row = n_ * inner_;
    const std::int64_t grain = std::max<std::int64_t>(kAxisLanes, kMovedPerPiece / std::max<std::int64_t>(row, 1));
    const std::int64_t rows_per_block =
        std::clamp<std::int64_t>(kValues / std::max<std::int64_t>(row, 1), 1, kAxisLanes);
    ParallelFor(outer_, grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> values(rows_per_block * row);
      for (std::int64_t o = begin; o < end; o += rows_per_block) {
        const std::int64_t rows = std::min(rows_per_block, end - o);
        if (is_quick_ && inner_ == 1 && SumRowsQuickly(o, rows)) continue;
        LoadReals(type_, Term(o, 0, 0), values.data(), rows * row);
        LaneSums sums(rows * inner_);
        for (std::int64_t k = 0; k < n_; ++k) {
          if (inner_ == 1) {
            sums.Add(values.data() + k, n_);
          } else {
            for (std::int64_t r = 0; r < rows; ++r) {
              for (std::int64_t i = 0; i < inner_; ++i) {
                sums.AddTo(r * inner_ + i, values[r * row + k * inner_ + i]);
              }
            }
          }
        }
        Finish(sums, o * inner_);
      }
    });
  }

  void SumLongRows() const {
    const std::int64_t grain = GrainOfRows(n_ * inner_, kMovedPerPiece);
    ParallelFor(outer_, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t first = begin; first < end; first += kRowsTogether) {
        const std::int64_t rows = std::min(kRowsTogether, end - first);
        if (is_quick_ && inner_ == 1 && SumRowsQuickly(first, rows)) continue;
        for (std::int64_t o = first; o < first + rows; ++o) {
          LaneSums sums(inner_);
          AddPart(o, 0, n_, sums);
          Finish(sums, o * inner_);
        }
      }
    });
  }

  // Sums one row, in parts that run in parallel.
  void SumHugeRow(std::int64_t o) const {
    const std::int64_t length = kMovedPerPiece / inner_;
    std::vector<LaneSums> parts((n_ - 1) / length + 1, LaneSums(inner_));
    ParallelFor(n_, length,
                [&](std::int64_t begin, std::int64_t end) { AddPart(o, begin, end, parts[begin / length]); });
    LaneSums sums(inner_);
    for (const LaneSums& part : parts) {
      for (std::int64_t i = 0; i < inner_; ++i) sums.Merge(i, part.lane(i));
    }
    Finish(sums, o * inner_);
  }

  // Adds the terms k in [begin, end) of one row, several k side by side.
  void AddPart(std::int64_t o, std::int64_t begin, std::int64_t end, LaneSums& sums) const {
    const auto repeats = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(kAxisLanes / inner_)));
    double values[kAxisLanes];
    LaneSums wide(repeats * inner_);
    std::int64_t k = begin;
    LimitCheck check;
    for (; k + repeats <= end; k += repeats) {
      check();
      LoadReals(type_, Term(o, k, 0), values, wide.lanes());
      wide.Add(values);
    }
    const std::int64_t left = (end - k) * inner_;
    LoadReals(type_, Term(o, k, 0), values, left);
    wide.AddToFirst(values, left);
    wide.MergeInto(inner_);
    for (std::int64_t i = 0; i < inner_; ++i) sums.Merge(i, wide.lane(i));
  }

  const PrimitiveType type_;
  const std::int64_t bytes_;
  const std::byte* const terms_;
  const std::int64_t outer_, n_, inner_;
  const std::byte* const inits_;
  const std::int64_t init_count_;
  std::byte* const out_;
  const bool is_quick_;
};

}  // namespace

void SumAxis(PrimitiveType type, const std::byte* terms, std::int64_t outer, std::int64_t n, std::int64_t inner,
             const std::byte* inits, std::int64_t init_count, std::byte* out) {
  AxisSum(type, terms, outer, n, inner, inits, init_count, out).Run();
}

}  // namespace assay
