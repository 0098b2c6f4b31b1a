// Parsing of a module: header, computations, entry, names.
#include "interpreter/hlo/module_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/metadata_text.h"
#include "interpreter/hlo/names.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/shape_text.h"

namespace assay {

Result<std::unique_ptr<HloModule>> ModuleParser::Parse() {
  if (parser_.Is(TokenKind::kEnd)) return parser_.Expected("HloModule, ENTRY or an instruction");
  const bool is_module = parser_.AtKeyword("HloModule") || parser_.AtKeyword("ENTRY") || parser_.Peek().text == "{";
  if (is_module) {
    ASSAY_CHECK_OK(ParseModule());
  } else {
    ASSAY_CHECK_OK(ParseSingleInstruction());
  }
  ASSAY_CHECK_OK(parser_.ExpectEnd());
  ASSAY_CHECK_OK(Finish());
  return std::move(module_);
}

Status ModuleParser::ParseModule() {
  if (parser_.EatKeyword("HloModule")) {
    ASSAY_TRY(const std::string name, parser_.ParseName());
    module_->name = SanitizeName(name);
    ASSAY_CHECK_OK(ParseHeaderAttributes());
    ASSAY_CHECK_OK(stack_tables_.Parse(parser_));
  }
  do {
    ASSAY_CHECK_OK(ParseComputation());
  } while (!parser_.Is(TokenKind::kEnd));
  return {};
}

// Parses "[name =] shape opcode(operands), attributes". Undefined operands become the parameters.
Status ModuleParser::ParseSingleInstruction() {
  is_single_ = true;
  Scope scope;
  scope.defines_parameters = true;
  scope.computation->name = "_";
  const SourceLocation location = parser_.token().location;
  std::string name = "_";
  if ((parser_.Is(TokenKind::kName) || parser_.Is(TokenKind::kIdentifier)) && parser_.Peek().text == "=") {
    ASSAY_TRY(name, parser_.ParseName());
    ASSAY_CHECK_OK(parser_.Expect("="));
  }
  ASSAY_TRY(scope.computation->root, ParseDefinition(scope, name, location, /*is_nested=*/false));
  ASSAY_CHECK_OK(CheckParameters(*scope.computation));
  module_->name = "_";
  module_->is_scheduled = true;
  module_->entry = AddComputation(std::move(scope.computation));
  return {};
}

Status ModuleParser::ParseComputation() {
  const bool is_entry = parser_.EatKeyword("ENTRY");
  const SourceLocation location = parser_.token().location;
  if (!parser_.Is(TokenKind::kName) && !parser_.Is(TokenKind::kIdentifier)) {
    return parser_.Expected(is_entry ? "a computation's name" : "ENTRY or a computation's name");
  }
  ASSAY_TRY(std::string name, parser_.ParseName());
  if (is_entry && module_->entry != nullptr) {
    return TextParser::FailAt(location,
                              fmt::format("{} is a second ENTRY; the first is {}", name, module_->entry->name));
  }
  if (computations_.contains(name)) {
    return TextParser::FailAt(location, fmt::format("computation {} is defined twice", name));
  }
  computations_.emplace(name, nullptr);
  const bool has_signature = parser_.At("(");
  const SourceLocation signature_location = parser_.token().location;
  Shape result;
  if (has_signature) {
    ASSAY_TRY(result, ParseSignature());
  }
  ASSAY_TRY(std::unique_ptr<HloComputation> computation, ParseBody(name, location));
  if (has_signature) ASSAY_CHECK_OK(CheckSignature(result, *computation, signature_location));
  ASSAY_CHECK_OK(ParseComputationAttributes(*computation));
  HloComputation* added = AddComputation(std::move(computation));
  computations_[name] = added;
  if (is_entry) module_->entry = added;
  return {};
}

Status ModuleParser::ParseComputationAttributes(HloComputation& computation) {
  while (parser_.Eat(",")) {
    if (parser_.EatAttributeName("execution_thread")) {
      ASSAY_TRY(computation.execution_thread, parser_.ParseString());
    } else if (parser_.EatAttributeName("backend_config")) {
      ASSAY_TRY(computation.backend_config, ParseBackendConfig(parser_));
    } else {
      return parser_.Expected("execution_thread= or backend_config=");
    }
  }
  return {};
}

// Parses "(name: shape, ...) -> shape". Only the result adds information to the body.
Result<Shape> ModuleParser::ParseSignature() {
  ASSAY_CHECK_OK(parser_.ParseList("(", ")", [&]() -> Status {
    ASSAY_TRY(const std::string name, parser_.ParseName());
    ASSAY_TRY(const Shape shape, ParseShape(parser_));
    return {};
  }));
  ASSAY_CHECK_OK(parser_.Expect("->"));
  return ParseShape(parser_);
}

Status ModuleParser::CheckSignature(const Shape& result, const HloComputation& computation, SourceLocation location) {
  if (ShapeUtil::Compatible(result, computation.root->shape)) return {};
  return TextParser::FailAt(location,
                            fmt::format("the signature of {} gives {}, its root {} has shape {}", computation.name,
                                        result.ToStringWithoutLayout(), computation.root->name,
                                        computation.root->shape.ToStringWithoutLayout()));
}

Result<std::unique_ptr<HloComputation>> ModuleParser::ParseBody(std::string name, SourceLocation location) {
  const TextParser::Nesting nesting(parser_);
  ASSAY_CHECK_OK(nesting.Check());
  Scope scope;
  scope.computation->name = std::move(name);
  scope.computation->location = location;
  ASSAY_CHECK_OK(parser_.Expect("{"));
  do {
    ASSAY_CHECK_OK(ParseInstruction(scope));
  } while (!parser_.Eat("}"));
  ASSAY_CHECK_OK(CheckParameters(*scope.computation));
  if (scope.computation->root == nullptr) scope.computation->root = scope.computation->instructions.back().get();
  return std::move(scope.computation);
}

// Checks that parameters are numbered from 0, each number once.
Status ModuleParser::CheckParameters(const HloComputation& computation) {
  std::vector<bool> seen(computation.instructions.size(), false);
  std::size_t count = 0;
  for (const auto& instruction : computation.instructions) {
    if (instruction->op->role != OpRole::kParameter) continue;
    const auto number = static_cast<std::size_t>(instruction->parameter_number);
    if (number >= seen.size() || seen[number]) {
      return TextParser::FailAt(instruction->location,
                                fmt::format("parameter {} {}", number,
                                            number < seen.size() ? "is defined twice" : "without those before it"));
    }
    seen[number] = true;
    ++count;
  }
  for (std::size_t number = 0; number < count; ++number) {
    if (!seen[number]) {
      return TextParser::FailAt(computation.location, fmt::format("{} has {} parameters, but none numbered {}",
                                                                  computation.name, count, number));
    }
  }
  return {};
}

// Parses the name of a computation defined before, or a body in place.
Result<HloComputation*> ModuleParser::ParseComputationReference() {
  const SourceLocation location = parser_.token().location;
  if (parser_.At("{")) {
    ASSAY_TRY(std::unique_ptr<HloComputation> computation, ParseBody("_", location));
    return AddComputation(std::move(computation));
  }
  if (!parser_.Is(TokenKind::kName) && !parser_.Is(TokenKind::kIdentifier)) {
    return parser_.Expected("a computation's name or body");
  }
  ASSAY_TRY(const std::string name, parser_.ParseName());
  const auto found = computations_.find(name);
  if (found == computations_.end()) {
    return TextParser::FailAt(location, fmt::format("computation {} is not defined before its use", name));
  }
  if (found->second == nullptr) return TextParser::FailAt(location, fmt::format("computation {} calls itself", name));
  return found->second;
}

HloComputation* ModuleParser::AddComputation(std::unique_ptr<HloComputation> computation) {
  computation->module = module_.get();
  module_->computations.push_back(std::move(computation));
  return module_->computations.back().get();
}

namespace {

void ResetOrders(Shape& shape) {
  if (shape.IsArray()) {
    shape.mutable_layout().minor_to_major = LayoutUtil::GetDefaultLayoutForRank(shape.rank()).minor_to_major;
  }
  for (Shape& element : shape.mutable_tuple_shapes()) ResetOrders(element);
}

}  // namespace

Status ModuleParser::Finish() {
  ASSAY_CHECK_OK(FinishAsync());
  if (module_->entry == nullptr) module_->entry = module_->computations.back().get();
  if (module_->name.empty()) module_->name = "module_" + module_->entry->name;
  MakeNamesUnique();
  NumberStackFrames();
  if (!has_entry_layout_) {
    SetEntryLayouts(*module_);
    // XLA keeps the dimension order of the instructions only if nothing else makes it write a configuration of the
    // module.
    if (is_single_ || has_configuration_) {
      for (Shape& shape : module_->entry_parameter_layouts) ResetOrders(shape);
      ResetOrders(module_->entry_result_layout);
    }
  }
  return {};
}

void ModuleParser::MakeNamesUnique() {
  NameUniquer computation_names, instruction_names;
  // XLA names the computation of a single instruction before the bodies in that instruction.
  if (is_single_) module_->entry->name = computation_names.Unique(module_->entry->name);
  for (const auto& computation : module_->computations) {
    const bool is_named = is_single_ && computation.get() == module_->entry;
    if (!is_named) computation->name = computation_names.Unique(computation->name);
    for (const auto& instruction : computation->instructions) {
      instruction->name = instruction_names.Unique(instruction->name);
    }
  }
}

// Numbers frames in the order in which the finished module's instructions use them.
void ModuleParser::NumberStackFrames() {
  for (const auto& computation : module_->computations) {
    for (const auto& instruction : computation->instructions) {
      const auto metadata = instruction->annotations.find("metadata");
      if (metadata == instruction->annotations.end() || metadata->second.find("stack_frame_id=") == std::string::npos) {
        continue;
      }
      TextParser parser(metadata->second);
      const Result<Metadata> renumbered = ParseMetadata(parser, &stack_tables_);
      if (renumbered->is_visible) {
        metadata->second = renumbered->text;
      } else {
        instruction->annotations.erase(metadata);
      }
    }
  }
  module_->stack_tables = stack_tables_.ToString();
}

Result<std::unique_ptr<HloModule>> ParseHloModule(std::string_view text) { return ModuleParser(text).Parse(); }

std::string RenderError(const Error& error, std::string_view text, std::string_view file_name) {
  constexpr std::size_t kShown = 160;
  const std::string_view file = file_name.empty() ? "<text>" : file_name;
  if (error.location.line <= 0) return fmt::format("{}: error: {}", file, error.message);
  std::size_t begin = 0;
  for (int line = 1; line < error.location.line && begin < text.size(); ++line) {
    begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  }
  std::string_view line = text.substr(begin, text.find_first_of("\r\n", begin) - begin);
  // Shows the part of a long line that is around the column.
  std::size_t column = std::min<std::size_t>(error.location.column - 1, line.size());
  const std::size_t skipped = column > kShown / 2 ? column - kShown / 2 : 0;
  line = line.substr(skipped, kShown);
  column -= skipped;
  std::string shown, indent;
  for (const char c : line) shown += c == '\t' || static_cast<unsigned char>(c) >= 0x20 ? c : '?';
  for (const char c : line.substr(0, column)) indent += c == '\t' ? '\t' : ' ';
  return fmt::format("{}:{}:{}: error: {}\n{}\n{}^", file, error.location.line, error.location.column, error.message,
                     shown, indent);
}

}  // namespace assay
