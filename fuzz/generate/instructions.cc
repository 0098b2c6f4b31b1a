#include "fuzz/generate/instructions.h"

#include <algorithm>
#include <vector>

#include "fuzz/generate/element_wise.h"
#include "fuzz/generate/ops/drawings.h"

namespace assay::generate {
namespace {

// Returns null for an op that cannot be drawn. An op with a function of its own need not be element-wise although it
// has a kernel.
Drawing DrawingOf(const Op& op) {
  const auto drawings = OpDrawings();
  const auto at = std::ranges::lower_bound(drawings, op.name, {}, &OpDrawing::op);
  if (at != drawings.end() && at->op == op.name) return at->draw;
  return op.evaluation.kernel == nullptr ? nullptr : DrawElementWise;
}

// The draws for an attribute of a class. A class that fewer than one draw in ten reaches may be missed.
constexpr int kMostTries = 12;

}  // namespace

std::span<const Op* const> DrawableOps() {
  static const std::vector<const Op*> drawable = [] {
    std::vector<const Op*> ops;
    std::ranges::copy_if(AllOps(), std::back_inserter(ops), [](const Op* op) { return DrawingOf(*op) != nullptr; });
    return ops;
  }();
  return drawable;
}

Result<DrawnInstruction> TryDrawInstruction(Random& random, const Op& op, const DrawConstraints& constraints) {
  InstructionDrawer drawer(op, random, constraints);
  return drawer.Finish(DrawingOf(op)(drawer));
}

DrawnInstruction DrawInstruction(Random& random, const Op& op, const DrawConstraints& constraints) {
  for (int i = 0; constraints.attribute_class && i < kMostTries; ++i) {
    Result<DrawnInstruction> drawn = TryDrawInstruction(random, op, constraints);
    if (drawn && IsOf(*drawn->drawn, *constraints.attribute_class)) return *std::move(drawn);
  }
  DrawConstraints others = constraints;
  others.attribute_class.reset();
  while (true) {
    if (Result<DrawnInstruction> drawn = TryDrawInstruction(random, op, others)) return *std::move(drawn);
  }
}

}  // namespace assay::generate
