// The value syntax of golden files: a shape, then elements, a seed or a digest (docs/golden_format.md#values).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// A leaf of an expected result: its value, or the digest of a large array.
struct WantedLeaf {
  Shape shape;
  Literal value;
  std::optional<std::uint64_t> digest;
};

// Removes the first word of a text and returns it; returns an empty word if there is none.
std::string_view NextWord(std::string_view& text);

// Parses a float, an integer or a pred: "x" and the bits in hexadecimal, or a decimal that is exactly a number of the
// type. Returns the bits.
Result<std::uint64_t> ParseComponent(std::string_view word, PrimitiveType type);

// Parses "f32[2] x3f800000 x40000000" or "f32[1000] seeded 7".
Result<Literal> ParseValues(std::string_view text);

// Parses the syntax of ParseValues, or "f32[1025] digest 0123456789abcdef".
Result<WantedLeaf> ParseWanted(std::string_view text);

// Parses the syntax of ParseValues; several values with bars between them are a tuple.
Result<Literal> ParseHostValue(std::string_view text);

// Returns the digest of an array's elements. Every NaN counts as the positive quiet one.
std::uint64_t DigestOf(const Literal& array);

// Arguments and results of a golden case, in rows (docs/golden_format.md#rows).

// The arrays of a `columns` directive: arguments and results of the same dimensions, filled row by row. The location of
// an error in a text is the place in this text, in line 1.
class GoldenColumns {
 public:
  // Parses "f32[49] f32[49] -> pred[49]": the shapes of the arguments, an arrow, the shapes of the results. Fails
  // unless all are array shapes with the same dimensions, and there is a result.
  static Result<GoldenColumns> Parse(std::string_view text);

  // Parses "1 2 -> 0", the next element of each array. A complex element is two words. Fails if a word is missing, left
  // over, or not a value of its array's type, and if the arrays have no further element.
  Status AddRow(std::string_view text);

  // Appends the arrays to those of a case, and leaves this object empty. Fails if rows are missing.
  Status MoveTo(std::vector<Literal>& arguments, std::vector<WantedLeaf>& want);

 private:
  struct Column {
    Literal value;
    std::byte* next;  // the place of the next element in `value`; moving a Literal keeps its buffer
  };

  Status AddColumn(std::string_view shape_text);
  const Shape& shape() const { return columns_[0].value.shape(); }

  std::vector<Column> columns_;
  std::size_t arguments_ = 0;  // the number of columns before the arrow
  std::int64_t rows_ = 0;
};

}  // namespace assay
