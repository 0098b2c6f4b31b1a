#include "interpreter/builder/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interpreter/builder/add_instruction.h"
#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/names.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/hlo/verifier_rules.h"

namespace assay::xla {
namespace {

// The error of a function without an operation that knows its builder. The builder that this thread uses next reports
// it.
thread_local std::optional<Error> error_without_builder;

// Returns "add(f32[2], f32[3])".
template <class Range, class ShapeOf>
std::string Describe(std::string_view op, const Range& operands, ShapeOf shape_of) {
  std::string text;
  for (const auto& operand : operands) {
    const Shape* shape = shape_of(operand);
    text += (text.empty() ? "" : ", ") + (shape == nullptr ? "?" : shape->ToStringWithoutLayout());
  }
  return fmt::format("{}({})", op, text);
}

std::string Describe(const HloInstruction& instruction) {
  return Describe(instruction.op->name, instruction.operands, [](const HloInstruction* i) { return &i->shape; });
}

// Strips the op's name from the start of a message.
std::string_view WithoutPrefix(std::string_view message, std::string_view prefix) {
  if (message.starts_with(prefix) && message.substr(prefix.size()).starts_with(": ")) {
    message.remove_prefix(prefix.size() + 2);
  }
  return message;
}

Error IllegalBy(const HloInstruction& instruction, const Error& error) {
  std::string_view message = WithoutPrefix(error.message, instruction.name);
  message = WithoutPrefix(message, instruction.op->name);
  return {error.code, fmt::format("{}: {}", Describe(instruction), message)};
}

// True if the declared part of a result matches it: nothing, an element type (as a scalar), a whole array, or the first
// elements of a tuple.
bool IsPartOf(const Shape& declared, const Shape& result) {
  if (declared.element_type() == PRIMITIVE_TYPE_INVALID) return true;
  if (declared.element_type() != result.element_type()) return false;
  if (!declared.IsTuple()) return declared.rank() == 0 || ShapeUtil::SameDimensions(declared, result);
  return std::ranges::mismatch(declared.tuple_shapes(), result.tuple_shapes(), IsPartOf).in1 ==
         declared.tuple_shapes().end();
}

// Checks a draft and completes its shape. The shape of a draft is the declared part: either all of it, with a layout
// that stays, or enough for the op's rule to infer the whole.
Status CheckDraft(HloInstruction& instruction) {
  ErrorList errors;
  CheckOperandsAndAttributes(instruction, errors);
  if (!errors.empty()) return IllegalBy(instruction, std::move(errors).Take().front());
  if (instruction.shape.element_type() != PRIMITIVE_TYPE_INVALID) {
    if (Status valid = ShapeUtil::ValidateShape(instruction.shape); !valid) {
      return IllegalBy(instruction, valid.error());
    }
  }
  Result<Shape> shape = instruction.op->legality.infer(instruction);
  if (!shape) return IllegalBy(instruction, shape.error());
  if (!IsPartOf(instruction.shape, *shape)) {
    return IllegalBy(instruction, {ErrorCode::kIllegal,
                                   fmt::format("declared {}, inferred {}", instruction.shape.ToStringWithoutLayout(),
                                               shape->ToStringWithoutLayout())});
  }
  if (!ShapeUtil::Compatible(instruction.shape, *shape)) instruction.shape = *std::move(shape);
  if (instruction.op->syntax.normalize != nullptr) {
    if (Status normalized = instruction.op->syntax.normalize(instruction); !normalized) {
      return IllegalBy(instruction, normalized.error());
    }
  }
  CheckInstruction(instruction, errors);
  if (errors.empty()) return {};
  return IllegalBy(instruction, std::move(errors).Take().front());
}

// Makes names unique: the entry computation keeps its names, and its callees are renamed.
void RenameCallees(HloModule& module) {
  NameUniquer computation_names, instruction_names;
  const auto rename = [&](HloComputation& computation) {
    computation.name = computation_names.Unique(computation.name);
    for (const auto& instruction : computation.instructions) {
      instruction->name = instruction_names.Unique(instruction->name);
    }
  };
  rename(*module.entry);
  for (const auto& computation : module.computations) {
    if (computation.get() != module.entry) rename(*computation);
  }
}

}  // namespace

struct XlaBuilder::State {
  explicit State(std::string name) {
    module.name = SanitizeName(name);
    if (module.name.empty()) module.name = "computation";
    entry = &module.AddComputation(module.name);
    module.entry = entry;
  }

  // Returns the copy of a computation to call. Copies each computation once, however often it is called.
  HloComputation* Embed(const XlaComputation& computation) {
    if (computation.IsNull()) return nullptr;
    embedded.push_back(computation.shared_module());
    return &copier.CopyAll(computation.module());
  }

  void Report(Error error) {
    TakeErrorWithoutBuilder();
    if (!first_error) first_error = std::move(error);
    ++error_count;
  }

  void TakeErrorWithoutBuilder() {
    if (!error_without_builder) return;
    const Error error = *std::exchange(error_without_builder, std::nullopt);
    Report(error);
  }

  // The computation under construction comes first, followed by its callees.
  HloModule module;
  HloComputation* entry = nullptr;
  ComputationCopier copier{module};
  // Keeps the copied computations alive: the copier identifies them by address.
  std::vector<std::shared_ptr<const HloModule>> embedded;
  FrontendAttributes frontend_attributes;
  std::optional<Error> first_error;
  std::int64_t error_count = 0;
};

XlaBuilder::XlaBuilder(std::string name) : state_(std::make_unique<State>(std::move(name))) {}
XlaBuilder::~XlaBuilder() = default;

const std::string& XlaBuilder::name() const { return state_->module.name; }

std::unique_ptr<XlaBuilder> XlaBuilder::CreateSubBuilder(std::string name) const {
  auto builder = std::make_unique<XlaBuilder>(std::move(name));
  builder->SetDeviceCounts(state_->module.replica_count, state_->module.num_partitions);
  return builder;
}

void XlaBuilder::SetDeviceCounts(std::int64_t replica_count, std::int64_t num_partitions) {
  state_->module.replica_count = replica_count;
  state_->module.num_partitions = num_partitions;
}

std::int64_t XlaBuilder::replica_count() const { return state_->module.replica_count; }

std::int64_t XlaBuilder::num_partitions() const { return state_->module.num_partitions; }

void XlaBuilder::SetFrontendAttributes(FrontendAttributes attributes) {
  state_->frontend_attributes = std::move(attributes);
}

FrontendAttributes XlaBuilder::SwapFrontendAttributes(FrontendAttributes attributes) {
  return std::exchange(state_->frontend_attributes, std::move(attributes));
}

Status XlaBuilder::first_error() const {
  state_->TakeErrorWithoutBuilder();
  if (!state_->first_error) return {};
  return *state_->first_error;
}

XlaOp XlaBuilder::ReportError(Error error) {
  state_->Report(std::move(error));
  return XlaOp(this, nullptr);
}

Result<Shape> XlaBuilder::GetShape(XlaOp op) const {
  if (op.builder_ != this) return Error{ErrorCode::kUsage, "the operation belongs to another builder, or to none"};
  if (op.valid()) return op.instruction_->shape;
  return *state_->first_error;
}

Result<ProgramShape> XlaBuilder::GetProgramShape() const {
  ASSAY_CHECK_OK(first_error());
  if (state_->entry->instructions.empty()) return Error{ErrorCode::kIllegal, "the computation has no operations"};
  ProgramShape shape;
  for (const HloInstruction* parameter : state_->entry->Parameters()) {
    if (parameter == nullptr) return Error{ErrorCode::kIllegal, "a parameter's number is left out"};
    shape.parameters.push_back(parameter->shape);
    shape.parameter_names.push_back(parameter->name);
  }
  shape.result = state_->entry->instructions.back()->shape;
  return shape;
}

Result<XlaComputation> XlaBuilder::Build() {
  state_->TakeErrorWithoutBuilder();
  if (state_->entry->instructions.empty() && !state_->first_error) {
    return Error{ErrorCode::kIllegal, fmt::format("{}: the computation has no operations", name())};
  }
  if (state_->first_error) return Build(XlaOp(this, nullptr));
  return Build(XlaOp(this, state_->entry->instructions.back().get()));
}

Result<XlaComputation> XlaBuilder::Build(XlaOp root) {
  ASSAY_TRY(std::unique_ptr<HloModule> module, BuildModule(root));
  return XlaComputation(std::move(module));
}

Status XlaBuilder::CheckRoot(XlaOp root) const {
  state_->TakeErrorWithoutBuilder();
  if (const std::optional<Error>& error = state_->first_error) {
    const std::int64_t more = state_->error_count - 1;
    const std::string others = more == 0 ? "" : fmt::format(" (and {} more error{})", more, more == 1 ? "" : "s");
    return Error{error->code, fmt::format("{}: {}{}", name(), error->message, others)};
  }
  if (root.builder_ == this) return {};
  return Error{ErrorCode::kIllegal, fmt::format("{}: the root belongs to another builder, or to none", name())};
}

Result<std::unique_ptr<HloModule>> XlaBuilder::BuildModule(XlaOp root) & {
  ASSAY_CHECK_OK(CheckRoot(root));
  auto module = std::make_unique<HloModule>();
  ComputationCopier copier(*module);
  for (const auto& computation : std::span(state_->module.computations).subspan(1)) copier.Copy(*computation);
  module->entry = &copier.Copy(*state_->entry);
  module->entry->root = &copier.CopyOf(*root.instruction_);
  return Finished(std::move(module));
}

Result<std::unique_ptr<HloModule>> XlaBuilder::BuildModule(XlaOp root) && {
  ASSAY_TRY(std::unique_ptr<HloModule> module, std::move(*this).TakeModule(root));
  return Finished(std::move(module));
}

Result<std::unique_ptr<HloModule>> XlaBuilder::TakeModule(XlaOp root) && {
  ASSAY_CHECK_OK(CheckRoot(root));
  auto module = std::make_unique<HloModule>();
  module->computations = std::move(state_->module.computations);
  std::rotate(module->computations.begin(), module->computations.begin() + 1, module->computations.end());
  for (const auto& computation : module->computations) computation->module = module.get();
  module->entry = state_->entry;
  module->entry->root = root.instruction_;
  return module;
}

Result<std::unique_ptr<HloModule>> XlaBuilder::Finished(std::unique_ptr<HloModule> module) const {
  module->name = name();
  module->replica_count = state_->module.replica_count;
  module->num_partitions = state_->module.num_partitions;
  RenameCallees(*module);
  if (Status status = VerifyHloModule(*module); !status) {
    return Error{status.error().code, fmt::format("{}: {}", name(), status.error().message)};
  }
  SetEntryLayouts(*module);
  return module;
}

XlaOp XlaBuilder::AddInstruction(std::string_view op, const std::vector<XlaOp>& operands,
                                 std::vector<OpAttribute> attributes, std::optional<Shape> shape) {
  const auto illegal = [&](std::string_view message) {
    return ReportError({ErrorCode::kIllegal, fmt::format("{}: {}", Describe(op, operands, FindShape), message)});
  };
  auto instruction = std::make_unique<HloInstruction>();
  instruction->op = FindOp(op);
  if (instruction->op == nullptr) return illegal("there is no op of this name");
  bool has_illegal_operand = false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].IsUninitialized()) return illegal(fmt::format("operand {} is not an operation", i));
    if (operands[i].builder_ != this) return illegal(fmt::format("operand {} belongs to another builder", i));
    has_illegal_operand = has_illegal_operand || !operands[i].valid();
    instruction->operands.push_back(operands[i].instruction_);
  }
  if (has_illegal_operand) return XlaOp(this, nullptr);
  for (OpAttribute& attribute : attributes) {
    std::vector<HloComputation*> embedded;
    for (const XlaComputation* computation : attribute.computations) {
      embedded.push_back(state_->Embed(*computation));
      if (embedded.back() == nullptr) return illegal(fmt::format("{} is not a computation", attribute.name));
    }
    if (attribute.is_list) {
      attribute.value = std::move(embedded);
    } else if (!embedded.empty()) {
      attribute.value = embedded[0];
    }
    if (std::holds_alternative<std::monostate>(attribute.value)) continue;
    if (attribute.name == "backend_config") {
      instruction->annotations["backend_config"] = PrintBackendConfig(std::get<std::string>(attribute.value));
      continue;
    }
    const AttributeSpec* spec = instruction->op->FindAttributeOfText(attribute.name);
    if (spec == nullptr) return illegal(fmt::format("the op has no attribute {}", attribute.name));
    instruction->Set(spec->name, std::move(attribute.value));
  }
  if (shape) instruction->shape = *std::move(shape);
  instruction->name = instruction->op->name;
  return Add(std::move(instruction));
}

XlaOp XlaBuilder::Add(std::unique_ptr<HloInstruction> instruction) {
  instruction->parent = state_->entry;
  if (!state_->frontend_attributes.empty()) {
    instruction->annotations["frontend_attributes"] = PrintFrontendAttributes(state_->frontend_attributes);
  }
  if (Status status = CheckDraft(*instruction); !status) return ReportError(std::move(status).error());
  return XlaOp(this, &state_->entry->Add(std::move(instruction)));
}

XlaOp XlaBuilder::Parameter(std::int64_t parameter_number, const Shape& shape, const std::string& parameter_name) {
  const auto illegal = [&](std::string_view message) {
    return ReportError({ErrorCode::kIllegal, fmt::format("parameter {} {} of {}: {}", parameter_number, parameter_name,
                                                         shape.ToStringWithoutLayout(), message)});
  };
  constexpr std::int64_t kMostParameters = 1 << 20;
  if (parameter_number < 0 || parameter_number >= kMostParameters) {
    return illegal(fmt::format("a parameter's number must be in [0, {})", kMostParameters));
  }
  const bool is_taken = std::ranges::any_of(state_->entry->instructions, [&](const auto& other) {
    return other->op->role == OpRole::kParameter && other->parameter_number == parameter_number;
  });
  if (is_taken) {
    return illegal("there is a parameter of this number");
  }
  auto instruction = std::make_unique<HloInstruction>();
  instruction->op = FindOp("parameter");
  instruction->name = SanitizeName(parameter_name.empty() ? "parameter" : parameter_name);
  instruction->shape = shape;
  instruction->parameter_number = parameter_number;
  return Add(std::move(instruction));
}

XlaOp XlaBuilder::ConstantLiteral(const Literal& literal) {
  auto instruction = std::make_unique<HloInstruction>();
  instruction->op = FindOp("constant");
  instruction->name = instruction->op->name;
  instruction->shape = literal.shape();
  instruction->literal = literal;
  return Add(std::move(instruction));
}

const Shape* FindShape(XlaOp op) { return op.valid() ? &op.instruction_->shape : nullptr; }

XlaBuilder* BuilderOf(const std::vector<XlaOp>& operands) {
  const auto known = std::ranges::find_if(operands, [](XlaOp op) { return !op.IsUninitialized(); });
  return known == operands.end() ? nullptr : known->builder();
}

Int64List AllDimensions(std::int64_t rank) {
  Int64List all(rank);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::int64_t SizeTimes(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

std::vector<XlaOp> Joined(std::vector<XlaOp> first, const std::vector<XlaOp>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

XlaOp AddInstruction(XlaBuilder* builder, std::string_view op, const std::vector<XlaOp>& operands,
                     std::vector<OpAttribute> attributes, std::optional<Shape> shape) {
  return builder->AddInstruction(op, operands, std::move(attributes), std::move(shape));
}

XlaOp AddInstruction(std::string_view op, const std::vector<XlaOp>& operands, std::vector<OpAttribute> attributes,
                     std::optional<Shape> shape) {
  XlaBuilder* builder = BuilderOf(operands);
  if (builder == nullptr) {
    return ReportIllegal(op, operands,
                         operands.empty() ? "takes at least 1 operand, found 0" : "no operand is an operation");
  }
  return builder->AddInstruction(op, operands, std::move(attributes), std::move(shape));
}

XlaOp ReportIllegal(std::string_view function, const std::vector<XlaOp>& operands, std::string message) {
  Error error = {ErrorCode::kIllegal, fmt::format("{}: {}", Describe(function, operands, FindShape), message)};
  if (XlaBuilder* builder = BuilderOf(operands)) return builder->ReportError(std::move(error));
  if (!error_without_builder) error_without_builder = std::move(error);
  return XlaOp();
}

XlaOp Parameter(XlaBuilder* builder, std::int64_t parameter_number, const Shape& shape, const std::string& name) {
  return builder->Parameter(parameter_number, shape, name);
}

XlaOp ConstantLiteral(XlaBuilder* builder, const Literal& literal) { return builder->ConstantLiteral(literal); }

}  // namespace assay::xla
