#include "interpreter/hlo/buffer_aliases.h"

#include <fmt/format.h>

#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// Parses the same as ParameterBuffer::ToString returns, up to the end of the index.
Status ParseBuffer(TextParser& parser, ParameterBuffer& buffer) {
  ASSAY_CHECK_OK(parser.Expect("("));
  ASSAY_TRY(buffer.parameter, parser.ParseInteger());
  ASSAY_CHECK_OK(parser.Expect(","));
  ASSAY_TRY(buffer.index, parser.ParseIntegers());
  return {};
}

std::string InBraces(const std::vector<std::string>& entries) {
  return entries.empty() ? std::string() : fmt::format("{{ {} }}", JoinText(entries, ", "));
}

}  // namespace

std::string ParameterBuffer::ToString() const { return fmt::format("({}, {{{}}})", parameter, JoinText(index, ",")); }

Result<std::vector<BufferAlias>> ParseAliases(TextParser& parser) {
  std::vector<BufferAlias> aliases;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    BufferAlias& alias = aliases.emplace_back();
    ASSAY_TRY(alias.output, parser.ParseIntegers());
    ASSAY_CHECK_OK(parser.Expect(":"));
    ASSAY_CHECK_OK(ParseBuffer(parser, alias));
    if (parser.Eat(",")) {
      const bool is_must = parser.token().text == "must-alias";
      if (!is_must && parser.token().text != "may-alias") return parser.Expected("may-alias or must-alias");
      if (is_must) alias.kind = BufferAlias::kMust;
      parser.Next();
    }
    return parser.Expect(")");
  }));
  return aliases;
}

Result<std::vector<ParameterBuffer>> ParseDonors(TextParser& parser) {
  std::vector<ParameterBuffer> donors;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    ASSAY_CHECK_OK(ParseBuffer(parser, donors.emplace_back()));
    return parser.Expect(")");
  }));
  return donors;
}

std::string PrintAliases(const std::vector<BufferAlias>& aliases) {
  std::vector<std::string> entries;
  for (const BufferAlias& alias : aliases) {
    entries.push_back(fmt::format("{{{}}}: ({}, {{{}}}, {})", JoinText(alias.output, ","), alias.parameter,
                                  JoinText(alias.index, ","),
                                  alias.kind == BufferAlias::kMust ? "must-alias" : "may-alias"));
  }
  return InBraces(entries);
}

std::string PrintDonors(const std::vector<ParameterBuffer>& donors) {
  std::vector<std::string> entries;
  for (const ParameterBuffer& donor : donors) entries.push_back(donor.ToString());
  return InBraces(entries);
}

}  // namespace assay
