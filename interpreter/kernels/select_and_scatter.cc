// Selects in whole blocks of positions, one cell after the other. Then sorts the sources by their target elements.
#include <algorithm>
#include <vector>

#include "interpreter/kernels/common/window_walk.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/lane_sum.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/fold_rules.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

constexpr std::int64_t kNone = -1;

// Selects an element for each position of a block among those under the window, visited in canonical order. The
// selected one stays while select(selected, next) holds. Writes kNone if the window is over padding only.
void SelectInBlock(const ScalarFunction& select, const WindowWalk& walk, const PositionBlock& block,
                   const std::byte* elements, int bytes, std::int64_t* selected) {
  std::fill(selected, selected + block.count, kNone);
  std::vector<std::byte> chosen(block.count * bytes), current(block.count * bytes), next(block.count * bytes);
  std::vector<std::byte> keeps(block.count);
  std::vector<ElementRun> runs;
  const std::byte* const inputs[] = {current.data(), next.data()};
  std::byte* const output = keeps.data();
  for (std::int64_t cell = 0; cell < walk.cell_count(); ++cell) {
    CheckLimits();
    walk.FindRuns(block, cell, runs);
    GatherElements(runs, bytes, elements, next.data());
    GatherPositions(runs, bytes, chosen.data(), current.data());
    // The first element is selected whatever `select` returns: it is compared with itself.
    std::int64_t k = 0;
    for (const ElementRun& run : runs) {
      for (std::int64_t t = 0; t < run.count; ++t, ++k) {
        const bool is_first = selected[run.first_position + t * run.position_step] == kNone;
        if (is_first) std::copy_n(next.data() + k * bytes, bytes, current.data() + k * bytes);
      }
    }
    if (k > 0) select.Apply(inputs, {&output, 1}, k);
    k = 0;
    for (const ElementRun& run : runs) {
      for (std::int64_t t = 0; t < run.count; ++t, ++k) {
        const std::int64_t position = run.first_position + t * run.position_step;
        if (selected[position] != kNone && keeps[k] != std::byte{0}) continue;
        selected[position] = run.first_element + t * run.element_step;
        std::copy_n(next.data() + k * bytes, bytes, chosen.data() + position * bytes);
      }
    }
  }
}

// The source's offsets in the order of their target elements. Sources of one element keep the canonical order. Sources
// without a target are omitted.
struct SourcesByTarget {
  std::vector<std::int64_t> sources;
  std::vector<std::int64_t> begin;  // for element e: sources[begin[e]] to sources[begin[e + 1]]
};

SourcesByTarget SortByTarget(std::span<const std::int64_t> selected, std::int64_t elements) {
  SourcesByTarget c;
  c.begin.assign(elements + 1, 0);
  for (std::int64_t e : selected) {
    if (e != kNone) ++c.begin[e + 1];
  }
  for (std::int64_t e = 0; e < elements; ++e) c.begin[e + 1] += c.begin[e];
  c.sources.resize(c.begin.back());
  std::vector<std::int64_t> next(c.begin.begin(), c.begin.end() - 1);
  for (std::size_t i = 0; i < selected.size(); ++i) {
    if (selected[i] != kNone) c.sources[next[selected[i]]++] = static_cast<std::int64_t>(i);
  }
  return c;
}

void ScatterBySum(const SourcesByTarget& c, const Literal& source, const Literal& init, Literal& result) {
  const PrimitiveType type = ComplexComponentType(result.element_type());
  const int parts = ComponentCount(result.element_type());
  const int bytes = StorageBytes(type);
  const auto load = [&](const Literal& from, std::int64_t i) {
    double value;
    LoadReals(type, from.data() + i * bytes, &value, 1);
    return value;
  };
  std::byte* const out = result.mutable_data();
  ParallelFor(result.element_count() * parts, kDearPerPiece, [&](std::int64_t begin, std::int64_t end) {
    LaneSums sums(end - begin);
    const auto for_each_term = [&](std::int64_t i, auto visit) {
      visit(load(init, i % parts));
      for (std::int64_t k = c.begin[i / parts]; k < c.begin[i / parts + 1]; ++k) {
        visit(load(source, c.sources[k] * parts + i % parts));
      }
    };
    for (std::int64_t i = begin; i < end; ++i) {
      for_each_term(i, [&](double term) { sums.AddTo(i - begin, term); });
    }
    sums.Store(type, out + begin * bytes, [&](std::int64_t lane, ExactSum& exact) {
      for_each_term(begin + lane, [&](double term) { exact.Add(term); });
    });
  });
}

// Folds the sources of each element in order: the first ones of all elements together, then the second ones, ...
void ScatterByFold(const ScalarFunction& scatter, const SourcesByTarget& c, const Literal& source, Literal& result) {
  const int bytes = StorageBytes(result.element_type());
  std::byte* const out = result.mutable_data();
  std::vector<std::int64_t> waiting;  // elements with sources left
  for (std::int64_t e = 0; e < result.element_count(); ++e) {
    if (c.begin[e] < c.begin[e + 1]) waiting.push_back(e);
  }
  std::vector<std::byte> accumulators(waiting.size() * bytes), values(waiting.size() * bytes);
  const std::byte* const inputs[] = {accumulators.data(), values.data()};
  std::byte* const output = accumulators.data();
  for (std::int64_t round = 0; !waiting.empty(); ++round) {
    CheckLimits();
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      const std::int64_t from = c.sources[c.begin[waiting[k]] + round];
      std::copy_n(out + waiting[k] * bytes, bytes, accumulators.data() + k * bytes);
      std::copy_n(source.data() + from * bytes, bytes, values.data() + k * bytes);
    }
    scatter.Apply(inputs, {&output, 1}, static_cast<std::int64_t>(waiting.size()));
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      std::copy_n(accumulators.data() + k * bytes, bytes, out + waiting[k] * bytes);
    }
    std::erase_if(waiting, [&](std::int64_t e) { return c.begin[e] + round + 1 == c.begin[e + 1]; });
  }
}

Literal EvaluateSelectAndScatter(const HloInstruction& op, std::span<Literal> operands, Evaluation& evaluation) {
  const Literal& operand = operands[0];
  const auto select = evaluation.Scalar(op.Computation("select"));
  const WindowWalk walk(operand.shape().dimensions(), op.window());
  const int bytes = StorageBytes(operand.element_type());
  std::vector<std::int64_t> selected(walk.position_count());
  ParallelFor(walk.block_count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const PositionBlock block = walk.block(i);
      SelectInBlock(*select, walk, block, operand.data(), bytes, selected.data() + block.first);
    }
  });
  const SourcesByTarget contributions = SortByTarget(selected, operand.element_count());
  Literal result = Filled(op.shape, operands[2]);
  if (IsExactSum(op.Computation("scatter"))) {
    ScatterBySum(contributions, operands[1], operands[2], result);
  } else {
    ScatterByFold(*evaluation.Scalar(op.Computation("scatter")), contributions, operands[1], result);
  }
  return result;
}

}  // namespace

const OpKernel kernel_select_and_scatter = {.op = &op_select_and_scatter, .evaluate = EvaluateSelectAndScatter};

}  // namespace assay
