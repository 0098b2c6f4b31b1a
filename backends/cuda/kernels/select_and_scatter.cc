// Select-and-scatter. The first launch finds the element that each window selects. In the second, each element of the
// result combines, in order, the sources of the windows that have selected it.
#include <fmt/format.h>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/folding.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/text.h"
#include "backends/cuda/kernels/windows.h"

namespace assay::cuda {
namespace {

WindowText WindowOfSelect(const HloInstruction& instruction) {
  return WindowText(instruction.window(), instruction.operand(0).shape.dimensions(),
                    instruction.operand(1).shape.dimensions());
}

bool TakesSelectAndScatter(const HloInstruction& instruction) {
  return HasAppliedText(instruction.Computation("select")) && Folding::Takes(instruction.Computation("scatter")) &&
         WindowOfSelect(instruction).Fits();
}
bool SelectAndScatterReadsAgain(const HloInstruction& instruction, std::size_t i) {
  return i == 2 || !WindowOfSelect(instruction).IsApart();
}

class SelectAndScatter {
 public:
  explicit SelectAndScatter(const HloComputation& fused)
      : fused_(fused),
        root_(*fused.root),
        window_(WindowOfSelect(root_)),
        is_wide_(IsWide(fused) || window_.IsWide()) {}

  KernelProgram Make() {
    KernelProgram program;
    if (ShapeUtil::ElementsIn(root_.shape) == 0) return program;
    const std::int64_t positions = ShapeUtil::ElementsIn(root_.operand(1).shape);
    if (positions > 0) {
      program.scratch_bytes.push_back(positions * (is_wide_ ? 8 : 4));
      Body body(is_wide_);
      ElementEmitter emitter(body);
      WriteSelection(positions, body, emitter);
      AddLaunch(program, positions, emitter, body);
    }
    Body body(is_wide_);
    ElementEmitter emitter(body);
    WriteResult(positions, body, emitter);
    AddLaunch(program, ShapeUtil::ElementsIn(root_.shape), emitter, body);
    return program;
  }

 private:
  void AddLaunch(KernelProgram& program, std::int64_t count, const ElementEmitter& emitter, const Body& body) {
    EntryText entry{.fused = fused_};
    if (!program.scratch_bytes.empty()) entry.scratch.emplace_back(body.index_type());
    program.launches.push_back(LaunchOf(entry, emitter, body, BlocksFor(count)));
  }

  void WriteSelection(std::int64_t positions, Body& body, ElementEmitter& emitter) {
    const HloInstruction& operand = root_.operand(0);
    DeclareThread(body, positions);
    body.Line(fmt::format("{} selected = -1;", body.index_type()));
    body.Line(fmt::format("{} chosen;", TypeText(operand.shape.element_type())));
    const auto position = body.PlacesOf(IndexText::AtOffset("i"), root_.operand(1).shape.dimensions());
    const IndexText index = {window_.OpenCells(body, position), {}};
    const std::string next = emitter.Element(operand, index);
    body.Line("bool is_kept = false;");
    body.Open("if (selected >= 0) {");
    const std::string arguments[] = {"chosen", next};
    const std::string keeps = Applied(root_.Computation("select"), arguments, body, emitter)[0];
    body.Line(fmt::format("is_kept = value({}) != 0;", keeps));
    body.Close();
    body.Open("if (!is_kept) {");
    body.Line(fmt::format("selected = {};", body.OffsetOf(index, operand.shape.dimensions())));
    body.Line(fmt::format("chosen = {};", next));
    body.Close();
    window_.Close(body);
    body.Line("x0[i] = selected;");
  }

  void WriteResult(std::int64_t positions, Body& body, ElementEmitter& emitter) {
    const HloInstruction &source = root_.operand(1), &init = root_.operand(2);
    const Folding folding(root_.Computation("scatter"));
    DeclareThread(body, ShapeUtil::ElementsIn(root_.shape));
    const std::string start = folding.OfElement(emitter.Element(init, IndexText::AtOffset("0")));
    body.Line(fmt::format("{} a0 = {};", folding.AccumulatorType(0), start));
    const std::string accumulator = "a0";
    if (positions > 0) {
      const auto at = body.PlacesOf(IndexText::AtOffset("i"), root_.shape.dimensions());
      IndexText index = {window_.OpenPositions(body, at), {}};
      index.offset = body.OffsetOf(index, source.shape.dimensions());
      body.Open(fmt::format("if (x0[{}] == i) {{", index.offset));
      const std::string element = emitter.Element(source, index);
      folding.Fold({&accumulator, 1}, {&element, 1}, body, emitter);
      body.Close();
      window_.Close(body);
    }
    body.Line(fmt::format("r0[i] = {};", folding.ToElement(0, accumulator)));
  }

  const HloComputation& fused_;
  const HloInstruction& root_;
  WindowText window_;
  bool is_wide_;
};

}  // namespace

const KernelKind kSelectAndScatterKind = {.name = "select-and-scatter",
                                          .takes = TakesSelectAndScatter,
                                          .reads_elements = ReadsAll,
                                          .reads_again = SelectAndScatterReadsAgain,
                                          .make = MakeBy<SelectAndScatter>};

}  // namespace assay::cuda
