// dynamic-update-slice: one thread for each element of the update where the operand's memory becomes the result's, else
// one for each element of the result.
#include <fmt/format.h>

#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

std::vector<std::string_view> Ops() { return {"dynamic-update-slice"}; }

bool Takes(const HloInstruction& update_slice) {
  const PrimitiveType type = update_slice.shape.element_type();
  return update_slice.operand(0).shape.element_type() == type && update_slice.operand(1).shape.element_type() == type;
}

// Not the operand, which may become the result.
bool ReadsElements(const HloInstruction&, std::size_t i) { return i > 0; }
bool ReadsAgain(const HloInstruction&, std::size_t i) { return i > 1; }

// Where the update starts in each dimension.
std::vector<std::string> Starts(const HloInstruction& root, ElementEmitter& emitter) {
  const bool is_vector = root.operands.size() == 3 && root.operand(2).shape.rank() == 1;
  std::vector<std::string> starts;
  for (std::int64_t d = 0; d < root.shape.rank(); ++d) {
    const IndexText place = IndexText::AtOffset(is_vector ? fmt::format("{}", d) : "0");
    const std::int64_t last = root.shape.dimensions(d) - root.operand(1).shape.dimensions(d);
    starts.push_back(emitter.Start(root.operand(is_vector ? 2 : d + 2), place, last));
  }
  return starts;
}

void WriteUpdate(const HloInstruction& root, Body& body, ElementEmitter& emitter) {
  const HloInstruction& update = root.operand(1);
  DeclareThread(body, ShapeUtil::ElementsIn(update.shape));
  const IndexText index = IndexText::AtOffset("i");
  const std::string element = emitter.Element(update, index);
  IndexText to{.at = body.PlacesOf(index, update.shape.dimensions()), .offset = {}};
  const std::vector<std::string> starts = Starts(root, emitter);
  for (std::size_t d = 0; d < starts.size(); ++d) to.at[d] = body.Sum(to.at[d], starts[d]);
  body.Line(fmt::format("r0[{}] = {};", body.OffsetOf(to, root.shape.dimensions()), element));
}

void WriteResult(const HloInstruction& root, Body& body, ElementEmitter& emitter) {
  const HloInstruction& update = root.operand(1);
  DeclareThread(body, ShapeUtil::ElementsIn(root.shape));
  const IndexText index = IndexText::AtOffset("i");
  const std::vector<std::string> starts = Starts(root, emitter);
  IndexText from{.at = body.PlacesOf(index, root.shape.dimensions()), .offset = {}};
  std::string inside;
  for (std::size_t d = 0; d < starts.size(); ++d) {
    const auto dimension = static_cast<std::int64_t>(d);
    const std::int64_t size = update.shape.dimensions(dimension);
    if (size == root.shape.dimensions(dimension)) continue;
    from.at[d] = body.Name(body.index_type(), fmt::format("{} - {}", from.at[d], starts[d]));
    inside += fmt::format("{}{} >= 0 && {} < {}", inside.empty() ? "" : " && ", from.at[d], from.at[d], size);
  }
  if (from.at.empty() || inside.empty()) from = index;
  if (ShapeUtil::ElementsIn(update.shape) == 0) inside = "false";
  if (inside != "false") {
    body.Open(inside.empty() ? "{" : fmt::format("if ({}) {{", inside));
    body.Line(fmt::format("r0[i] = {};", emitter.Element(update, from)));
    body.Line("return;");
    body.Close();
  }
  if (!inside.empty()) body.Line(fmt::format("r0[i] = {};", emitter.Element(root.operand(0), index)));
}

KernelProgram Make(const HloComputation& fused) {
  const HloInstruction& root = *fused.root;
  const std::int64_t count = ShapeUtil::ElementsIn(root.shape);
  const std::int64_t updated = ShapeUtil::ElementsIn(root.operand(1).shape);
  KernelProgram program;
  if (count == 0) return program;
  if (updated < count) program.updated_operand = UpdatedParameter(fused);
  const bool is_in_place = program.updated_operand >= 0;
  if (is_in_place && updated == 0) return program;
  Body body(IsWide(fused));
  ElementEmitter emitter(body);
  (is_in_place ? WriteUpdate : WriteResult)(root, body, emitter);
  const EntryText entry = {.fused = fused};
  program.launches.push_back({.text = TextOf(entry, emitter, body),
                              .blocks = BlocksFor(is_in_place ? updated : count),
                              .threads = kThreads,
                              .arguments = ArgumentsOf(entry)});
  return program;
}

}  // namespace

extern const KernelKind kDynamicUpdateSliceKind;
const KernelKind kDynamicUpdateSliceKind = {.name = "dynamic-update-slice",
                                            .ops = Ops,
                                            .takes = Takes,
                                            .reads_elements = ReadsElements,
                                            .reads_again = ReadsAgain,
                                            .make = Make};

}  // namespace assay::cuda
