// Computations of regions and functions: their parameters, and the values that they use from outside.
#include <fmt/format.h>

#include <utility>

#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo_translator.h"

namespace assay::stablehlo {

namespace {

// Returns the shape of argument `number`, of a type that may have dimensions of unknown size.
Result<Shape> ShapeOfArgument(const Operation& owner, const Type& type, std::size_t number,
                              std::span<const Argument> arguments) {
  ASSAY_TRY(Shape shape, ShapeOf(owner, type));
  if (number < arguments.size()) {
    ASSAY_CHECK_OK(CheckRefines(owner, fmt::format("argument {}", number), type, arguments[number].shape));
  }
  if (!shape.IsUnboundedDynamic()) return shape;
  if (number < arguments.size()) return arguments[number].shape;
  return UnsupportedAt(owner, fmt::format("a dimension needs a size or a bound, found {}", ToText(type)));
}

}  // namespace

Result<HloInstruction*> Translator::LowerParameter(const Operation& owner, const Value& argument, std::int64_t number,
                                                   std::span<const Argument> arguments) {
  ASSAY_TRY(Shape shape, ShapeOfArgument(owner, argument.type, number, arguments));
  static const Op& op = *OpWithRole(OpRole::kParameter);
  const std::string name = fmt::format("Arg_{}", number);
  annotations_.base_name = name;
  HloInstruction& parameter = Add(op, std::move(shape), {});
  annotations_.base_name = {};
  parameter.parameter_number = number;
  if (std::cmp_less(number, arguments.size()) && arguments[number].value) {
    known_.Set(parameter, *arguments[number].value);
  }
  Bind(argument.id, parameter);
  return &parameter;
}

Translator::ScopedComputation::ScopedComputation(Translator& translator, std::string_view base_name)
    : translator_(translator),
      computation_(std::make_unique<HloComputation>()),
      outer_(std::exchange(translator.computation_, computation_.get())),
      first_rebound_(translator.rebound_.size()),
      annotations_(translator, {}) {
  computation_->name = translator.names_.Unique(base_name);
  computation_->module = translator.module_.get();
}

Translator::ScopedComputation::~ScopedComputation() {
  translator_.computation_ = outer_;
  for (; translator_.rebound_.size() > first_rebound_; translator_.rebound_.pop_back()) {
    const auto& [value, before] = translator_.rebound_.back();
    translator_.values_[value].instruction = before;
  }
}

HloComputation& Translator::ScopedComputation::Finish(HloInstruction& root) {
  computation_->root = &root;
  translator_.module_->computations.push_back(std::move(computation_));
  return *translator_.module_->computations.back();
}

Result<HloComputation*> Translator::LowerRegion(const Operation& owner, const Region& region, std::string_view name,
                                                std::span<const Argument> arguments, std::span<const ValueId> captures,
                                                std::size_t stride, bool returns_captures) {
  ASSAY_TRY(const Block* block, OnlyBlock(owner, region));
  ScopedComputation scope(*this, name);
  std::int64_t number = 0;
  for (std::size_t i = 0; i < block->arguments.size(); ++i) {
    ASSAY_TRY([[maybe_unused]] const HloInstruction* argument,
              LowerParameter(owner, block->arguments[i], number++, arguments));
    for (std::size_t c = 0; (i + 1) % stride == 0 && c < captures.size(); ++c) {
      HloInstruction& parameter = Add(*OpWithRole(OpRole::kParameter), values_[captures[c]].instruction->shape, {});
      parameter.parameter_number = number++;
      Rebind(captures[c], parameter);
    }
  }
  ASSAY_CHECK_OK(LowerBlock(owner, *block));
  ASSAY_TRY(std::vector<HloInstruction*> results, EndOperands(owner, *block));
  for (std::size_t c = 0; returns_captures && c < captures.size(); ++c) {
    results.push_back(values_[captures[c]].instruction);
  }
  return &scope.Finish(AddTupleUnlessOne(std::move(results)));
}

Result<std::vector<ValueId>> Translator::CapturesOf(const Operation& owner, std::span<const Region> regions) {
  std::vector<ValueId> captures;
  ++walks_;
  const auto define = [this](const Value& value) {
    if (value.id >= 0) values_[value.id].definition = walks_;
  };
  const auto visit = [&](const auto& self, const Region& region) -> void {
    for (const Block& block : region.blocks) {
      for (const Value& argument : block.arguments) define(argument);
      for (const Operation& operation : block.operations) {
        for (const Region& inner : operation.regions) self(self, inner);
        for (const ValueId value : operation.operands) {
          if (TypeOf(value) == nullptr || values_[value].definition == walks_ || ConstantOf(value) != nullptr) continue;
          values_[value].definition = walks_;  // it is listed once
          captures.push_back(value);
        }
        for (const Value& result : operation.results) define(result);
      }
    }
  };
  for (const Region& region : regions) visit(visit, region);
  for (const ValueId value : captures) {
    ASSAY_TRY([[maybe_unused]] const HloInstruction* captured, InstructionOf(owner, value));
  }
  return captures;
}

Result<HloComputation*> Translator::LowerBranch(const Operation& owner, const Region& region,
                                                std::span<const Argument> arguments,
                                                const std::vector<ValueId>& captures, bool returns_captures) {
  ASSAY_TRY(const Block* block, OnlyBlock(owner, region));
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < block->arguments.size(); ++i) {
    ASSAY_TRY(shapes.emplace_back(), ShapeOfArgument(owner, block->arguments[i].type, i, arguments));
  }
  for (const ValueId value : captures) shapes.push_back(values_[value].instruction->shape);
  ScopedComputation scope(*this, "region");
  const bool is_tuple = shapes.size() != 1;
  annotations_.base_name = is_tuple ? "arg_tuple" : "Arg_0";
  HloInstruction& parameter =
      Add(*OpWithRole(OpRole::kParameter), is_tuple ? ShapeUtil::MakeTupleShape(shapes) : shapes[0], {});
  annotations_.base_name = {};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    HloInstruction& element = is_tuple ? AddElement(parameter, static_cast<std::int64_t>(i)) : parameter;
    if (i < block->arguments.size()) {
      Bind(block->arguments[i].id, element);
    } else {
      const ValueId captured = captures[i - block->arguments.size()];
      if (const Literal* value = KnownValue(*values_[captured].instruction)) known_.Set(element, Literal(*value));
      Rebind(captured, element);
    }
  }
  ASSAY_CHECK_OK(LowerBlock(owner, *block));
  ASSAY_TRY(std::vector<HloInstruction*> results, EndOperands(owner, *block));
  if (returns_captures) {
    for (const ValueId value : captures) results.push_back(values_[value].instruction);
  }
  return &scope.Finish(AddTupleUnlessOne(std::move(results)));
}

}  // namespace assay::stablehlo
