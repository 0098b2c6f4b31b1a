// Shapes and layouts in HLO text: "f32[2,<=3]{1,0:T(8,128)}", "(s32[], token[])".
#pragma once

#include <string_view>

#include "interpreter/hlo/text_parser.h"
#include "interpreter/types/shape.h"

namespace assay {

// The current token can start a shape.
bool AtShape(const TextParser& parser);
// A missing layout becomes the default one.
Result<Shape> ParseShape(TextParser& parser);

// A shape with its literal behind it: the first braces after an array shape are a layout only when more braces follow.
Result<Shape> ParseShapeOfLiteral(TextParser& parser);

// A text that holds one shape and nothing else.
Result<Shape> ParseShape(std::string_view text);

}  // namespace assay
