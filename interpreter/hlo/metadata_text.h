// The text metadata={op_type="..." op_name="..." ...}: the source of an instruction.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "interpreter/hlo/stack_tables.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {

enum class MetadataFieldKind { kText, kNumber, kNumbers };
struct MetadataField {
  std::string_view name;
  MetadataFieldKind kind;
  bool makes_visible;  // metadata of other fields alone is not printed
};
// Returns the fields in the order of the text.
std::span<const MetadataField> MetadataFields();

struct Metadata {
  std::string text;  // with braces and XLA's order of fields, without those that have their default
  // XLA prints an instruction's metadata only if a field other than positions is set.
  bool is_visible = false;
};

// Parses metadata. With tables, replaces stack_frame_id by the module's number.
Result<Metadata> ParseMetadata(TextParser& parser, StackTables* tables = nullptr);

}  // namespace assay
