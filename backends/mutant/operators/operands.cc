#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "backends/mutant/break.h"
#include "backends/mutant/operators/operators.h"
#include "backends/mutant/operators/rewrite.h"
#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {
namespace {

constexpr std::size_t kMostOperands = 4;

// Returns the operand numbers of an op, at most four.
std::vector<std::size_t> OperandNumbers(const Op& op) {
  const int most = op.legality.arity.max == Arity::kVariadic ? static_cast<int>(kMostOperands) : op.legality.arity.max;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < std::min<std::size_t>(most, kMostOperands); ++i) numbers.push_back(i);
  return numbers;
}

// Reads operand `instead` in place of operand `taken`.
bool TakeInstead(HloInstruction& instruction, std::size_t taken, std::size_t instead) {
  if (std::max(taken, instead) >= instruction.operands.size()) return false;
  if (instruction.operands[taken] == instruction.operands[instead]) return false;
  instruction.operands[taken] = instruction.operands[instead];
  return true;
}

void AddChoices(MutantList& mutants) {
  const auto numbers = OperandNumbers(mutants.op());
  for (const std::size_t i : numbers) {
    for (const std::size_t k : numbers) {
      if (i == k) continue;
      mutants.AddEdit("operand_taken_for", fmt::format("{}_{}", i, k),
                      fmt::format("operand {} is read where operand {} should be", i, k),
                      [i, k](HloInstruction& instruction) { return TakeInstead(instruction, k, i); });
      if (i > k) continue;
      mutants.AddEdit("operands_exchanged", fmt::format("{}_{}", i, k),
                      fmt::format("operands {} and {} are exchanged", i, k), [i, k](HloInstruction& instruction) {
                        if (k >= instruction.operands.size()) return false;
                        if (instruction.operands[i] == instruction.operands[k]) return false;
                        std::swap(instruction.operands[i], instruction.operands[k]);
                        return true;
                      });
    }
  }
  if (numbers.size() < 2) return;
  mutants.AddEdit("operands_reversed", "", "the operands come in reverse order", [](HloInstruction& instruction) {
    if (instruction.operands.size() < 3) return false;
    std::ranges::reverse(instruction.operands);
    return true;
  });
}

// Replaces an operand with a changed value.
bool ChangeOperand(HloInstruction& instruction, std::size_t number, InsertedBody body) {
  if (number >= instruction.operands.size()) return false;
  HloInstruction& operand = *instruction.operands[number];
  if (!operand.shape.IsArray()) return false;
  instruction.operands[number] = &InsertBefore(instruction, body, operand.shape, {&operand});
  return true;
}

void AddForgotten(MutantList& mutants) {
  if (mutants.op().role != OpRole::kOrdinary) return;
  static const InsertedBody zero = ArrayChange([](Literal& array) { ForgetFrom(array, 0); });
  for (const std::size_t i : OperandNumbers(mutants.op())) {
    mutants.Add("operand_taken_as_zero", fmt::format("{}", i), fmt::format("operand {} is taken as 0", i),
                [i](HloInstruction& instruction) { return ChangeOperand(instruction, i, zero); });
  }
}

// True if the operand is an index: an integer whose type affects neither the result's shape nor the other operands. The
// index of one of several computations is one too.
bool IsIndex(const HloInstruction& instruction, std::size_t number) {
  const Shape& shape = instruction.operand(static_cast<std::int64_t>(number)).shape;
  if (!IsIntegralType(shape.element_type())) return false;
  for (const AttributeSpec& spec : instruction.op->syntax.attributes) {
    if (spec.kind == AttributeKind::kComputationList && instruction.Has(spec.name)) return number == 0;
  }
  if (number == 0 || !instruction.CalledComputations().empty()) {
    // Operand 0 may be the data: integers that the computation folds.
    if (number == 0) return false;
  }
  HloInstruction changed = instruction;
  const PrimitiveType other = shape.element_type() == S32 ? S64 : S32;
  std::vector<HloInstruction> operands;
  operands.reserve(changed.operands.size());
  for (std::size_t i = 0; i < changed.operands.size(); ++i) {
    operands.push_back(*changed.operands[i]);
    // All scalar starts must have one type.
    const bool goes_along = shape.IsScalar() && i >= 1 && ShapeUtil::Compatible(operands[i].shape, shape);
    if (i == number || goes_along) operands[i].shape.set_element_type(other);
    changed.operands[i] = &operands[i];
  }
  const Result<Shape> inferred = ShapeOf(changed);
  return inferred && ShapeUtil::Compatible(*inferred, instruction.shape);
}

bool ChangeIndices(HloInstruction& instruction, InsertedBody body) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    if (IsIndex(instruction, i)) indices.push_back(i);
  }
  for (const std::size_t i : indices) ChangeOperand(instruction, i, body);
  return !indices.empty();
}

using IndexRule = std::int64_t (*)(std::int64_t);

InsertedBody IndexBody(IndexRule rule) {
  return Mapping([rule](PrimitiveType type, std::byte* elements, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      StoreNumber(type, {0, rule(LoadNumber(type, elements, i).integer)}, elements, i);
    }
  });
}

void AddIndices(MutantList& mutants) {
  const Op& op = mutants.op();
  if (op.evaluation.kernel != nullptr || op.legality.arity.max == 0 || op.legality.arity.max == 1) return;
  struct Row {
    std::string_view made_by, rule;
    IndexRule change;
  };
  static constexpr Row kRows[] = {
      {"index_one_more", "indices are one more", [](std::int64_t i) { return i + 1; }},
      {"index_one_less", "indices are one less", [](std::int64_t i) { return i - 1; }},
      {"index_without_sign", "an index -i is taken as i", [](std::int64_t i) { return i < 0 ? -i : i; }},
      {"index_of_8_bits", "indices are cut to 8 bits", [](std::int64_t i) { return std::int64_t{std::int8_t(i)}; }},
      {"index_of_16_bits", "indices are cut to 16 bits", [](std::int64_t i) { return std::int64_t{std::int16_t(i)}; }},
      {"index_of_31_bits", "indices lose their upper bits", [](std::int64_t i) { return i & 0x7fffffff; }},
      {"negative_index_beyond", "a negative index is a very large one",
       [](std::int64_t i) { return i < 0 ? std::int64_t{0x7f} : i; }},
      {"large_index_negative", "an index with its highest bit set is negative",
       [](std::int64_t i) { return i > 0x7fffffff || i == 0xff || i == 0xffff ? std::int64_t{0} : i; }},
  };
  static const std::vector<InsertedBody> bodies = [] {
    std::vector<InsertedBody> all;
    for (const Row& row : kRows) all.push_back(IndexBody(row.change));
    return all;
  }();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    mutants.Add(kRows[i].made_by, "", std::string(kRows[i].rule),
                [body = bodies[i]](HloInstruction& instruction) { return ChangeIndices(instruction, body); });
  }
}

// Returns the number of places that an index selects from: the branches of a conditional, the dimension of a scalar
// start, or the first dimension, which is the right one for most index arrays.
std::int64_t PlacesOf(const HloInstruction& instruction, std::size_t number) {
  const Shape& indexed = instruction.operand(0).shape;
  if (number == 0) return static_cast<std::int64_t>(instruction.operands.size()) - 1;
  if (!indexed.IsArray() || indexed.rank() == 0) return 1;
  std::size_t first = number;
  while (first > 1 && instruction.operand(static_cast<std::int64_t>(first) - 1).shape.IsScalar()) --first;
  const bool is_scalar = instruction.operand(static_cast<std::int64_t>(number)).shape.IsScalar();
  const auto dimension = is_scalar ? static_cast<std::int64_t>(number - first) : 0;
  return indexed.dimensions(std::min(dimension, indexed.rank() - 1));
}

// Adds wrapping, which neither clamps nor drops: -1 is the last place and, with the first name, the one after the last
// is the first.
void AddWrapping(MutantList& mutants) {
  const Op& op = mutants.op();
  if (op.evaluation.kernel != nullptr || op.legality.arity.max == 0 || op.legality.arity.max == 1) return;
  const auto wrap = [](bool wraps_large, HloInstruction& instruction) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      // A negative index of a branch means the last one, which -1 would mean as well.
      const bool may_wrap = wraps_large || i > 0;
      if (may_wrap && IsIndex(instruction, i) && PlacesOf(instruction, i) > 0) indices.push_back(i);
    }
    for (const std::size_t number : indices) {
      const std::int64_t places = PlacesOf(instruction, number);
      const InsertedBody body = Mapping([=](PrimitiveType type, std::byte* elements, std::int64_t n) {
        if (!wraps_large && !IsSignedIntegralType(type)) return;
        for (std::int64_t i = 0; i < n; ++i) {
          const std::int64_t index = LoadNumber(type, elements, i).integer;
          const std::int64_t wrapped = wraps_large ? (index % places + places) % places : index + places;
          if (wraps_large || index < 0) StoreNumber(type, {0, wrapped}, elements, i);
        }
      });
      ChangeOperand(instruction, number, body);
    }
    return !indices.empty();
  };
  mutants.Add("index_wrapped", "", "an index out of range counts from the other end",
              std::bind_front(wrap, /*wraps_large=*/true));
  mutants.Add("negative_index_wrapped", "", "a negative index counts from the end",
              std::bind_front(wrap, /*wraps_large=*/false));
}

// Adds the exchange of two elements of a tuple result.
void AddResults(MutantList& mutants) {
  if (mutants.op().role != OpRole::kOrdinary && mutants.op().role != OpRole::kTuple) return;
  static const InsertedBody exchanged =
      Keep({.block = {}, .whole = [](const HloInstruction&, std::span<Literal> operands) {
              std::vector<Literal>& elements = operands[0].mutable_elements();
              std::swap(elements[0], elements[1]);
              return std::move(operands[0]);
            }});
  mutants.Add("results_exchanged", "0_1", "the first two results are exchanged", [](HloInstruction& instruction) {
    const Shape& shape = instruction.shape;
    if (!shape.IsTuple() || shape.tuple_shapes().size() < 2) return false;
    if (!ShapeUtil::Compatible(shape.tuple_shapes(0), shape.tuple_shapes(1))) return false;
    Wrap(instruction, exchanged);
    return true;
  });
}

// Adds the initial value of a fold once more at the end: result = f(result, start).
void AddStarts(MutantList& mutants) {
  const Op& op = mutants.op();
  const AttributeSpec* spec = op.FindAttributeOfText("to_apply");
  if (AcceptanceOf(op).rule != Acceptance::kCalled || spec == nullptr || op.legality.arity.min < 2) return;
  mutants.Add("start_counted_twice", "", "what a fold starts with counts twice", [](HloInstruction& instruction) {
    if (!instruction.shape.IsArray() || instruction.operands.size() < 2) return false;
    HloInstruction *const first = instruction.operands[0], *const second = instruction.operands[1];
    HloInstruction* start = second->shape.IsScalar() ? second : first;
    if (start->shape.element_type() != instruction.shape.element_type()) return false;
    if (!start->shape.IsScalar() && !ShapeUtil::Compatible(start->shape, instruction.shape)) return false;
    HloComputation& computation = instruction.Computation("to_apply");
    const auto parameters = computation.Parameters();
    if (parameters.size() != 2 || !ShapeUtil::Compatible(parameters[0]->shape, parameters[1]->shape)) return false;
    if (parameters[0]->shape.element_type() != instruction.shape.element_type()) return false;
    HloInstruction inner = instruction;
    HloInstruction& folded = AddBefore(instruction, inner);
    if (start->shape.IsScalar() && !instruction.shape.IsScalar()) {
      HloInstruction spread;
      spread.op = FindOp("broadcast");
      spread.shape = instruction.shape;
      spread.operands = {start};
      spread.Set("dimensions", Int64List());
      start = &AddBefore(instruction, spread);
    }
    instruction.op = FindOp("map");
    instruction.operands = {&folded, start};
    instruction.attributes.clear();
    Int64List dimensions;
    for (std::int64_t d = 0; d < instruction.shape.rank(); ++d) dimensions.push_back(d);
    instruction.Set("dimensions", dimensions);
    instruction.Set("to_apply", &computation);
    return true;
  });
}

}  // namespace

void AddOperandMutants(MutantList& mutants) {
  AddChoices(mutants);
  AddForgotten(mutants);
  AddIndices(mutants);
  AddWrapping(mutants);
  AddResults(mutants);
  AddStarts(mutants);
}

}  // namespace assay
