// metadata={op_type="..." op_name="..." ...}: where an instruction comes from.
#pragma once

#include <string>

#include "interpreter/hlo/stack_tables.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {

struct Metadata {
  std::string text;  // braces included, fields in XLA's order, those with their default left out
  // XLA prints an instruction's metadata only when some field beyond positions is set.
  bool is_visible = false;
};

// With tables, stack_frame_id is replaced by the module's number.
Result<Metadata> ParseMetadata(TextParser& parser, StackTables* tables = nullptr);

}  // namespace assay
