// Dynamic-update-slice. If the operand's memory becomes the result's, one thread writes each element of the update;
// otherwise one thread writes each element of the result. An update that is computed from the operand itself is first
// stored elsewhere.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/emitter.h"
#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

bool TakesDynamicUpdateSlice(const HloInstruction& update_slice) {
  const PrimitiveType type = update_slice.shape.element_type();
  return update_slice.operand(0).shape.element_type() == type && update_slice.operand(1).shape.element_type() == type;
}

// All operands but operand 0, whose array may become the result's.
bool DynamicUpdateSliceReadsElements(const HloInstruction&, std::size_t i) { return i > 0; }
bool DynamicUpdateSliceReadsAgain(const HloInstruction&, std::size_t i) { return i > 1; }

// Returns the start of the update in each dimension.
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

// Writes the element `element` of the update at offset i.
void WriteUpdate(const HloInstruction& root, const std::string& element, Body& body, ElementEmitter& emitter) {
  const Shape& update = root.operand(1).shape;
  emitter.AddType(update.element_type());
  IndexText to{.at = body.PlacesOf(IndexText::AtOffset("i"), update.dimensions()), .offset = {}};
  const std::vector<std::string> starts = Starts(root, emitter);
  for (std::size_t d = 0; d < starts.size(); ++d) to.at[d] = body.Sum(to.at[d], starts[d]);
  body.Line(fmt::format("r0[{}] = {};", body.OffsetOf(to, root.shape.dimensions()), element));
}

void WriteResult(const HloInstruction& root, Body& body, ElementEmitter& emitter) {
  const HloInstruction& update = root.operand(1);
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

// True if the computation of an instruction reads another instruction.
bool Reads(const HloInstruction& instruction, const HloInstruction& other) {
  return &instruction == &other ||
         std::ranges::any_of(instruction.operands, [&](const auto* operand) { return Reads(*operand, other); });
}

class DynamicUpdateSlice {
 public:
  explicit DynamicUpdateSlice(const HloComputation& fused) : fused_(fused), root_(*fused.root) {}

  KernelProgram Make() {
    const std::int64_t count = ShapeUtil::ElementsIn(root_.shape);
    const HloInstruction& operand = root_.operand(0);
    const HloInstruction& update = root_.operand(1);
    const std::int64_t updated = ShapeUtil::ElementsIn(update.shape);
    if (count == 0) return std::move(program_);
    const IndexText index = IndexText::AtOffset("i");
    const bool is_alone = UpdatedParameter(fused_) >= 0;
    const bool starts_read_it = std::any_of(root_.operands.begin() + 2, root_.operands.end(),
                                            [&](const auto* start) { return Reads(*start, operand); });
    // If most of the operand is overwritten, one kernel costs less than two.
    const std::int64_t most = is_alone ? count - 1 : count / 2;
    if (operand.op->role != OpRole::kParameter || starts_read_it || updated > most) {
      Add(count, [&](Body& body, ElementEmitter& emitter) { WriteResult(root_, body, emitter); });
      return std::move(program_);
    }
    program_.updated_operand = static_cast<int>(operand.parameter_number);
    if (updated == 0) return std::move(program_);
    if (!is_alone) {
      scratch_ = {std::string(TypeText(update.shape.element_type()))};
      program_.scratch_bytes = {updated * StorageBytes(update.shape.element_type())};
      Add(updated, [&](Body& body, ElementEmitter& emitter) {
        body.Line(fmt::format("x0[i] = {};", emitter.Element(update, index)));
      });
    }
    Add(updated, [&](Body& body, ElementEmitter& emitter) {
      WriteUpdate(root_, is_alone ? emitter.Element(update, index) : "x0[i]", body, emitter);
    });
    return std::move(program_);
  }

 private:
  template <class Write>
  void Add(std::int64_t count, const Write& write) {
    const EntryText entry = {.fused = fused_, .scratch = scratch_};
    Body body(IsWide(fused_));
    ElementEmitter emitter(body);
    DeclareThread(body, count);
    write(body, emitter);
    program_.launches.push_back(LaunchOf(entry, emitter, body, BlocksFor(count)));
  }

  const HloComputation& fused_;
  const HloInstruction& root_;
  std::vector<std::string> scratch_;
  KernelProgram program_;
};

}  // namespace

const KernelKind kDynamicUpdateSliceKind = {.name = "dynamic-update-slice",
                                            .takes = TakesDynamicUpdateSlice,
                                            .reads_elements = DynamicUpdateSliceReadsElements,
                                            .reads_again = DynamicUpdateSliceReadsAgain,
                                            .is_exact = IsAlwaysExact,
                                            .make = MakeBy<DynamicUpdateSlice>};

}  // namespace assay::cuda
