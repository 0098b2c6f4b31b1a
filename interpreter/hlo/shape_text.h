// Shapes and layouts in HLO text: "f32[2,<=3]{1,0:T(8,128)}", "(s32[], token[])".
#pragma once

#include <string_view>

#include "interpreter/hlo/text_parser.h"
#include "interpreter/types/shape.h"

namespace assay {

// True if the current token can start a shape.
bool AtShape(const TextParser& parser);
// Parses a shape. A missing layout becomes the default one.
Result<Shape> ParseShape(TextParser& parser);

// Parses a shape that precedes its literal: the first braces after an array shape are a layout only if more braces
// follow.
Result<Shape> ParseShapeOfLiteral(TextParser& parser);

// Parses a text of one shape and nothing else.
Result<Shape> ParseShape(std::string_view text);

}  // namespace assay
