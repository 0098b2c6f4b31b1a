#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "conformance/diagnosis/steps.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

using Ranks = std::unordered_map<const HloInstruction*, std::int64_t>;

Ranks RanksOf(const HloModule& module) {
  Ranks ranks;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) ranks[instruction.get()] = instruction->shape.rank();
  }
  return ranks;
}

// The inputs of the inference of a whole module.
struct Inference {
  Ranks ranks;  // before
  const HloInstruction* changed = nullptr;
  ShapeChange change = {};

  // True if the attributes may be adapted to new sizes: all operands have their former rank.
  bool MayFit(const HloInstruction& instruction) const {
    return &instruction != changed && std::ranges::all_of(instruction.operands, [&](const HloInstruction* operand) {
      return operand->shape.rank() == ranks.at(operand);
    });
  }
};

bool InferShape(HloInstruction& instruction, const Inference& inference) {
  const std::vector<Attribute> written = instruction.attributes;
  if (auto* const fit = instruction.op->evaluation.fit_run_time_sizes;
      fit != nullptr && inference.MayFit(instruction)) {
    // The function also sets the shapes that the op needs of its operands; those are fixed here.
    std::vector<Shape> shapes;
    for (const HloInstruction* operand : instruction.operands) shapes.push_back(operand->shape);
    fit(instruction);
    bool are_kept = true;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      are_kept = are_kept && instruction.operands[i]->shape == shapes[i];
      instruction.operands[i]->shape = shapes[i];
    }
    if (!are_kept) instruction.attributes = written;
  }
  Result<Shape> inferred = instruction.op->legality.infer(instruction);
  if (!inferred) {
    instruction.attributes = written;
    return false;
  }
  if (!ShapeUtil::Compatible(*inferred, instruction.shape)) instruction.shape = *std::move(inferred);
  return true;
}

// Scales one dimension of a written shape by the factor by which the operand's size changed.
bool ScaleOneDimension(HloInstruction& instruction, const Inference& inference, std::int64_t before, std::int64_t now) {
  if (!instruction.shape.IsArray() || before == 0) return false;
  const Shape written = instruction.shape;
  for (std::int64_t d = 0; d < written.rank(); ++d) {
    if (written.dimensions(d) * now % before != 0) continue;
    instruction.shape.set_dimensions(d, written.dimensions(d) * now / before);
    if (InferShape(instruction, inference)) return true;
    instruction.shape = written;
  }
  return false;
}

std::int64_t ElementsOfArray(const Shape& shape) { return shape.IsArray() ? ShapeUtil::ElementsIn(shape) : 0; }

bool InferShapes(HloModule& module, const Inference& inference) {
  const ShapeChange& change = inference.change;
  for (const auto& computation : module.computations) {
    std::vector<std::pair<const HloInstruction*, std::int64_t>> sizes;  // before
    for (const auto& instruction : computation->instructions) {
      sizes.emplace_back(instruction.get(), ElementsOfArray(instruction->shape));
      if (instruction->operands.empty() || instruction->op->role == OpRole::kParameter) {
        if (instruction->op->role != OpRole::kConstant && !instruction->op->legality.infer(*instruction)) return false;
        continue;
      }
      const Shape before = instruction->shape;
      // A written shape changes with the others, unless only the old one fits.
      if (change) change(*instruction, instruction->shape);
      if (InferShape(*instruction, inference)) continue;
      instruction->shape = before;
      if (InferShape(*instruction, inference)) continue;
      const HloInstruction* const operand = instruction->operands[0];
      const auto known = std::ranges::find(sizes, operand, [](const auto& pair) { return pair.first; });
      if (known == sizes.end() ||
          !ScaleOneDimension(*instruction, inference, known->second, ElementsOfArray(operand->shape)))
        return false;
    }
  }
  return true;
}

}  // namespace

bool InferShapesAfter(HloModule& module, const HloInstruction& changed) {
  return InferShapes(module, {RanksOf(module), &changed});
}

std::optional<Literal> Fitted(const Literal& value, const Shape& shape, bool is_last) {
  if (value.shape().IsTuple()) {
    std::vector<Literal> elements;
    for (std::size_t i = 0; i < value.elements().size(); ++i) {
      std::optional<Literal> element =
          Fitted(value.elements()[i], shape.tuple_shapes(static_cast<std::int64_t>(i)), is_last);
      if (!element) return std::nullopt;
      elements.push_back(*std::move(element));
    }
    return Literal::MakeTuple(std::move(elements));
  }
  if (!value.shape().IsArray()) return value;
  if (value.shape().dimensions() == shape.dimensions()) return value.WithShape(shape);
  if (value.element_count() == ShapeUtil::ElementsIn(shape)) return value.WithShape(shape);
  if (value.shape().rank() != shape.rank()) return std::nullopt;
  Dimensions start(shape.rank(), 0);
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    const std::int64_t less = value.shape().dimensions(d) - shape.dimensions(d);
    if (is_last && less > 0) start[d] = less;
  }
  Literal fitted(shape);
  if (value.element_count() == 0) return fitted;
  const auto bytes = static_cast<std::size_t>(StorageBytes(shape.element_type()));
  std::byte* to = fitted.mutable_data();
  Dimensions index(shape.rank(), 0), from(shape.rank(), 0);
  for (std::int64_t i = 0; i < fitted.element_count(); ++i, to += bytes) {
    for (std::size_t d = 0; d < from.size(); ++d) {
      from[d] = (start[d] + index[d]) % value.shape().dimensions(static_cast<std::int64_t>(d));
    }
    std::memcpy(to, value.data() + bytes * static_cast<std::size_t>(value.OffsetOf(from)), bytes);
    IndexUtil::BumpIndices(shape.dimensions(), index);
  }
  return fitted;
}

bool ChangeShapes(Candidate& candidate, const ShapeChange& change, bool is_last) {
  const Inference inference = {RanksOf(*candidate.module), nullptr, change};
  bool has_changed = false;
  for (const auto& computation : candidate.module->computations) {
    for (const auto& instruction : computation->instructions) {
      if (!instruction->operands.empty()) continue;
      Shape shape = instruction->shape;
      change(*instruction, shape);
      if (shape == instruction->shape) continue;
      has_changed = true;
      instruction->shape = shape;
      const bool is_parameter =
          instruction->op->role == OpRole::kParameter && computation.get() == candidate.module->entry;
      for (std::size_t device = 0; is_parameter && device < candidate.arguments.size(); ++device) {
        std::optional<Literal> fitted = Fitted(candidate.ArgumentOf(*instruction, device), shape, is_last);
        if (!fitted) return false;
        candidate.ArgumentOf(*instruction, device) = *std::move(fitted);
      }
      if (instruction->literal) {
        std::optional<Literal> fitted = Fitted(*instruction->literal, shape, is_last);
        if (!fitted) return false;
        instruction->literal = *std::move(fitted);
      }
    }
  }
  return has_changed && InferShapes(*candidate.module, inference);
}

}  // namespace assay
