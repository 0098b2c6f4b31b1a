#include "interpreter/numerics/cumulative_sum.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "interpreter/numerics/exact_sum.h"
#include "interpreter/numerics/lane_sum.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// Lanes of one pass: their data fits the L1 cache.
constexpr std::int64_t kScanLanes = 256;

// One block of lanes, from the first step to the last.
class LaneBlock {
 public:
  // Term k of lane i is at terms + (k step_stride + i), in elements; results likewise.
  LaneBlock(PrimitiveType type, const std::byte* terms, std::int64_t step_stride, const std::byte* inits,
            std::int64_t lanes, std::byte* out)
      : type_(type),
        bytes_(StorageBytes(type)),
        terms_(terms),
        step_stride_(step_stride),
        out_(out),
        sums_(lanes),
        values_(lanes),
        exact_(lanes) {
    LoadReals(type, inits, values_.data(), lanes);
    inits_ = values_;
    sums_.Add(values_.data());
  }

  void Run(std::int64_t n, bool is_reverse) {
    LimitCheck check;
    for (std::int64_t step = 0; step < n; ++step) {
      const auto place_of = [&](std::int64_t s) { return (is_reverse ? n - 1 - s : s) * step_stride_ * bytes_; };
      check();
      LoadReals(type_, terms_ + place_of(step), values_.data(), sums_.lanes());
      sums_.Add(values_.data());
      sums_.Store(type_, out_ + place_of(step), [&](std::int64_t lane, ExactSum& sum) {
        sum.Merge(ExactUpTo(step, lane, [&](std::int64_t s) { return terms_ + place_of(s) + lane * bytes_; }));
      });
    }
  }

 private:
  // An exact sum that continues from the last step at which a lane needed one.
  struct Running {
    ExactSum sum;
    std::int64_t next = 0;
  };

  template <class TermAt>
  const ExactSum& ExactUpTo(std::int64_t step, std::int64_t lane, TermAt term_at) {
    std::unique_ptr<Running>& running = exact_[lane];
    if (running == nullptr) {
      running = std::make_unique<Running>();
      running->sum.Add(inits_[lane]);
    }
    for (; running->next <= step; ++running->next) {
      double term;
      LoadReals(type_, term_at(running->next), &term, 1);
      running->sum.Add(term);
    }
    return running->sum;
  }

  const PrimitiveType type_;
  const std::int64_t bytes_;
  const std::byte* const terms_;
  const std::int64_t step_stride_;
  std::byte* const out_;
  LaneSums sums_;
  std::vector<double> values_, inits_;
  std::vector<std::unique_ptr<Running>> exact_;
};

}  // namespace

void CumulativeSums(PrimitiveType type, const std::byte* terms, std::int64_t outer, std::int64_t n, std::int64_t inner,
                    const std::byte* inits, bool is_reverse, std::byte* out) {
  const std::int64_t bytes = StorageBytes(type), blocks = (inner + kScanLanes - 1) / kScanLanes;
  ParallelFor(outer * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) {
      const std::int64_t o = block / blocks, first = block % blocks * kScanLanes;
      const std::int64_t at = (o * n * inner + first) * bytes;
      LaneBlock(type, terms + at, inner, inits + (o * inner + first) * bytes, std::min(kScanLanes, inner - first),
                out + at)
          .Run(n, is_reverse);
    }
  });
}

}  // namespace assay
