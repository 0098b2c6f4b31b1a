// A whole text: operations, definitions of aliases, and the section of resources.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/stablehlo/text_forms.h"
#include "interpreter/stablehlo/text_parser.h"
#include "interpreter/stablehlo/vhlo_operations.h"

namespace assay::stablehlo {
namespace {

struct DefaultRow {
  std::string_view op, attribute, value;
};
constexpr auto kDefaults = std::to_array<DefaultRow>({
    {"func.func", "arg_attrs", "[{}]"},
    {"func.func", "res_attrs", "[{}]"},
    {"sdy.all_reduce", "reduction_op", "0"},
    {"sdy.reduce_scatter", "reduction_op", "0"},
    {"stablehlo.composite", "composite_attributes", "{}"},
    {"stablehlo.composite", "version", "0"},
    {"stablehlo.custom_call", "api_version", "1"},
    {"stablehlo.custom_call", "backend_config", "\"\""},
    {"stablehlo.custom_call", "called_computations", "[]"},
    {"stablehlo.custom_call", "has_side_effect", "false"},
    {"stablehlo.custom_call", "output_operand_aliases", "[]"},
});

}  // namespace

void RemoveDefaults(Operation& operation) {
  if (std::ranges::find(kDefaults, operation.name, &DefaultRow::op) == kDefaults.end()) return;
  std::erase_if(operation.attributes.entries, [&](const NamedAttribute& entry) {
    return std::ranges::any_of(kDefaults, [&](const DefaultRow& row) {
      return row.op == operation.name && row.attribute == entry.name && HasValue(entry.value, row.value);
    });
  });
}

// Parses a word or a string.
Result<std::string> MlirParser::ParseResourceKey() {
  if (Is(MlirTokenKind::kString)) return ParseString();
  if (!Is(MlirTokenKind::kWord)) return Expected("the key of a resource");
  std::string key(token().text);
  Next();
  return key;
}

// Parses a value of {-# dialect_resources: {builtin: {key: "0x..."}}, external_resources: {...} #-}.
Status MlirParser::ParseResourceValue(const std::string& group) {
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) return TooDeep();
  if (!At("{")) {
    if (!Is(MlirTokenKind::kString) && !Is(MlirTokenKind::kWord) && !Is(MlirTokenKind::kInteger))
      return Expected("a resource");
    if (group == "builtin" && Is(MlirTokenKind::kString)) return Fail("expected the key of this resource before it");
    Next();
    return {};
  }
  return ParseList("{", "}", [&]() -> Status {
    ASSAY_TRY(const std::string key, ParseResourceKey());
    ASSAY_CHECK_OK(Expect(":"));
    if (group != "builtin" || !Is(MlirTokenKind::kString)) return ParseResourceValue(key);
    resources_[key] = token().text;
    Next();
    return {};
  });
}

Status MlirParser::ParseResources() {
  if (resources_begin_ == std::string_view::npos) return {};
  lexer_.MoveTo(resources_begin_);
  ASSAY_CHECK_OK(Expect("{-#"));
  while (!At("#-}")) {
    if (!Is(MlirTokenKind::kWord)) return Expected("dialect_resources");
    const std::string section(token().text);
    Next();
    ASSAY_CHECK_OK(Expect(":"));
    ASSAY_CHECK_OK(ParseResourceValue(section));
    if (!Take(",") && !At("#-}")) return Expected("',' or '#-}'");
  }
  lexer_.MoveTo(0);
  return {};
}

// Parses a program. The operations of a text without a module are those of a module without a name.
Result<Program> MlirParser::ParseProgram() {
  ASSAY_CHECK_OK(ParseResources());
  Region region;
  std::vector<Operation>& operations = region.blocks.emplace_back().operations;
  while (!Is(MlirTokenKind::kEnd)) {
    const bool is_alias = (Is(MlirTokenKind::kHash) || Is(MlirTokenKind::kBang)) && aliases_.contains(token().text);
    if (is_alias) {
      ASSAY_CHECK_OK(SkipAlias());
    } else if (token().begin == resources_begin_) {
      lexer_.MoveTo(lexer_.text().find("#-}", token().begin) + 3);
    } else {
      ASSAY_CHECK_OK(ParseOperation(operations));
    }
  }
  Program program;
  if (operations.size() == 1 && operations[0].name == "builtin.module") {
    program.module = std::move(operations[0]);
  } else {
    program.module.name = "builtin.module";
    program.module.place = {1, 1};
    program.module.regions.push_back(std::move(region));
  }
  if (program.module.regions.size() != 1 || program.module.regions[0].blocks.size() != 1) {
    return Error{ErrorCode::kParse, "expected a module with one block", program.module.place};
  }
  return program;
}

// Parses the definition of an alias unless a use has done so, and moves after it.
Status MlirParser::SkipAlias() {
  const Alias& alias = aliases_.at(token().text);
  const bool is_type = Is(MlirTokenKind::kBang);
  if (!IsBefore("=")) return Expected("an operation");
  if (token().begin > alias.position) return Fail(fmt::format("the alias {} is defined twice", token().text));
  lexer_.MoveTo(std::max(alias.position, alias.end));
  if (alias.end != 0) return {};
  if (is_type) {
    ASSAY_CHECK_OK(ParseType());
  } else if (At("loc")) {
    ASSAY_CHECK_OK(ParseOptionalLocation());
  } else {
    ASSAY_CHECK_OK(ParseAttribute());
  }
  return {};
}

Result<Program> ParseText(std::string_view text) { return MlirParser(text).ParseProgram(); }

}  // namespace assay::stablehlo
