// Parsing of the attributes of the HloModule line.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/buffer_aliases.h"
#include "interpreter/hlo/module_parser.h"
#include "interpreter/hlo/shape_text.h"
#include "interpreter/types/join_text.h"

namespace assay {

Status ModuleParser::ParseHeaderAttributes() {
  std::vector<std::string_view> seen;
  while (parser_.Eat(",")) {
    if (!parser_.Is(TokenKind::kAttributeName)) return parser_.Expected("an attribute of the module");
    const Token name = parser_.token();
    if (std::ranges::find(seen, name.text) != seen.end()) {
      return parser_.Fail(fmt::format("attribute {} is given twice", name.text));
    }
    seen.push_back(name.text);
    parser_.Next();
    if (Status status = ParseHeaderAttribute(name.text); !status.has_value()) return std::move(status).error();
  }
  return {};
}

namespace {

// Parses one bool or "{b,b}". Returns an empty text for "{false}", the default.
Result<std::string> ParseBools(TextParser& parser) {
  std::vector<bool> values;
  const auto item = [&]() -> Status {
    ASSAY_TRY(const bool value, parser.ParseBool());
    values.push_back(value);
    return {};
  };
  if (parser.At("{")) {
    ASSAY_CHECK_OK(parser.ParseList("{", "}", item));
  } else {
    ASSAY_CHECK_OK(item());
  }
  if (values == std::vector<bool>{false}) return std::string();
  return fmt::format("{{{}}}", JoinText(values, ","));
}

Result<std::string> ParseRawBraces(TextParser& parser) {
  std::string_view raw;
  if (!parser.At("{") || !parser.lexer().TakeBraces(raw)) return parser.Expected("balanced braces");
  return std::string(raw);
}

}  // namespace

// Parses "{(shape, ...)->shape}".
Status ModuleParser::ParseEntryComputationLayout() {
  has_entry_layout_ = true;
  ASSAY_CHECK_OK(parser_.Expect("{"));
  ASSAY_CHECK_OK(parser_.ParseItems("(", ")", module_->entry_parameter_layouts, [&] { return ParseShape(parser_); }));
  ASSAY_CHECK_OK(parser_.Expect("->"));
  ASSAY_TRY(module_->entry_result_layout, ParseShape(parser_));
  return parser_.Expect("}");
}

Status ModuleParser::ParseHeaderAttribute(std::string_view name) {
  if (name == "is_scheduled") {
    ASSAY_TRY(module_->is_scheduled, parser_.ParseBool());
    return {};
  }
  if (name == "replica_count" || name == "num_partitions") {
    std::int64_t& count = name == "replica_count" ? module_->replica_count : module_->num_partitions;
    ASSAY_TRY(count, parser_.ParseInteger());
    has_configuration_ |= count != 1;
    return {};
  }
  if (name == "entry_computation_layout") return ParseEntryComputationLayout();
  std::string text;
  if (name == "alias_passthrough_params") {
    ASSAY_TRY(const bool value, parser_.ParseBool());
    text = value ? "true" : "";
    has_configuration_ |= value;
  } else if (name == "input_output_alias") {
    ASSAY_TRY(const std::vector<BufferAlias> aliases, ParseAliases(parser_));
    text = PrintAliases(aliases);
  } else if (name == "buffer_donor") {
    ASSAY_TRY(const std::vector<ParameterBuffer> donors, ParseDonors(parser_));
    text = PrintDonors(donors);
  } else if (name == "allow_spmd_sharding_propagation_to_parameters" ||
             name == "allow_spmd_sharding_propagation_to_output") {
    ASSAY_TRY(text, ParseBools(parser_));
    has_configuration_ = true;
  } else if (name == "frontend_attributes") {
    ASSAY_TRY(text, ParseFrontendAttributes(parser_));
  } else if (name == "backend_config") {
    ASSAY_TRY(text, ParseBackendConfig(parser_));
  } else if (name == "origin_recovery_table" || name == "debug_attributes") {
    ASSAY_TRY(text, ParseRawBraces(parser_));
  } else {
    return parser_.Fail(fmt::format("a module has no attribute {}", name));
  }
  if (!text.empty()) module_->header_attributes.emplace(name, std::move(text));
  return {};
}

}  // namespace assay
