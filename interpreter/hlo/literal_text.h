// Literals in HLO text: "{ { 1, 2 }, { 3, nan } }", "(1, {true})".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/hlo/text_parser.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/primitive_type.h"
#include "interpreter/types/text_sink.h"

namespace assay {

// XLA does not take every constant at its word: one number for an array is the first element, with zeros behind it;
// integers of 64 bits are read modulo 2^64; a complex number whose real part is NaN has that NaN in both parts, and a
// NaN in the imaginary part loses its payload. Outside of HLO floats may also be written as assay prints them, by their
// bits: x7fc00000.
enum class LiteralReading { kAsWritten, kXlaConstant, kAlsoBits };

// A literal of a known shape. Decimal text goes through double to the element type, as XLA's does; finite text that
// would become infinite or NaN is an error. "-0" is negative zero. Fewer elements than the bound of a dynamic dimension
// set its size.
Result<Literal> ParseLiteral(TextParser& parser, const Shape& shape,
                             LiteralReading reading = LiteralReading::kAsWritten);
// Takes "{...}", the mark of an elided constant, if it is there.
bool EatElided(TextParser& parser);

// A shape with its literal behind it, or such pairs in parentheses.
Result<Literal> ParseTypedLiteral(TextParser& parser, LiteralReading reading = LiteralReading::kAsWritten);
// A text that holds a shape and its literal and nothing else: "f32[2] {1, -inf}", "(s32[], pred[]) (1, true)",
// "f32[1] {x7fc00000}".
Result<Literal> ParseLiteral(std::string_view text);

struct LiteralPrintOptions {
  // XLA prints the float -0 as "-0" and reads that back as +0; true writes "-0.0", which XLA reads as -0.
  bool exact_negative_zero = false;
};

// On one line, without the shape, as XLA prints it. Reading the text back gives the same bits.
std::string PrintLiteral(const Literal& literal, const LiteralPrintOptions& options = {});
// The same, handed over piece by piece: some 10 million numbers a second on two cores.
void PrintLiteral(const Literal& literal, const TextSink& sink, const LiteralPrintOptions& options = {});
// With the shape in front, a tuple as "( f32[] 1, s32[] 2 )": what ParseTypedLiteral reads.
std::string PrintTypedLiteral(const Literal& literal, const LiteralPrintOptions& options = {});
// One number or truth value of an array.
std::string PrintElement(const Literal& literal, std::int64_t offset, const LiteralPrintOptions& options = {});

}  // namespace assay
