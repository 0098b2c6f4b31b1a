// Sort and topk: first the order of each row, then the elements in that order.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/applied.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/sorting.h"
#include "backends/cuda/kernels/text.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

bool TakesSort(const HloInstruction& sort) {
  const HloComputation& comparator = sort.Computation("to_apply");
  if (!HasAppliedText(comparator)) return false;
  const std::vector<const HloInstruction*> parameters = comparator.Parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (parameters[p]->shape.element_type() != sort.operands[p / 2]->shape.element_type()) return false;
  }
  const std::vector<Shape> results = LeafShapes(sort.shape);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].element_type() != sort.operands[i]->shape.element_type()) return false;
  }
  return true;
}

bool HasExactComparator(const HloInstruction& sort) {
  return std::ranges::all_of(sort.Computation("to_apply").instructions, [](const auto& instruction) {
    return instruction->op->role == OpRole::kParameter || HasExactText(*instruction);
  });
}

// The rows of an array along a dimension, and the offsets of their places.
struct Rows {
  Rows(const Shape& shape, std::int64_t dimension)
      : size(shape.dimensions(dimension)),
        inner(assay::Product(std::span(shape.dimensions()).subspan(static_cast<std::size_t>(dimension) + 1))),
        count(size == 0 ? 0 : ShapeUtil::ElementsIn(shape) / size) {}

  std::string OffsetOf(const std::string& row, const std::string& place, Body& body) const {
    const std::string outer = body.Product(body.Quotient(row, inner), size);
    return body.Sum(body.Product(body.Sum(outer, place), inner), body.Remainder(row, inner));
  }

  std::int64_t size;
  std::int64_t inner;
  std::int64_t count;
};

std::vector<std::string> ScratchOf(const HloComputation& fused, const Rows& rows, KernelProgram& program) {
  const bool is_wide = IsWide(fused);
  program.scratch_bytes = RowSortBytes(rows.count, rows.size, is_wide ? 8 : 4);
  return {2, is_wide ? "s64" : "s32"};
}

// Writes the operands' elements for the first `wanted` places of each sorted row.
void AddPermutation(const HloComputation& fused, const Rows& rows, std::int64_t wanted, std::size_t order,
                    const std::vector<std::string>& scratch, KernelProgram& program) {
  const EntryText entry = {.fused = fused, .scratch = scratch};
  const HloInstruction& root = *fused.root;
  Body body(IsWide(fused));
  ElementEmitter emitter(body);
  // Neighboring threads write neighbors in memory.
  const std::int64_t count = rows.count * wanted;
  DeclareThread(body, count);
  const Rows results(LeafShapes(root.shape)[0],
                     root.op->name == "topk" ? root.operand(0).shape.rank() - 1 : root.Int64s("dimensions")[0]);
  const std::string line = body.Quotient("i", results.inner);
  const std::string row =
      body.Sum(body.Product(body.Quotient(line, wanted), results.inner), body.Remainder("i", results.inner));
  const std::string at = body.Sum(body.Product(row, rows.size), body.Remainder(line, wanted));
  const std::string place = body.Name(body.index_type(), fmt::format("x{}[{}]", order, at));
  const IndexText from = IndexText::AtOffset(rows.OffsetOf(row, place, body));
  for (std::size_t k = 0; k < root.operands.size(); ++k) {
    body.Line(fmt::format("r{}[i] = {};", k, emitter.Element(root.operand(static_cast<std::int64_t>(k)), from)));
  }
  if (root.op->name == "topk") body.Line(fmt::format("r1[i] = (s32){};", place));
  program.launches.push_back(LaunchOf(entry, emitter, body, BlocksFor(count)));
}

KernelProgram MakeSort(const HloComputation& fused) {
  const HloInstruction& root = *fused.root;
  const HloComputation& comparator = root.Computation("to_apply");
  const Rows rows(root.operand(0).shape, root.Int64s("dimensions")[0]);
  KernelProgram program;
  if (rows.count == 0) return program;
  const std::vector<std::string> scratch = ScratchOf(fused, rows, program);
  const auto before = [&](const std::string& row, const std::string& a, const std::string& b, Body& body,
                          ElementEmitter& emitter) {
    const IndexText at[] = {IndexText::AtOffset(rows.OffsetOf(row, a, body)),
                            IndexText::AtOffset(rows.OffsetOf(row, b, body))};
    std::vector<std::string> arguments;
    for (const HloInstruction* operand : root.operands) {
      for (const IndexText& index : at) arguments.push_back(emitter.Element(*operand, index));
    }
    return Applied(comparator, arguments, body, emitter)[0];
  };
  const std::size_t order = AddRowSort({rows.count, rows.size, before}, fused, scratch, 0, program);
  AddPermutation(fused, rows, rows.size, order, scratch, program);
  return program;
}

KernelProgram MakeTopk(const HloComputation& fused) {
  const HloInstruction& root = *fused.root;
  const HloInstruction& operand = root.operand(0);
  const Rows rows(operand.shape, operand.shape.rank() - 1);
  const std::int64_t wanted = root.Int64("k");
  KernelProgram program;
  if (rows.count == 0 || wanted == 0) return program;
  const std::vector<std::string> scratch = ScratchOf(fused, rows, program);
  const auto before = [&](const std::string& row, const std::string& a, const std::string& b, Body& body,
                          ElementEmitter& emitter) {
    const PrimitiveType type = operand.shape.element_type();
    const auto key = [&](const std::string& place) {
      const std::string element = emitter.Element(operand, IndexText::AtOffset(rows.OffsetOf(row, place, body)));
      return IsFloatingPointType(type) ? fmt::format("order_key<{}>(bits_of({}))", TypeText(type), element)
                                       : fmt::format("value({})", element);
    };
    const std::string x = key(a), y = key(b);
    return fmt::format("pred{{(u8)({} {} {})}}", x, root.Bool("largest") ? ">" : "<", y);
  };
  const std::size_t order = AddRowSort({rows.count, rows.size, before}, fused, scratch, 0, program);
  AddPermutation(fused, rows, wanted, order, scratch, program);
  return program;
}

}  // namespace

const KernelKind kSortKind = {.name = "sort",
                              .takes = TakesSort,
                              .reads_elements = ReadsAll,
                              .reads_again = ReadsAll,
                              .is_exact = HasExactComparator,
                              .make = MakeSort};

const KernelKind kTopkKind = {.name = "topk",
                              .takes = TakesAll,
                              .reads_elements = ReadsAll,
                              .reads_again = ReadsAll,
                              .is_exact = IsAlwaysExact,
                              .make = MakeTopk};

}  // namespace assay::cuda
