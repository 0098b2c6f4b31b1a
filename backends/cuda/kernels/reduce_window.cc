// Windows folded by a computation: one thread per position, or several threads for long windows at few positions.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/doubts.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/folding.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/sums.h"
#include "backends/cuda/kernels/tree.h"
#include "backends/cuda/kernels/windows.h"

namespace assay::cuda {
namespace {

// The least number of cells for threads to share a position.
constexpr std::int64_t kLongWindow = 256;
constexpr std::int64_t kMostSharedCells = 1 << 29;
// The limit of steps. Beyond it the host is faster, because its windows slide.
constexpr std::int64_t kMostWindowSteps = std::int64_t{1} << 36;

WindowText WindowOfReduce(const HloInstruction& reduce_window) {
  return WindowText(reduce_window.window(), reduce_window.operand(0).shape.dimensions(),
                    ResultShape(reduce_window).dimensions());
}

bool TakesReduceWindow(const HloInstruction& reduce_window) {
  const WindowText window = WindowOfReduce(reduce_window);
  return Folding::Takes(reduce_window.Computation("to_apply")) && window.Fits() &&
         window.cell_count() <= kMostWindowSteps / (1 + ShapeUtil::ElementsIn(ResultShape(reduce_window)));
}
bool ReduceWindowReadsAgain(const HloInstruction& reduce_window, std::size_t i) {
  return i >= reduce_window.operands.size() / 2 || !WindowOfReduce(reduce_window).IsApart();
}

// True if the result is the same in any order, or if a thread folds cell by cell as the reference does.
bool IsExactReduceWindow(const HloInstruction& reduce_window) {
  const HloComputation& computation = reduce_window.Computation("to_apply");
  return IsSameInAnyOrder(reduce_window) || (HasExactApplication(computation) && !Folding(computation).IsFree());
}
bool TakesExactReduceWindow(const HloInstruction& reduce_window) {
  return TakesReduceWindow(reduce_window) && IsExactSum(reduce_window);
}

// Returns the terms: the elements under the window, -0 for a cell without an element, and the initial value.
TermTexts TermsOf(const HloInstruction& root, WindowText& window) {
  const bool has_elements = ShapeUtil::ElementsIn(root.operand(0).shape) > 0;
  TermTexts terms{.result = root.shape.element_type(), .n = has_elements ? window.all_cells() + 1 : 1, .write = {}};
  terms.write = [&, has_elements, terms](Body& body, ElementEmitter& emitter, const std::string& o,
                                         const std::string& k) {
    const auto write = [&](const HloInstruction& operand, const IndexText& index) {
      WriteFactor(body, terms, 0, fmt::format("value({})", emitter.Element(operand, index)));
    };
    if (has_elements) {
      body.Open(fmt::format("if ({} < {}) {{", k, window.all_cells()));
      const std::vector<std::string> position = body.PlacesOf(IndexText::AtOffset(o), root.shape.dimensions());
      const std::vector<std::string> cell = body.PlacesOf(IndexText::AtOffset(k), window.sizes());
      std::string condition;
      const IndexText index = {window.Element(body, position, cell, condition), {}};
      body.Open(fmt::format("if ({}) {{", condition.empty() ? "true" : condition));
      write(root.operand(0), index);
      body.Close();
      body.Open("else {");
      WriteFactor(body, terms, 0, IsComplexType(terms.result) ? "complex{-0.0, -0.0}" : "-0.0");
      body.Close();
      body.Line("return;");
      body.Close();
    }
    write(root.operand(1), IndexText::AtOffset("0"));
  };
  return terms;
}

KernelProgram MakeReduceWindowProgram(const HloComputation& fused, bool is_exact) {
  const HloInstruction& root = *fused.root;
  const Shape& shape = ResultShape(root);
  const std::int64_t count = ShapeUtil::ElementsIn(shape);
  KernelProgram program;
  if (count == 0) return program;
  const Folding folding = is_exact ? WideSums(shape.element_type()) : Folding(root.Computation("to_apply"));
  WindowText window = WindowOfReduce(root);
  if (is_exact) {
    AddDoubts(program, fused);
    AddTerms(program, fused, TermsOf(root, window));
  }
  Body body(IsWide(fused) || window.IsWide());
  ElementEmitter emitter(body);
  const auto elements = [&](std::size_t first, const IndexText& index) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < folding.size(); ++i) {
      names.push_back(emitter.Element(root.operand(static_cast<std::int64_t>(first + i)), index));
    }
    return names;
  };
  const auto inits = [&] {
    std::vector<std::string> names = elements(folding.size(), IndexText::AtOffset("0"));
    for (std::string& name : names) name = folding.OfElement(name);
    return names;
  };
  const auto write = [&](std::span<const std::string> accumulators) {
    if (is_exact) return StoreSum(body, accumulators[0], "o", IsLong(shape.element_type()));
    for (std::size_t i = 0; i < folding.size(); ++i) {
      body.Line(fmt::format("r{}[o] = {};", i, folding.ToElement(i, accumulators[i])));
    }
  };

  const bool has_elements = ShapeUtil::ElementsIn(root.operand(0).shape) > 0;
  Tree tree{.count = count, .n = 1, .is_row = true, .part = 1};
  // Threads that share a position visit all cells, including those on padding.
  const bool is_long = has_elements && folding.IsFree() && window.cell_count() >= kLongWindow &&
                       window.all_cells() <= std::min(4 * window.cell_count(), kMostSharedCells);
  if (is_long) {
    tree = SharedTree(folding, count, window.all_cells(), /*is_row=*/true, /*may_split=*/false);
  }
  tree.Declare(body);
  const std::vector<std::string> position = body.PlacesOf(IndexText::AtOffset("o"), shape.dimensions());
  if (is_long) {
    const auto add = [&](std::span<const std::string> accumulators, const std::string& k) {
      std::string condition;
      const std::vector<std::string> cell = body.PlacesOf(IndexText::AtOffset(k), window.sizes());
      const IndexText index = {window.Element(body, position, cell, condition), {}};
      body.Open(fmt::format("if ({}) {{", condition.empty() ? "true" : condition));
      folding.Fold(accumulators, elements(0, index), body, emitter);
      body.Close();
    };
    WriteTree(tree, folding, {.add = add, .inits = inits, .write = write}, body, emitter);
  } else {
    std::vector<std::string> accumulators;
    const std::vector<std::string> starts = inits();
    for (std::size_t i = 0; i < folding.size(); ++i) {
      accumulators.push_back(fmt::format("a{}", i));
      body.Line(fmt::format("{} a{} = {};", folding.AccumulatorType(i), i, starts[i]));
    }
    if (has_elements) {
      folding.Fold(accumulators, elements(0, {window.OpenCells(body, position), {}}), body, emitter);
      window.Close(body);
    }
    write(accumulators);
  }
  EntryText entry{.fused = fused};
  if (is_exact) entry.scratch.emplace_back("u64");
  program.launches.push_back(LaunchOf(entry, emitter, body, tree.Blocks()));
  return program;
}

KernelProgram MakeReduceWindow(const HloComputation& fused) {
  return MakeReduceWindowProgram(fused, /*is_exact=*/false);
}
KernelProgram MakeExactReduceWindow(const HloComputation& fused) {
  return MakeReduceWindowProgram(fused, /*is_exact=*/true);
}

}  // namespace

const KernelKind kReduceWindowKind = {.name = "reduce-window",
                                      .takes = TakesReduceWindow,
                                      .reads_elements = ReadsAll,
                                      .reads_again = ReduceWindowReadsAgain,
                                      .is_exact = IsExactReduceWindow,
                                      .make = MakeReduceWindow};

const KernelKind kExactReduceWindowKind = {.name = "exact reduce-window",
                                           .ops = [] { return std::vector<std::string_view>{"reduce-window"}; },
                                           .takes = TakesExactReduceWindow,
                                           .reads_elements = ReadsAll,
                                           .reads_again = ReduceWindowReadsAgain,
                                           .is_exact = IsAlwaysExact,
                                           .make = MakeExactReduceWindow};

}  // namespace assay::cuda
