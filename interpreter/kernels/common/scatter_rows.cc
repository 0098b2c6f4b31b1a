#include "interpreter/kernels/common/scatter_rows.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "interpreter/numerics/lane_sum.h"
#include "interpreter/numerics/quick_sum.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

using Windows = std::span<const ScatterWindows::Offsets>;

// In shorter rows, the elements of many rows are summed side by side (scatter_updates.cc).
constexpr std::int64_t kShortestRow = 8;

// True if the elements of a window are adjacent in an array with these strides.
bool AreAdjacent(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides) {
  std::int64_t inner = 1;
  for (std::size_t d = sizes.size(); d-- > 0; inner *= sizes[d]) {
    if (sizes[d] > 1 && strides[d] != inner) return false;
  }
  return true;
}

// Sorts windows by their offset in an operand of so many elements, stably and byte by byte.
void SortByOperand(std::vector<ScatterWindows::Offsets>& windows, std::int64_t elements) {
  std::vector<ScatterWindows::Offsets> sorted(windows.size());
  for (int shift = 0; shift < 64 && elements >> shift > 0; shift += 8) {
    const auto byte_of = [=](const ScatterWindows::Offsets& window) { return window.operand >> shift & 0xff; };
    std::array<std::size_t, 257> places = {};
    for (const auto& window : windows) ++places[byte_of(window) + 1];
    std::partial_sum(places.begin(), places.end(), places.begin());
    for (const auto& window : windows) sorted[places[byte_of(window)]++] = window;
    windows.swap(sorted);
  }
}

bool AreEqualOrDisjoint(Windows sorted, std::int64_t row) {
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const std::int64_t distance = sorted[i].operand - sorted[i - 1].operand;
    if (distance > 0 && distance < row) return false;
  }
  return true;
}

// Sums one target's row at a time, with the same memory. A row has one lane for each part of its elements.
class RowSums {
 public:
  RowSums(const Literal& update, std::int64_t row, std::byte* result)
      : type_(ComplexComponentType(update.element_type())),
        parts_(ComponentCount(update.element_type())),
        update_(update.data()),
        result_(result),
        quick_(type_, row * parts_),
        lanes_(row * parts_),
        values_(row * parts_),
        own_(row * bytes()) {}

  // Takes all windows of one target.
  void Sum(Windows windows) {
    std::byte* const out = result_ + windows[0].operand * bytes();
    std::copy_n(out, own_.size(), own_.begin());
    if (std::ssize(windows) > kMostQuickSumTerms || !HasQuickSums(type_) || !SumQuickly(windows, out)) {
      SumInLanes(windows, out);
    }
  }

 private:
  std::int64_t bytes() const { return StorageBytes(type_) * parts_; }
  const std::byte* UpdateAt(const ScatterWindows::Offsets& window) const { return update_ + window.update * bytes(); }

  bool SumQuickly(Windows windows, std::byte* out) {
    quick_.Clear();
    quick_.Add(own_.data());
    constexpr std::size_t kAhead = 8;  // updates of one target are far apart
    for (std::size_t i = 0; i < windows.size(); ++i) {
      if (i + kAhead < windows.size()) __builtin_prefetch(UpdateAt(windows[i + kAhead]));
      quick_.Add(UpdateAt(windows[i]));
    }
    return quick_.Store(out);
  }

  void SumInLanes(Windows windows, std::byte* out) {
    lanes_.Clear();
    const auto add = [&](const std::byte* row) {
      LoadReals(type_, row, values_.data(), lanes_.lanes());
      lanes_.Add(values_.data());
    };
    add(own_.data());
    for (const auto& window : windows) add(UpdateAt(window));
    lanes_.Store(type_, out, [&](std::int64_t lane, ExactSum& sum) {
      const auto add_exactly = [&](const std::byte* row) {
        double term;
        LoadReals(type_, row + lane * StorageBytes(type_), &term, 1);
        sum.Add(term);
      };
      add_exactly(own_.data());
      for (const auto& window : windows) add_exactly(UpdateAt(window));
    });
  }

  const PrimitiveType type_;
  const std::int64_t parts_;
  const std::byte* const update_;
  std::byte* const result_;
  QuickSums quick_;
  LaneSums lanes_;
  std::vector<double> values_;
  std::vector<std::byte> own_;  // the target's elements before the sum, which undecided results overwrite
};

}  // namespace

bool SumRowsExactly(ScatterWindows& windows, const Literal& update, Literal& result) {
  const std::int64_t row = Product(windows.sizes);
  if (row < kShortestRow || !AreAdjacent(windows.sizes, windows.operand_strides) ||
      !AreAdjacent(windows.sizes, windows.update_strides)) {
    return false;
  }
  SortByOperand(windows.offsets, result.element_count());
  const Windows sorted = windows.offsets;
  if (!AreEqualOrDisjoint(sorted, row)) return false;
  std::byte* const out = result.mutable_data();
  ParallelFor(std::ssize(sorted), GrainOfRows(row, kMovedPerPiece), [&](std::int64_t begin, std::int64_t end) {
    RowSums sums(update, row, out);
    LimitCheck check;
    const auto begins = [&](std::int64_t i) { return i == 0 || sorted[i].operand != sorted[i - 1].operand; };
    // The targets whose first window is in [begin, end).
    while (begin < end && !begins(begin)) ++begin;
    while (begin < end) {
      std::int64_t next = begin + 1;
      while (next < std::ssize(sorted) && !begins(next)) check(), ++next;
      sums.Sum(sorted.subspan(begin, next - begin));
      begin = next;
    }
  });
  return true;
}

}  // namespace assay
