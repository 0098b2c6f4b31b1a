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

// The reading of a literal. XLA reads some constants differently from their text (kXlaConstant): one number for an
// array is the first element, followed by zeros; 64-bit integers are read modulo 2^64; a complex number whose real part
// is NaN has that NaN in both parts, and a NaN imaginary part loses its payload. Outside of HLO (kAlsoBits), floats may
// also be written as bits, x7fc00000, as assay prints them.
enum class LiteralReading { kAsWritten, kXlaConstant, kAlsoBits };

// Parses a literal of a known shape. Decimal text is converted through double to the element type, as in XLA; finite
// text that would become infinite or NaN is an error. "-0" is negative zero. Fewer elements than the bound of a dynamic
// dimension set its size.
Result<Literal> ParseLiteral(TextParser& parser, const Shape& shape,
                             LiteralReading reading = LiteralReading::kAsWritten);
// Consumes "{...}", the mark of an elided constant, if present.
bool EatElided(TextParser& parser);

// Parses a shape followed by its literal, or such pairs in parentheses.
Result<Literal> ParseTypedLiteral(TextParser& parser, LiteralReading reading = LiteralReading::kAsWritten);
// Parses a text of one shape and its literal: "f32[2] {1, -inf}", "(s32[], pred[]) (1, true)", "f32[1] {x7fc00000}".
Result<Literal> ParseLiteral(std::string_view text);

// Fails if an array without elements consists of more than 65536 empty arrays: its text has braces for each, and a few
// bytes of a serialized module can name a billion of them.
Status CheckEmptyArrays(const Shape& shape);

struct LiteralPrintOptions {
  // XLA prints the float -0 as "-0" and reads that as +0. True: prints "-0.0", which XLA reads as -0.
  bool exact_negative_zero = false;
};

// Returns the literal on one line, without the shape, as XLA prints it. The text reads back to the same bits.
std::string PrintLiteral(const Literal& literal, const LiteralPrintOptions& options = {});
// Prints the same piece by piece: some 10 million numbers a second on two cores.
void PrintLiteral(const Literal& literal, const TextSink& sink, const LiteralPrintOptions& options = {});
// Returns the literal after its shape, a tuple as "( f32[] 1, s32[] 2 )": the input of ParseTypedLiteral.
std::string PrintTypedLiteral(const Literal& literal, const LiteralPrintOptions& options = {});
// Returns one number or truth value of an array.
std::string PrintElement(const Literal& literal, std::int64_t offset, const LiteralPrintOptions& options = {});

}  // namespace assay
