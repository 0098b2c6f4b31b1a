// Shapes, literals and the values of golden files, in text. Legal text prints, and the print reads back as the same.
#include "conformance/cases/golden_values.h"
#include "fuzz/self/target.h"
#include "interpreter/hlo/literal_text.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

void ReadShape(std::string_view text) {
  const Result<Shape> shape = ParseShape(text);
  if (!shape) return;
  const Result<Shape> again = ParseShape(shape->ToString());
  Require(again && *again == *shape, "a shape reads back: " + shape->ToString());
  if (!ShapeUtil::ValidateShape(*shape)) return;
  Require(shape->IsTuple() || ShapeUtil::CheckedByteSizeOf(*shape).has_value(), "a valid shape has a size");
}

void ReadLiteral(std::string_view text) {
  const Result<Literal> literal = ParseLiteral(text);
  if (!literal) return;
  const std::string print = PrintTypedLiteral(*literal, {.exact_negative_zero = true});
  const Result<Literal> again = ParseLiteral(print);
  Require(again && again->BitwiseEqual(*literal), "a literal reads back: " + print);
}

}  // namespace
}  // namespace assay

ASSAY_FUZZ_TARGET(literal_text) {
  const SmallLimits limits;
  ReadShape(text);
  ReadLiteral(text);
  // The readers of golden files catch the exceptions of values that are too large.
  const auto read_golden_values = [text] {
    if (const Result<WantedLeaf> wanted = ParseWanted(text);
        wanted && !wanted->digest && BitWidth(wanted->shape.element_type()) >= 8) {
      DigestOf(wanted->value);
    }
    return ParseHostValue(text);
  };
  static_cast<void>(WithoutThrowing(read_golden_values));
}
