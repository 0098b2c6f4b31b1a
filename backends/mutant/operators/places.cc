#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "backends/mutant/break.h"
#include "backends/mutant/operators/operators.h"
#include "backends/mutant/operators/rewrite.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

void AddResult(MutantList& mutants, std::string_view made_by, std::string rule, InsertedBody body) {
  mutants.Add(made_by, "", std::move(rule), [body](HloInstruction& instruction) {
    Wrap(instruction, body);
    return true;
  });
}

void RepeatLastOfOdd(Literal& array) {
  const Shape& shape = array.shape();
  if (shape.rank() == 0 || array.element_count() == 0) return;
  const std::int64_t size = shape.dimensions().back(), bytes = StorageBytes(array.element_type());
  if (size < 3 || size % 2 == 0) return;
  std::byte* const data = array.mutable_data();
  for (std::int64_t end = size; end <= array.element_count(); end += size) {
    std::memcpy(data + (end - 1) * bytes, data + (end - 2) * bytes, bytes);
  }
}

void AddPositions(MutantList& mutants) {
  static const InsertedBody last = ArrayChange([](Literal& array) {
    if (array.element_count() > 1) ForgetFrom(array, array.element_count() - 1);
  });
  static const InsertedBody after_50 = ArrayChange([](Literal& array) {
    if (array.element_count() > 50) ForgetFrom(array, 50);
  });
  static const InsertedBody remainder = ArrayChange([](Literal& array) {
    if (array.element_count() > 4) ForgetFrom(array, array.element_count() / 4 * 4);
  });
  static const InsertedBody odd = ArrayChange(RepeatLastOfOdd);
  static const InsertedBody sizes = ArrayChange([](Literal& array) {
    for (std::int64_t d = 0; d < array.shape().rank(); ++d) array.set_dynamic_size(d, array.shape().dimensions(d));
  });
  AddResult(mutants, "last_is_zero", "the last element of a result is 0", last);
  AddResult(mutants, "zero_after_50", "a result is 0 after its fiftieth element", after_50);
  AddResult(mutants, "remainder_of_4_is_zero", "a result is 0 after its last four whole elements", remainder);
  AddResult(mutants, "last_of_odd_repeats", "the last of an odd number of columns is the one before it", odd);
  mutants.Add("sizes_forgotten", "", "run-time sizes of operands are forgotten", [](HloInstruction& instruction) {
    bool has_changed = false;
    for (HloInstruction*& operand : instruction.operands) {
      if (!operand->shape.IsArray() || !operand->shape.IsDynamic()) continue;
      operand = &InsertBefore(instruction, sizes, operand->shape, {operand});
      has_changed = true;
    }
    return has_changed;
  });
}

// Returns the row-major offset of each element, in the memory order of the shape's layout.
std::vector<std::int64_t> OffsetsInMemory(const Shape& shape) {
  std::vector<std::int64_t> offsets;
  const auto strides = RowMajorStrides(shape.dimensions());
  const auto layout = shape.has_layout() ? shape.layout() : LayoutUtil::GetDefaultLayoutForRank(shape.rank());
  for (std::int64_t i = 0; i < ShapeUtil::ElementsIn(shape); ++i) {
    std::int64_t rest = i, offset = 0;
    for (const std::int64_t d : layout.minor_to_major) {
      offset += rest % shape.dimensions(d) * strides[d];
      rest /= shape.dimensions(d);
    }
    offsets.push_back(offset);
  }
  return offsets;
}

// Adds a result whose elements lie in memory in the order of the first operand's layout, or of a text.
void AddLayouts(MutantList& mutants) {
  mutants.Add("layout_ignored", "", "a result has the layout of its operand", [](HloInstruction& instruction) {
    const Shape& shape = instruction.shape;
    if (!shape.IsFixedArray()) return false;
    const bool is_moved = !instruction.operands.empty() && instruction.operand(0).shape.IsFixedArray() &&
                          ShapeUtil::ElementsIn(instruction.operand(0).shape) == ShapeUtil::ElementsIn(shape);
    Shape plain = shape;
    plain.clear_layout();
    const auto from = OffsetsInMemory(is_moved ? instruction.operand(0).shape : plain), to = OffsetsInMemory(shape);
    if (from == to) return false;
    Wrap(instruction, ArrayChange([from, to](Literal& array) {
           const Literal right = array;
           const int bytes = StorageBytes(array.element_type());
           std::byte* const out = array.mutable_data();
           for (std::size_t i = 0; i < from.size(); ++i) {
             std::memcpy(out + to[i] * bytes, right.data() + from[i] * bytes, bytes);
           }
         }));
    return true;
  });
}

// Adds reversed ties: a stable sort of reversed rows puts the other one of two equal rows first.
void AddTies(MutantList& mutants) {
  if (AcceptanceOf(mutants.op()).Fact<RowOrderFunction>() == nullptr) return;
  mutants.Add("ties_reversed", "", "equal rows come in reverse order", [](HloInstruction& instruction) {
    const std::int64_t dimension = AcceptanceOf(instruction).Fact<RowOrderFunction>()(instruction).dimension;
    // Padding must stay at the end.
    if (instruction.operand(0).shape.IsDynamic()) return false;
    for (HloInstruction*& operand : instruction.operands) {
      const InsertedBody body = Keep({.block = {}, .whole = [dimension](const HloInstruction&, std::span<Literal> o) {
                                        return Reversed(o[0], dimension);
                                      }});
      operand = &InsertBefore(instruction, body, operand->shape, {operand});
    }
    return true;
  });
}

// Turns the instruction into a collective of its own result, which then is another device's.
HloInstruction& AfterAll(HloInstruction& instruction, std::string_view op) {
  HloInstruction& own = AddBefore(instruction, instruction);
  own.control_predecessors = instruction.control_predecessors;
  instruction.op = FindOp(op);
  instruction.operands = {&own};
  instruction.attributes.clear();
  instruction.annotations.clear();
  return instruction;
}

void AddDevices(MutantList& mutants) {
  if (!mutants.op().evaluation.depends_on_device || mutants.op().role != OpRole::kOrdinary) return;
  const auto may_wrap = [](const HloInstruction& instruction) {
    const HloModule& module = *instruction.parent->module;
    return instruction.shape.IsArray() && (module.replica_count > 1) != (module.num_partitions > 1);
  };
  const auto count = [](const HloInstruction& instruction) { return instruction.parent->module->device_count(); };
  const auto set_channel = [](HloInstruction& instruction) {
    if (instruction.parent->module->num_partitions > 1) instruction.Set("channel_id", std::int64_t{7777});
  };
  mutants.Add("value_of_next_device", "", "each device has the value of the next one",
              [=](HloInstruction& instruction) {
                if (!may_wrap(instruction)) return false;
                AfterAll(instruction, "collective-permute");
                std::vector<Int64List> pairs;
                for (std::int64_t d = 0; d < count(instruction); ++d) {
                  pairs.push_back({(d + 1) % count(instruction), d});
                }
                instruction.Set("source_target_pairs", pairs);
                set_channel(instruction);
                return true;
              });
  mutants.Add("value_of_first_device", "", "every device has the value of the first one",
              [=](HloInstruction& instruction) {
                if (!may_wrap(instruction)) return false;
                AfterAll(instruction, "collective-broadcast");
                Int64List all;
                for (std::int64_t d = 0; d < count(instruction); ++d) all.push_back(d);
                instruction.Set("replica_groups", ReplicaGroups{{all}, ""});
                set_channel(instruction);
                return true;
              });
}

const Op* CallOp() {
  const auto ops = AllOps();
  return *std::ranges::find_if(ops, [](const Op* op) { return op->role == OpRole::kCall; });
}

HloInstruction CallOf(HloComputation& computation, HloInstruction& argument) {
  HloInstruction call;
  call.op = CallOp();
  call.shape = computation.root->shape;
  call.operands = {&argument};
  call.Set("to_apply", &computation);
  return call;
}

void AddIterations(MutantList& mutants) {
  const Op& op = mutants.op();
  if (op.FindAttributeOfText("body") == nullptr || op.FindAttributeOfText("condition") == nullptr) return;
  mutants.Add("iteration_more", "", "the body runs once more", [](HloInstruction& loop) {
    HloInstruction& inner = AddBefore(loop, loop);
    HloComputation& body = inner.Computation("body");
    const HloInstruction call = CallOf(body, inner);
    loop.op = call.op;
    loop.operands = call.operands;
    loop.attributes = call.attributes;
    return true;
  });
  mutants.Add("iteration_less", "", "the loop ends one iteration early", [](HloInstruction& loop) {
    HloComputation& condition = CopyComputation(loop.Computation("condition"), loop, {});
    HloInstruction* parameter = nullptr;
    for (const auto& instruction : condition.instructions) {
      if (instruction->op->role == OpRole::kParameter) parameter = instruction.get();
    }
    HloInstruction& argument = AddBefore(*parameter, *parameter);
    const HloInstruction call = CallOf(CopyComputation(loop.Computation("body"), loop, {}), argument);
    parameter->op = call.op;
    parameter->operands = call.operands;
    parameter->attributes = call.attributes;
    loop.Set("condition", &condition);
    return true;
  });
}

}  // namespace

void AddPlaceMutants(MutantList& mutants) {
  const OpRole role = mutants.op().role;
  if (role == OpRole::kOrdinary || role == OpRole::kConstant) {
    AddPositions(mutants);
    AddLayouts(mutants);
  }
  AddTies(mutants);
  AddDevices(mutants);
  AddIterations(mutants);
}

}  // namespace assay
