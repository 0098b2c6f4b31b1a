#include "backends/lawful/algorithms/rewriter.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/round.h"

namespace assay {

void Rewriter::Rewrite() {
  std::vector<std::unique_ptr<HloInstruction>> old = std::move(computation_.instructions);
  kept_.clear();
  for (std::unique_ptr<HloInstruction>& instruction : old) {
    Visit(*instruction);
    kept_.push_back(std::move(instruction));
  }
  computation_.instructions = std::move(kept_);
}

HloInstruction& Rewriter::Keep(std::unique_ptr<HloInstruction> made) {
  made->parent = &computation_;
  made->name = fmt::format("{}.made.{}", made->op->name, kept_.size());
  return *kept_.emplace_back(std::move(made));
}

HloInstruction& Rewriter::Make(std::string_view op, const Shape& shape, std::vector<HloInstruction*> operands) {
  auto made = std::make_unique<HloInstruction>();
  made->op = FindOp(op);
  made->shape = shape;
  made->operands = std::move(operands);
  return Keep(std::move(made));
}

HloInstruction& Rewriter::MakeLike(const HloInstruction& instruction, PrimitiveType type,
                                   std::vector<HloInstruction*> operands) {
  auto made = std::make_unique<HloInstruction>(instruction);
  made->shape.set_element_type(type);
  made->operands = std::move(operands);
  made->control_predecessors.clear();
  return Keep(std::move(made));
}

HloInstruction& Rewriter::Converted(HloInstruction& value, PrimitiveType type) {
  return Make("convert", ShapeUtil::ChangeElementType(value.shape, type), {&value});
}

HloInstruction& Rewriter::Number(double number, const Shape& shape) {
  HloInstruction& constant = Make("constant", ShapeUtil::MakeScalarShape(shape.element_type()), {});
  constant.literal = Literal(constant.shape);
  StoreReals(shape.element_type(), &number, constant.literal->mutable_data(), 1);
  HloInstruction& broadcast = Make("broadcast", shape, {&constant});
  broadcast.Set("dimensions", std::vector<std::int64_t>());
  return broadcast;
}

HloInstruction& Rewriter::Widened(HloInstruction& operand, PrimitiveType type, const HloInstruction& user) {
  const bool flushes = FlushesOperandsOf(user);
  HloInstruction& wide = Converted(operand, type);
  widenings_[&wide] = flushes;
  return wide;
}

bool Rewriter::FlushesOperandsOf(const HloInstruction& user) {
  // A widened conversion is still the operand of the same instruction.
  if (const auto widening = widenings_.find(&user); widening != widenings_.end()) return widening->second;
  const auto [flushes, is_new] = flushes_.try_emplace(&user);
  if (is_new)
    flushes->second = freedom_.profile.ArithmeticOf(user.op->name).flushes_subnormals && noise_.Chance(kFlushes);
  return flushes->second;
}

void Rewriter::BecomeConversionOf(HloInstruction& instruction, HloInstruction& value) {
  instruction.op = FindOp("convert");
  instruction.operands = {&value};
  instruction.attributes.clear();
  instruction.result_accuracy.reset();
}

std::vector<HloComputation*> StraightComputations(HloModule& module) {
  std::vector<HloComputation*> found = {module.entry};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& instruction : found[i]->instructions) {
      const Op& op = *instruction->op;
      if (op.role != OpRole::kCall && AcceptanceOf(op).walk == nullptr) continue;
      for (HloComputation* called : instruction->CalledComputations()) {
        if (std::ranges::count(found, called) == 0) found.push_back(called);
      }
    }
  }
  return found;
}

bool IsPlainArray(const Shape& shape) { return shape.IsArray() && !shape.IsDynamic(); }

}  // namespace assay
