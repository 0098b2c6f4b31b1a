// metadata={op_type="..." op_name="..." ...}: where an instruction comes from.
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
// In the order of the text.
std::span<const MetadataField> MetadataFields();

struct Metadata {
  std::string text;  // braces included, fields in XLA's order, those with their default left out
  // XLA prints an instruction's metadata only when some field beyond positions is set.
  bool is_visible = false;
};

// With tables, stack_frame_id is replaced by the module's number.
Result<Metadata> ParseMetadata(TextParser& parser, StackTables* tables = nullptr);

}  // namespace assay
