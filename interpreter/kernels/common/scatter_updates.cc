#include "interpreter/kernels/common/scatter_updates.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "interpreter/kernels/common/indexed_copy.h"
#include "interpreter/kernels/common/scatter_rows.h"
#include "interpreter/numerics/lane_sum.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

constexpr std::int64_t kUpdatesPerCall = 4096;  // the largest number of updates in one call of the combiner

using Offsets = ScatterWindows::Offsets;

// The updates element by element, sorted by target. Updates of one target keep the order of their windows. There may be
// millions, so no second list of them is made where the sort can do without.
class UpdatesByTarget {
 public:
  explicit UpdatesByTarget(ScatterWindows windows) {
    std::vector<Offsets> in_window;
    StridedWalk<2> walk(windows.sizes, {windows.operand_strides, windows.update_strides});
    walk.ForEach({0, 0}, [&](const std::int64_t(&at)[2]) { in_window.push_back({at[0], at[1]}); });
    const auto is_before = [](const Offsets& a, const Offsets& b) { return a.operand < b.operand; };
    if (in_window.size() == 1) {
      updates_ = std::move(windows.offsets);
      // The places of such windows in the updates increase, so this order is stable.
      if (!std::ranges::is_sorted(updates_, is_before)) std::ranges::sort(updates_, std::less(), Place);
      return;
    }
    updates_.reserve(windows.offsets.size() * in_window.size());
    LimitCheck check;
    for (const Offsets& window : windows.offsets) {
      check();
      for (const Offsets& element : in_window) {
        updates_.push_back({window.operand + element.operand, window.update + element.update});
      }
    }
    if (!std::ranges::is_sorted(updates_, is_before)) std::ranges::stable_sort(updates_, is_before);
  }

  std::int64_t size() const { return std::ssize(updates_); }
  const Offsets& operator[](std::int64_t i) const { return updates_[i]; }
  // True if update i is a target's first one. The number of updates counts as one too: it ends the last target.
  bool Begins(std::int64_t i) const { return i == 0 || i == size() || updates_[i].operand != updates_[i - 1].operand; }
  // Returns the end of the updates of the target of update i.
  std::int64_t EndOfTarget(std::int64_t i) const {
    if (Begins(i + 1)) return i + 1;
    return std::ranges::upper_bound(updates_.begin() + i, updates_.end(), updates_[i].operand, {}, &Offsets::operand) -
           updates_.begin();
  }

 private:
  static std::pair<std::int64_t, std::int64_t> Place(const Offsets& update) { return {update.operand, update.update}; }

  std::vector<Offsets> updates_;
};

struct MutableArray {
  std::byte* data;
  int element_bytes;
};

// Calls the combiner once for updates of different targets.
void CombineDistinct(const ScalarFunction& combiner, std::span<const std::int64_t> targets,
                     std::span<const std::int64_t> sources, const std::vector<Literal>& updates,
                     const std::vector<MutableArray>& results) {
  std::vector<std::vector<std::byte>> blocks;
  std::vector<const std::byte*> inputs;
  std::vector<std::byte*> outputs;
  const auto gather = [&](const std::byte* from, int bytes, std::span<const std::int64_t> offsets) {
    std::vector<std::byte>& block = blocks.emplace_back(offsets.size() * bytes);
    GatherElements(bytes, from, offsets, block.data());
    inputs.push_back(block.data());
  };
  for (const MutableArray& result : results) gather(result.data, result.element_bytes, targets);
  for (const Literal& update : updates) gather(update.data(), StorageBytes(update.element_type()), sources);
  for (std::size_t i = 0; i < results.size(); ++i) outputs.push_back(blocks[i].data());
  combiner.Apply(inputs, outputs, targets.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    ScatterElements(results[i].element_bytes, blocks[i].data(), targets, results[i].data);
  }
}

// Combines in rounds: the first updates of all targets, then the second ones, ... Within a round every target occurs
// once.
void CombineInOrder(const UpdatesByTarget& sorted, const ScalarFunction& combiner, const std::vector<Literal>& updates,
                    std::vector<Literal>& results) {
  std::vector<MutableArray> out;
  for (Literal& result : results) out.push_back({result.mutable_data(), StorageBytes(result.element_type())});
  // Combines the updates of one round. There is none where `update_at` returns a negative number.
  const auto combine = [&](std::int64_t count, const auto& update_at) {
    ParallelFor(count, kUpdatesPerCall, [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int64_t> targets, sources;
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t at = update_at(i);
        if (at < 0) continue;
        targets.push_back(sorted[at].operand);
        sources.push_back(sorted[at].update);
      }
      CombineDistinct(combiner, targets, sources, updates, out);
    });
  };
  combine(sorted.size(), [&](std::int64_t i) { return sorted.Begins(i) ? i : -1; });
  std::vector<std::int64_t> waiting;  // the second updates of targets that have one, then the third ones, ...
  for (std::int64_t i = 1; i < sorted.size(); ++i) {
    if (sorted.Begins(i - 1) && !sorted.Begins(i)) waiting.push_back(i);
  }
  while (!waiting.empty()) {
    combine(std::ssize(waiting), [&](std::int64_t i) { return waiting[i]; });
    for (std::int64_t& at : waiting) ++at;
    std::erase_if(waiting, [&](std::int64_t at) { return sorted.Begins(at); });
  }
}

std::vector<double> Reals(const Literal& values, std::span<const std::int64_t> offsets) {
  const PrimitiveType type = values.element_type();
  const int bytes = StorageBytes(type);
  std::vector<std::byte> elements(offsets.size() * bytes);
  GatherElements(bytes, values.data(), offsets, elements.data());
  const std::int64_t components = ComponentCount(type);
  std::vector<double> reals(offsets.size() * components);
  LoadReals(ComplexComponentType(type), elements.data(), reals.data(), reals.size());
  return reals;
}

// Stores the sums of the operand's elements and their updates for the targets whose first update is in [begin, end).
void SumTargets(const UpdatesByTarget& sorted, std::int64_t begin, std::int64_t end, const Literal& update,
                const Literal& operand, std::byte* result) {
  const PrimitiveType type = update.element_type();
  const std::int64_t components = ComponentCount(type);
  std::vector<std::int64_t> targets, firsts, sources;
  for (std::int64_t i = sorted.Begins(begin) ? begin : sorted.EndOfTarget(begin); i < end; i = sorted.EndOfTarget(i)) {
    targets.push_back(sorted[i].operand);
    firsts.push_back(i);
  }
  if (targets.empty()) return;
  firsts.push_back(sorted.EndOfTarget(firsts.back()));
  for (std::int64_t i = firsts.front(); i < firsts.back(); ++i) sources.push_back(sorted[i].update);
  const auto terms = Reals(update, sources);
  const auto initial = Reals(operand, targets);

  // Lane l is component l % components of target l / components.
  const auto for_each_term = [&](std::int64_t lane, auto&& add) {
    const std::int64_t t = lane / components, component = lane % components;
    add(initial[lane]);
    for (std::int64_t i = firsts[t]; i < firsts[t + 1]; ++i) add(terms[(i - firsts[0]) * components + component]);
  };
  LaneSums sums(std::ssize(targets) * components);
  for (std::int64_t lane = 0; lane < sums.lanes(); ++lane) {
    for_each_term(lane, [&](double term) { sums.AddTo(lane, term); });
  }
  std::vector<std::byte> rounded(targets.size() * StorageBytes(type));
  sums.Store(ComplexComponentType(type), rounded.data(),
             [&](std::int64_t lane, ExactSum& sum) { for_each_term(lane, [&](double term) { sum.Add(term); }); });
  ScatterElements(StorageBytes(type), rounded.data(), targets, result);
}

void SumExactly(const UpdatesByTarget& sorted, const Literal& update, Literal& result) {
  std::byte* out = result.mutable_data();
  ParallelFor(sorted.size(), kUpdatesPerCall,
              [&](std::int64_t begin, std::int64_t end) { SumTargets(sorted, begin, end, update, result, out); });
}

}  // namespace

void OverwriteWindows(const ScatterWindows& windows, const Literal& update, Literal& result) {
  const int bytes = StorageBytes(update.element_type());
  const StridedCopy copy(bytes, windows.sizes, windows.update_strides, windows.operand_strides);
  std::byte* out = result.mutable_data();
  if (windows.offsets.size() == 1) {
    const auto [operand_offset, update_offset] = windows.offsets[0];
    return copy.ParallelCopy(update.data() + update_offset * bytes, out + operand_offset * bytes);
  }
  LimitCheck check;
  for (const ScatterWindows::Offsets& offsets : windows.offsets) {
    check();
    copy.Copy(update.data() + offsets.update * bytes, out + offsets.operand * bytes);
  }
}

void CombineWindows(ScatterWindows windows, bool is_exact_sum, const ScalarFunction& combiner,
                    const std::vector<Literal>& updates, std::vector<Literal>& results) {
  if (is_exact_sum && updates.size() == 1 && SumRowsExactly(windows, updates[0], results[0])) return;
  const UpdatesByTarget sorted(std::move(windows));
  if (!is_exact_sum) return CombineInOrder(sorted, combiner, updates, results);
  for (std::size_t i = 0; i < updates.size(); ++i) SumExactly(sorted, updates[i], results[i]);
}

}  // namespace assay
