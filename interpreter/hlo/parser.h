// HLO text to modules, shapes and literals. Parsing checks the grammar and what it needs to build the module; legality
// is the verifier's business.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// A whole module, or one instruction on its own. Errors are kParse (kLimit for a literal too large to hold) with the
// place.
Result<std::unique_ptr<HloModule>> ParseHloModule(std::string_view text);

// "f32[2,3]{1,0}"
Result<Shape> ParseShape(std::string_view text);
// "f32[2] {1, -inf}", also "f32[1] {x7fc00000}"
Result<Literal> ParseLiteral(std::string_view text);

// "file:line:col: error: MESSAGE", the line of the text, and a caret under the column.
std::string RenderError(const Error& error, std::string_view text, std::string_view file_name);

}  // namespace assay
