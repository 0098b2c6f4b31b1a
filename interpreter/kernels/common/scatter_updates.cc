#include "interpreter/kernels/common/scatter_updates.h"

#include <algorithm>
#include <utility>

#include "interpreter/kernels/common/indexed_copy.h"
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

// Returns the updates element by element, in the order of their windows. Reuses the list of windows if each has one
// element: there is no memory for two lists of millions.
std::vector<Offsets> ElementsOf(ScatterWindows windows) {
  std::vector<Offsets> in_window;
  StridedWalk<2> walk(windows.sizes, {windows.operand_strides, windows.update_strides});
  walk.ForEach({0, 0}, [&](const std::int64_t(&at)[2]) { in_window.push_back({at[0], at[1]}); });
  if (in_window.size() == 1) return std::move(windows.offsets);
  std::vector<Offsets> elements;
  elements.reserve(windows.offsets.size() * in_window.size());
  LimitCheck check;
  for (const Offsets& window : windows.offsets) {
    check();
    for (const Offsets& element : in_window) {
      elements.push_back({window.operand + element.operand, window.update + element.update});
    }
  }
  return elements;
}

// The updates sorted by target, and the position of each target's first update. Updates of one target keep their order.
struct UpdatesByTarget {
  std::vector<Offsets> updates;
  std::vector<std::int64_t> first;  // and one more: the number of updates

  std::int64_t target_count() const { return static_cast<std::int64_t>(first.size()) - 1; }
  std::int64_t target(std::int64_t t) const { return updates[first[t]].operand; }
  std::int64_t update_count(std::int64_t t) const { return first[t + 1] - first[t]; }
};

UpdatesByTarget ByTarget(std::vector<Offsets> updates) {
  const auto is_before = [](const Offsets& a, const Offsets& b) { return a.operand < b.operand; };
  if (!std::ranges::is_sorted(updates, is_before)) std::ranges::stable_sort(updates, is_before);
  const std::size_t count = updates.size();
  const auto begins = [&](std::size_t i) { return i == 0 || updates[i].operand != updates[i - 1].operand; };
  std::int64_t target_count = 0;
  for (std::size_t i = 0; i < count; ++i) target_count += begins(i) ? 1 : 0;
  std::vector<std::int64_t> first;
  first.reserve(target_count + 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (begins(i)) first.push_back(i);
  }
  first.push_back(count);
  return {std::move(updates), std::move(first)};
}

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
void CombineInOrder(const UpdatesByTarget& grouped, const ScalarFunction& combiner, const std::vector<Literal>& updates,
                    std::vector<Literal>& results) {
  std::vector<MutableArray> out;
  for (Literal& result : results) out.push_back({result.mutable_data(), StorageBytes(result.element_type())});
  const auto combine = [&](std::int64_t round, std::int64_t count, const auto& target_at) {
    ParallelFor(count, kUpdatesPerCall, [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int64_t> targets, sources;
      for (std::int64_t i = begin; i < end; ++i) {
        const Offsets& update = grouped.updates[grouped.first[target_at(i)] + round];
        targets.push_back(update.operand);
        sources.push_back(update.update);
      }
      CombineDistinct(combiner, targets, sources, updates, out);
    });
  };
  combine(0, grouped.target_count(), [](std::int64_t t) { return t; });
  std::vector<std::int64_t> waiting;  // targets with further updates
  for (std::int64_t t = 0; t < grouped.target_count(); ++t) {
    if (grouped.update_count(t) > 1) waiting.push_back(t);
  }
  for (std::int64_t round = 1; !waiting.empty(); ++round) {
    combine(round, waiting.size(), [&](std::int64_t i) { return waiting[i]; });
    std::erase_if(waiting, [&](std::int64_t t) { return grouped.update_count(t) == round + 1; });
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

// Stores the sum of the operand's element and its updates for each of the targets [begin, end).
void SumTargets(const UpdatesByTarget& grouped, std::int64_t begin, std::int64_t end, const Literal& update,
                const Literal& operand, std::byte* result) {
  const PrimitiveType type = update.element_type();
  const std::int64_t components = ComponentCount(type);
  const std::int64_t first = grouped.first[begin];
  std::vector<std::int64_t> sources, targets;
  for (std::int64_t i = first; i < grouped.first[end]; ++i) sources.push_back(grouped.updates[i].update);
  for (std::int64_t t = begin; t < end; ++t) targets.push_back(grouped.target(t));
  const auto terms = Reals(update, sources);
  const auto initial = Reals(operand, targets);

  // Lane l is component l % components of target begin + l / components.
  const auto for_each_term = [&](std::int64_t lane, auto&& add) {
    const std::int64_t t = begin + lane / components, component = lane % components;
    add(initial[lane]);
    for (std::int64_t i = grouped.first[t]; i < grouped.first[t + 1]; ++i) {
      add(terms[(i - first) * components + component]);
    }
  };
  LaneSums sums(static_cast<std::int64_t>(targets.size()) * components);
  for (std::int64_t lane = 0; lane < sums.lanes(); ++lane) {
    for_each_term(lane, [&](double term) { sums.AddTo(lane, term); });
  }
  std::vector<std::byte> rounded(targets.size() * StorageBytes(type));
  sums.Store(ComplexComponentType(type), rounded.data(),
             [&](std::int64_t lane, ExactSum& sum) { for_each_term(lane, [&](double term) { sum.Add(term); }); });
  ScatterElements(StorageBytes(type), rounded.data(), targets, result);
}

void SumExactly(const UpdatesByTarget& grouped, const Literal& update, Literal& result) {
  std::byte* out = result.mutable_data();
  ParallelFor(grouped.target_count(), kUpdatesPerCall,
              [&](std::int64_t begin, std::int64_t end) { SumTargets(grouped, begin, end, update, result, out); });
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
  const UpdatesByTarget grouped = ByTarget(ElementsOf(std::move(windows)));
  if (!is_exact_sum) return CombineInOrder(grouped, combiner, updates, results);
  for (std::size_t i = 0; i < updates.size(); ++i) SumExactly(grouped, updates[i], results[i]);
}

}  // namespace assay
