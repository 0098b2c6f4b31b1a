#include "interpreter/hlo/metadata_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

constexpr std::array<MetadataField, 12> kMetadataFields = {{
    {"op_type", MetadataFieldKind::kText, true},
    {"op_name", MetadataFieldKind::kText, true},
    {"source_file", MetadataFieldKind::kText, true},
    {"source_line", MetadataFieldKind::kNumber, false},
    {"source_end_line", MetadataFieldKind::kNumber, false},
    {"source_column", MetadataFieldKind::kNumber, false},
    {"source_end_column", MetadataFieldKind::kNumber, false},
    {"profile_type", MetadataFieldKind::kNumbers, false},
    {"deduplicated_name", MetadataFieldKind::kText, false},
    {"scheduling_name", MetadataFieldKind::kText, true},
    {"stack_frame_id", MetadataFieldKind::kNumber, true},
    {"metadata_payload", MetadataFieldKind::kText, true},
}};

// Returns the printed value of one metadata field; empty if it has its default.
Result<std::string> ParseMetadataField(TextParser& parser, const MetadataField& field, StackTables* tables) {
  switch (field.kind) {
    case MetadataFieldKind::kText: {
      ASSAY_TRY(const std::string text, parser.ParseString());
      return text.empty() ? std::string() : "\"" + Escape(text) + "\"";
    }
    case MetadataFieldKind::kNumber: {
      ASSAY_TRY(std::int64_t number, parser.ParseInteger());
      if (field.name == "stack_frame_id" && tables != nullptr) number = tables->Use(number);
      return number == 0 ? std::string() : std::to_string(number);
    }
    case MetadataFieldKind::kNumbers: {
      ASSAY_TRY(const Int64List numbers, parser.ParseIntegers());
      return numbers.empty() ? std::string() : fmt::format("{{{}}}", JoinText(numbers, ","));
    }
  }
  return std::string();
}

}  // namespace

std::span<const MetadataField> MetadataFields() { return kMetadataFields; }

Result<Metadata> ParseMetadata(TextParser& parser, StackTables* tables) {
  std::map<std::string_view, std::string> values;
  ASSAY_CHECK_OK(parser.Expect("{"));
  while (!parser.At("}")) {
    const auto field = std::ranges::find_if(kMetadataFields, [&](const MetadataField& f) {
      return parser.Is(TokenKind::kAttributeName) && parser.token().text == f.name;
    });
    if (field == kMetadataFields.end()) return parser.Expected("a field of metadata such as op_name=");
    parser.Next();
    ASSAY_TRY(values[field->name], ParseMetadataField(parser, *field, tables));
    parser.Eat(",");
  }
  ASSAY_CHECK_OK(parser.Expect("}"));
  Metadata metadata;
  std::vector<std::string> parts;
  for (const MetadataField& field : kMetadataFields) {
    const std::string& value = values[field.name];
    if (value.empty()) continue;
    parts.push_back(fmt::format("{}={}", field.name, value));
    metadata.is_visible |= field.makes_visible;
  }
  metadata.text = fmt::format("{{{}}}", JoinText(parts, " "));
  return metadata;
}

}  // namespace assay
