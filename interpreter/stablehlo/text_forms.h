// The forms in which operations print themselves, such as "%2 = stablehlo.add %0, %1 : tensor<4xf32>". A table has the
// form of each operation (text_form_table.cc); functions read the forms that words cannot express.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/operation.h"
#include "interpreter/stablehlo/text_parser.h"

namespace assay::stablehlo {

using FormParser = Status(MlirParser& parser, Operation& operation);

// A form is a list of words:
//   %          an operand
//   %*         operands separated by commas; %*, has a comma after each
//   $a:kind    the attribute a; a kind with a point is an enumeration, text_forms.cc has the others
//   {}         the dictionary of the other attributes
//   <ranges>   the starts, limits and strides of a slice: [0:4:2, 1:3]
//   <window>   the window of a convolution: {stride = [1, 1], pad = [[0, 0], [1, 1]], reverse = [false, true]}
//   <format>   exponent_bits and mantissa_bits: e5m10
//   <body>     a region that sees no values from outside, with its arguments before it: (%arg1: tensor<2xf32>) {...}
//   (? ... )?  read if the word after "(?" is present
//   same       the type of all operands and of the result, or the type of a function
//   function   the type of a function
//   arrow      types "->" types
//   result     the type of the result
//   operands   the types of the operands
//   tuple      the type of the result, a tuple of those of the operands
//   complex    the type of the result, the operands' is its real one; or the type of a function
//   select     the types of the predicate and of the result; or the type of a function
//   cast       types "to" types
//   state      nothing: the result is the state of a generator, tensor<2xui64>
// Any other word is a token. An operation with neither words nor a parser has the generic form alone.
struct Form {
  std::string_view op;
  std::vector<std::string_view> words;
  FormParser* parser = nullptr;
};

// Returns the form of an operation of the dialects builtin, func, stablehlo, mhlo, chlo, check and sdy; null for any
// other.
const Form* FindForm(std::string_view op);
const std::vector<Form>& Forms();
// Splits at spaces.
std::vector<std::string_view> WordsOf(std::string_view text);
// Returns the error of an unknown operation, with the nearest known name.
Error UnknownOperation(const MlirParser& parser, std::size_t position, std::string_view name);

// Parses an operation without quotes, whose name is the current token, up to its location.
FormParser ParseForm;

// Fails for a name that is not in the dialects func, stablehlo, chlo and sdy.
Status CheckName(const MlirParser& parser, std::size_t position, std::string_view name);

// True if the regions of an operation cannot use values from outside.
bool IsIsolated(std::string_view name);

// Removes the attributes whose value is the default: some forms omit them.
void RemoveDefaults(Operation& operation);

// Adds an attribute to an operation.
void AddAttribute(Operation& operation, std::string name, Attribute value);

// Parses "[HIGH, DEFAULT]".
Result<Attribute> ParsePrecisions(MlirParser& parser);

// The parts of forms that are words of their own.
FormParser ParseRanges, ParseWindow, ParseFormat, ParseBody;
// Operations with regions.
FormParser ParseModule, ParseFunction, ParseWhile, ParseReduce, ParseScan;
// Operations with numbers of dimensions.
FormParser ParseConstant, ParseCheck, ParseDotGeneral, ParseBarrier;

}  // namespace assay::stablehlo
