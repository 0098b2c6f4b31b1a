#include "interpreter/stablehlo/to_hlo_translator.h"

#include <fmt/format.h>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/literal_text.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/programs.h"
#include "interpreter/stablehlo/quantized_types.h"
#include "interpreter/stablehlo/to_hlo_quantized.h"
#include "interpreter/stablehlo/to_hlo_rows.h"
#include "interpreter/stablehlo/to_hlo_shardings.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

// The deepest nesting of regions and calls.
constexpr int kMostNesting = 256;

Error TooDeep(const Operation& operation) {
  return ErrorAt(operation, ErrorCode::kLimit,
                 fmt::format("regions and calls may be nested {} levels deep, here are more", kMostNesting));
}

bool IsConstant(const Operation& operation) {
  return operation.name == "stablehlo.constant" || operation.name == "mhlo.constant" ||
         operation.name == "arith.constant" || operation.name == "sdy.constant";
}

// A constant is lowered where it is used.
Status CheckConstant(const Operation& operation) {
  const auto* elements = operation.attributes.FindAs<DenseElements>("value");
  const auto* type =
      operation.results.size() != 1 ? nullptr : std::get_if<TensorType>(&operation.results[0].type.value);
  if (elements == nullptr || type == nullptr) return {};  // its lowering refuses it, if it is used
  if (AreElementsOf(elements->type, *type)) return {};
  return IllegalAt(operation, fmt::format("the value must be a {}, found a {}", ToText(operation.results[0].type),
                                          ToText(Type{elements->type})));
}

}  // namespace

Translator::Translator(const Program& program) : program_(program), is_unbounded_(IsUnbounded(program)) {}

void Translator::IndexValue(const Value& value, const Operation* constant) {
  if (value.id < 0) return;
  if (static_cast<std::size_t>(value.id) >= values_.size()) values_.resize(value.id + 1);
  values_[value.id].type = &value.type;
  values_[value.id].constant = constant;
}

Status Translator::Index(const Region& region, int depth) {
  for (const Block& block : region.blocks) {
    for (const Value& argument : block.arguments) IndexValue(argument, nullptr);
    for (const Operation& operation : block.operations) {
      for (const Value& result : operation.results) IndexValue(result, IsConstant(operation) ? &operation : nullptr);
      if (!operation.regions.empty() && depth == kMostNesting) return TooDeep(operation);
      for (const Region& inner : operation.regions) ASSAY_CHECK_OK(Index(inner, depth + 1));
    }
  }
  return {};
}

const Operation* Translator::ConstantOf(ValueId value) const {
  return value >= 0 && static_cast<std::size_t>(value) < values_.size() ? values_[value].constant : nullptr;
}

const Type* Translator::TypeOf(ValueId value) const {
  return value >= 0 && static_cast<std::size_t>(value) < values_.size() ? values_[value].type : nullptr;
}

const Operation* Translator::FindFunction(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second.operation;
}

Result<std::unique_ptr<HloModule>> Translator::Translate(std::string_view function,
                                                         std::span<const Argument> arguments) {
  const Operation& module = program_.module;
  ASSAY_TRY(const Block* body, module.regions.empty()
                                   ? Result<const Block*>(IllegalAt(module, "a module has one region"))
                                   : OnlyBlock(module, module.regions[0]));
  ASSAY_CHECK_OK(Index(module.regions[0], 0));
  for (const Operation& operation : body->operations) {
    if (operation.name != "func.func") continue;
    ASSAY_TRY(const std::string name, AttributeReader(operation).String("sym_name"));
    if (!functions_.emplace(name, Function{&operation}).second) {
      return IllegalAt(operation, fmt::format("a function @{} is already defined", name));
    }
  }
  ASSAY_TRY(const std::string entry, EntryName(program_, function));
  ASSAY_TRY(module_->entry, LowerFunction(module, entry, arguments));
  ASSAY_CHECK_OK(SetModuleAttributes(program_, *FindFunction(entry), *module_));
  module_->stack_tables = frames_.Tables();
  return std::move(module_);
}

HloInstruction& Translator::Add(const Op& op, Shape shape, std::vector<HloInstruction*> operands) {
  auto instruction = std::make_unique<HloInstruction>();
  instruction->op = &op;
  instruction->name = names_.Unique(annotations_.base_name.empty() ? op.name : annotations_.base_name);
  instruction->shape = std::move(shape);
  instruction->operands = std::move(operands);
  if (!annotations_.frontend_attributes.empty()) {
    instruction->annotations.emplace("frontend_attributes", annotations_.frontend_attributes);
  }
  if (!annotations_.metadata.empty()) instruction->annotations.emplace("metadata", annotations_.metadata);
  instruction->location = annotations_.place;
  return computation_->Add(std::move(instruction));
}

HloInstruction& Translator::Add(std::string_view op, Shape shape, std::vector<HloInstruction*> operands) {
  return Add(*FindOp(op), std::move(shape), std::move(operands));
}

HloInstruction& Translator::AddConstant(Literal literal) {
  static const Op& op = *OpWithRole(OpRole::kConstant);
  HloInstruction& constant = Add(op, literal.shape(), {});
  constant.literal = std::move(literal);
  return constant;
}

HloInstruction& Translator::AddTuple(std::vector<HloInstruction*> elements) {
  static const Op& op = *OpWithRole(OpRole::kTuple);
  Shape shape = ShapeUtil::MakeTupleShape(ShapesOf(elements));
  return Add(op, std::move(shape), std::move(elements));
}

HloInstruction& Translator::AddTupleUnlessOne(std::vector<HloInstruction*> elements) {
  return elements.size() == 1 ? *elements[0] : AddTuple(std::move(elements));
}

HloInstruction& Translator::AddElement(HloInstruction& tuple, std::int64_t index) {
  static const Op& op = *OpWithRole(OpRole::kGetTupleElement);
  HloInstruction& element = Add(op, tuple.shape.tuple_shapes(index), {&tuple});
  element.Set("index", index);
  return element;
}

std::vector<HloInstruction*> Translator::ElementsOf(HloInstruction& value) {
  if (!value.shape.IsTuple()) return {&value};
  std::vector<HloInstruction*> elements;
  for (std::size_t i = 0; i < value.shape.tuple_shapes().size(); ++i) {
    elements.push_back(&AddElement(value, static_cast<std::int64_t>(i)));
  }
  return elements;
}

void Translator::Bind(ValueId value, HloInstruction& instruction) {
  if (value >= 0 && static_cast<std::size_t>(value) < values_.size()) values_[value].instruction = &instruction;
}

void Translator::BindResults(const Operation& operation, HloInstruction& instruction) {
  if (operation.results.size() != 1) return BindElements(operation, instruction);
  Bind(operation.results[0].id, instruction);
  if (annotations_.shardings.size() == 1) instruction.annotations["sharding"] = annotations_.shardings[0];
}

void Translator::BindElements(const Operation& operation, HloInstruction& tuple) {
  const auto& shardings = annotations_.shardings;
  const std::size_t count = operation.results.size();
  const bool has_shardings = shardings.size() == count && count == tuple.shape.tuple_shapes().size() && count != 0;
  if (has_shardings) tuple.annotations["sharding"] = fmt::format("{{{}}}", JoinText(shardings, ", "));
  for (std::size_t i = 0; i < count; ++i) {
    HloInstruction& element = AddElement(tuple, static_cast<std::int64_t>(i));
    if (has_shardings) element.annotations["sharding"] = shardings[i];
    Bind(operation.results[i].id, element);
  }
}

void Translator::Rebind(ValueId value, HloInstruction& instruction) {
  rebound_.emplace_back(value, values_[value].instruction);
  values_[value].instruction = &instruction;
}

Result<HloInstruction*> Translator::InstructionOf(const Operation& user, ValueId value) {
  if (TypeOf(value) == nullptr) return IllegalAt(user, "an operand is not a value of the program");
  IndexedValue& indexed = values_[value];
  if (indexed.instruction != nullptr && indexed.instruction->parent == computation_) return indexed.instruction;
  if (indexed.constant == nullptr) {
    return UnsupportedAt(
        user,
        "an operand is defined outside of the region that uses it, which may use constants only: make it an operand");
  }
  ASSAY_CHECK_OK(LowerOperation(*indexed.constant));
  HloInstruction* const copy = values_[value].instruction;
  return copy;
}

Status Translator::SetGrid(const Operation& user, std::int64_t replicas, std::int64_t partitions) {
  if (depth_ != 1) return UnsupportedAt(user, "it must be in the entry function");
  for (const char* const name : {"mhlo.num_replicas", "mhlo.num_partitions"}) {
    if (program_.module.attributes.Find(name) == nullptr) continue;
    return UnsupportedAt(user, fmt::format("the module must not have {}: its devices are the processes", name));
  }
  if (has_grid_ && (module_->replica_count != replicas || module_->num_partitions != partitions)) {
    return UnsupportedAt(user, fmt::format("a module must have one grid of processes, found {}x{} and {}x{}",
                                           module_->replica_count, module_->num_partitions, replicas, partitions));
  }
  has_grid_ = true;
  module_->replica_count = replicas;
  module_->num_partitions = partitions;
  return {};
}

Result<const Block*> Translator::OnlyBlock(const Operation& owner, const Region& region) const {
  if (region.blocks.size() == 1) return &region.blocks[0];
  return UnsupportedAt(owner, fmt::format("a region must have one block, found {}", region.blocks.size()));
}

Result<Annotations> Translator::AnnotationsOf(const Operation& operation) {
  Annotations annotations;
  annotations.base_name = BaseNameOf(operation.location);
  annotations.metadata = frames_.Metadata(operation.location);
  annotations.place = operation.place;
  if (operation.attributes.entries.empty()) return annotations;
  ASSAY_TRY(annotations.frontend_attributes, FrontendAttributesOf(operation, operation.attributes));
  ASSAY_TRY(annotations.shardings, ShardingsOf(operation));
  return annotations;
}

// A constant has no metadata: XLA folds and repeats constants.
Status Translator::LowerOperation(const Operation& operation) {
  const OpRow* row = FindRow(operation.name);
  if (row == nullptr) return UnknownOperation(operation);
  if (IsConstant(operation)) {
    Annotations of_constant;
    of_constant.place = operation.place;
    const ScopedAnnotations scope(*this, std::move(of_constant));
    // The enclosing computation gets its own constant back at the end of the region.
    for (const Value& result : operation.results) rebound_.emplace_back(result.id, values_[result.id].instruction);
    const std::size_t first = computation_->instructions.size();
    ASSAY_CHECK_OK(row->lower({*this, operation, *row, {}}));
    return Refine(operation, first);
  }
  ASSAY_CHECK_OK(CheckCounts(operation, *row));
  const std::size_t first = computation_->instructions.size();
  ASSAY_TRY(Annotations annotations, AnnotationsOf(operation));
  const ScopedAnnotations scope(*this, std::move(annotations));
  std::vector<HloInstruction*> operands;
  operands.reserve(operation.operands.size());
  for (const ValueId value : operation.operands) {
    ASSAY_TRY(operands.emplace_back(), InstructionOf(operation, value));
  }
  const Lowering lowering = {*this, operation, *row, std::move(operands)};
  ASSAY_CHECK_OK(HasQuantizedTensor(*this, operation) ? LowerQuantized(lowering) : row->lower(lowering));
  return Refine(operation, first);
}

Status Translator::InferShapes(const Operation& operation, std::size_t first) {
  for (std::size_t i = first; is_unbounded_ && i < computation_->instructions.size(); ++i) {
    HloInstruction& instruction = *computation_->instructions[i];
    ASSAY_CHECK_OK(InferShape(operation, instruction));
    known_.Learn(instruction);
  }
  return {};
}

// Checks the results of an operation, which has become the current computation's instructions from `first` on. In an
// unbounded program it infers their shapes before.
Status Translator::Refine(const Operation& operation, std::size_t first) {
  ASSAY_CHECK_OK(InferShapes(operation, first));
  for (std::size_t i = 0; i < operation.results.size(); ++i) {
    const Value& result = operation.results[i];
    const HloInstruction* instruction = TypeOf(result.id) == nullptr ? nullptr : values_[result.id].instruction;
    if (instruction == nullptr || instruction->parent != computation_) continue;
    if (std::holds_alternative<OtherType>(result.type.value)) continue;  // a future, a buffer
    const std::string what = operation.results.size() == 1 ? "the result" : fmt::format("result {}", i);
    ASSAY_CHECK_OK(CheckRefines(operation, what, result.type, instruction->shape));
  }
  return {};
}

Status Translator::LowerBlock(const Operation& owner, const Block& block) {
  if (block.operations.empty()) return IllegalAt(owner, "a block must end with a return, found no operation");
  for (std::size_t i = 0; i + 1 < block.operations.size(); ++i) {
    const Operation& operation = block.operations[i];
    ASSAY_CHECK_OK(IsConstant(operation) ? CheckConstant(operation) : LowerOperation(operation));
  }
  return {};
}

// Returns the operands of the return at the end of a block whose other operations have been translated.
Result<std::vector<HloInstruction*>> Translator::EndOperands(const Operation& owner, const Block& block) {
  const Operation& end = block.operations.back();
  if (!end.name.ends_with(".return")) {
    return IllegalAt(owner, fmt::format("a block must end with a return, found {}", end.name));
  }
  std::vector<HloInstruction*> operands;
  for (const ValueId value : end.operands) {
    ASSAY_TRY(operands.emplace_back(), InstructionOf(end, value));
  }
  return operands;
}

std::vector<Argument> Translator::ArgumentsOf(std::span<HloInstruction* const> operands) const {
  std::vector<Argument> arguments;
  for (std::size_t i = 0; is_unbounded_ && i < operands.size(); ++i) {
    const Literal* value = KnownValue(*operands[i]);
    arguments.push_back({operands[i]->shape, value == nullptr ? std::nullopt : std::optional<Literal>(*value)});
  }
  return arguments;
}

Result<HloComputation*> Translator::LowerFunction(const Operation& user, const std::string& name,
                                                  std::span<const Argument> arguments) {
  const auto found = functions_.find(name);
  if (found == functions_.end()) return IllegalAt(user, fmt::format("there is no function @{}", name));
  Function& function = found->second;
  std::string key;
  for (const Argument& argument : arguments) {
    key += argument.shape.ToString();
    if (argument.value) key += PrintTypedLiteral(*argument.value);
  }
  if (const auto lowered = function.computations.find(key); lowered != function.computations.end()) {
    return lowered->second;
  }
  if (function.is_open) return UnsupportedAt(user, fmt::format("@{} calls itself, which HLO does not allow", name));
  if (depth_ == kMostNesting) return TooDeep(user);
  function.is_open = true;
  ++depth_;
  ASSAY_TRY(HloComputation * computation, LowerBody(*function.operation, arguments));
  --depth_;
  function.is_open = false;
  function.computations.emplace(std::move(key), computation);
  return computation;
}

Result<HloComputation*> Translator::LowerBody(const Operation& function, std::span<const Argument> arguments) {
  ASSAY_TRY(const std::string name, AttributeReader(function).String("sym_name"));
  if (function.regions.empty() || function.regions[0].blocks.empty()) {
    return IllegalAt(function, fmt::format("@{} has no body", name));
  }
  ASSAY_TRY(const Block* block, OnlyBlock(function, function.regions[0]));
  ScopedComputation scope(*this, name);
  annotations_.place = function.place;
  for (std::size_t i = 0; i < block->arguments.size(); ++i) {
    ASSAY_TRY(HloInstruction * parameter,
              LowerParameter(function, block->arguments[i], static_cast<std::int64_t>(i), arguments));
    ASSAY_CHECK_OK(AnnotateArgument(program_, function, i, *parameter));
  }
  ASSAY_CHECK_OK(LowerBlock(function, *block));
  ASSAY_TRY(std::vector<HloInstruction*> results, EndOperands(function, *block));
  const Operation& end = block->operations.back();
  if (const FunctionType* type = TypeOfFunction(function)) {
    ASSAY_CHECK_OK(CheckQuantizedTypes(end, "operand", end.operands, type->results));
  }
  ASSAY_TRY(HloInstruction * root, AddFunctionResults(program_, function, *this, std::move(results)));
  return &scope.Finish(*root);
}

Result<std::unique_ptr<HloModule>> ToHlo(const Program& program, std::string_view function,
                                         std::span<const Argument> arguments) {
  try {
    return Translator(program).Translate(function, arguments);
  } catch (EvaluationError& error) {  // a constant exceeds the memory limit
    return std::move(error.error);
  }
}

}  // namespace assay::stablehlo
