// Parsing of HLO text into modules, shapes and literals. The parser checks the grammar and what it needs to build the
// module; the verifier checks legality.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// Parses a whole module, or one instruction by itself. Errors are kParse (kLimit for a literal too large to hold) with
// a location.
Result<std::unique_ptr<HloModule>> ParseHloModule(std::string_view text);

// Parses "f32[2,3]{1,0}".
Result<Shape> ParseShape(std::string_view text);
// Parses "f32[2] {1, -inf}", also "f32[1] {x7fc00000}".
Result<Literal> ParseLiteral(std::string_view text);

// Returns "file:line:col: error: MESSAGE", the line of the text, and a caret under the column.
std::string RenderError(const Error& error, std::string_view text, std::string_view file_name);

}  // namespace assay
