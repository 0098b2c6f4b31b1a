#include "conformance/cases/golden_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "conformance/running/digest.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/number_in_text.h"

namespace assay {
namespace {

// Removes a leading "9*" of "9*0" and returns the 9; returns 1 if the word has no `*`.
Result<std::int64_t> TakeRepetition(std::string_view& word) {
  const std::size_t star = word.find('*');
  if (star == std::string_view::npos) return 1;
  const auto times = NumberInText<std::int64_t>(word.substr(0, star));
  if (!times || *times < 1) return Error{ErrorCode::kInput, fmt::format("{} does not say how often", word)};
  word.remove_prefix(star + 1);
  return *times;
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

std::string_view NextWord(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && IsBlank(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !IsBlank(text[end])) ++end;
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

Result<std::uint64_t> ParseComponent(std::string_view word, PrimitiveType type) {
  const auto bad = [&] {
    return Error{ErrorCode::kInput, fmt::format("cannot read {} as {}", word, PrimitiveTypeName(type))};
  };
  if (word.starts_with('x') || IsUnsignedIntegralType(type)) {
    const auto bits =
        word.starts_with('x') ? NumberInText<std::uint64_t>(word.substr(1), 16) : NumberInText<std::uint64_t>(word);
    if (!bits || (BitWidth(type) < 64 && *bits >> BitWidth(type) != 0)) return bad();
    return *bits;
  }
  if (IsFloatingPointType(type)) {
    const auto value = NumberInText<double>(word);
    if (!value) return bad();
    const std::uint64_t bits = RoundDouble(FloatFormatOf(type), *value);
    const double back = ToDouble(FloatFormatOf(type), bits);
    // A decimal must be exact: a value that would be rounded is written in bits.
    if (back != *value && *value == *value) return bad();
    return bits;
  }
  const auto value = NumberInText<std::int64_t>(word);
  if (!value) return bad();
  const int unused = 64 - BitWidth(type);
  const bool fits = type == PRED ? *value == 0 || *value == 1 : *value << unused >> unused == *value;
  if (!fits) return bad();
  return static_cast<std::uint64_t>(*value);
}

Result<Literal> ParseValues(std::string_view text) {
  const std::string_view shape_text = NextWord(text);
  ASSAY_TRY(const Shape shape, ParseShape(shape_text));
  if (!shape.IsArray()) return Error{ErrorCode::kInput, fmt::format("{} is not an array shape", shape_text)};
  ASSAY_TRY(const std::int64_t count, ShapeUtil::CheckedElementsIn(shape));
  Literal value(shape);
  std::string_view word = NextWord(text);
  if (word == "seeded") {
    ASSAY_TRY(const std::uint64_t seed, ParseComponent(NextWord(text), U64));
    if (!NextWord(text).empty()) return Error{ErrorCode::kInput, "nothing may follow the seed"};
    FillWithSeed(value, seed);
    return value;
  }
  const PrimitiveType component = ComplexComponentType(shape.element_type());
  const std::int64_t components = count * ComponentCount(shape.element_type());
  const int bytes = StorageBytes(component);
  std::byte* out = components > 0 ? value.mutable_data() : nullptr;
  std::int64_t filled = 0;
  for (; !word.empty() && filled < components; word = NextWord(text)) {
    ASSAY_TRY(const std::int64_t times, TakeRepetition(word));
    ASSAY_TRY(const std::uint64_t bits, ParseComponent(word, component));
    for (const std::int64_t end = filled + std::min(times, components - filled + 1); filled < end; ++filled) {
      if (filled < components) std::memcpy(out + filled * bytes, &bits, bytes);
    }
  }
  if (filled < components) {
    return Error{ErrorCode::kInput, fmt::format("{} needs {} values, found {}", shape_text, components, filled)};
  }
  if (!word.empty() || filled > components)
    return Error{ErrorCode::kInput, fmt::format("{} has more than {} values", shape_text, components)};
  return value;
}

std::uint64_t DigestOf(const Literal& array) {
  const PrimitiveType component = ComplexComponentType(array.element_type());
  const auto bytes = static_cast<std::size_t>(StorageBytes(component));
  const std::int64_t count = array.element_count() * ComponentCount(array.element_type());
  std::string stored(static_cast<std::size_t>(count) * bytes, '\0');
  if (count > 0) std::memcpy(stored.data(), array.data(), stored.size());
  if (IsFloatingPointType(component)) {
    std::vector<double> numbers(count);
    LoadReals(component, array.data(), numbers.data(), count);
    const std::uint64_t nan = FloatFormatOf(component).nan_bits(false);
    for (std::int64_t i = 0; i < count; ++i) {
      if (std::isnan(numbers[i])) std::memcpy(stored.data() + static_cast<std::size_t>(i) * bytes, &nan, bytes);
    }
  }
  Digest digest;
  digest.Add(stored);
  return digest.value();
}

Result<WantedLeaf> ParseWanted(std::string_view text) {
  std::string_view rest = text;
  const std::string_view shape_text = NextWord(rest);
  if (NextWord(rest) != "digest") {
    ASSAY_TRY(Literal value, ParseValues(text));
    const Shape shape = value.shape();
    return WantedLeaf{shape, std::move(value), std::nullopt};
  }
  ASSAY_TRY(const Shape shape, ParseShape(shape_text));
  const std::string_view digits = NextWord(rest);
  const auto digest = NumberInText<std::uint64_t>(digits, 16);
  if (!digest || digits.size() != 16 || !NextWord(rest).empty()) {
    return Error{ErrorCode::kInput, fmt::format("expected 16 hexadecimal digits after digest, found {}", digits)};
  }
  if (!shape.IsArray() || BitWidth(shape.element_type()) < 8) {
    return Error{ErrorCode::kInput,
                 fmt::format("{} has no digest: only arrays of at least a byte an element have", shape_text)};
  }
  return WantedLeaf{shape, Literal(), *digest};
}

Result<Literal> ParseHostValue(std::string_view text) {
  std::vector<Literal> parts;
  while (true) {
    const std::size_t bar = text.find('|');
    ASSAY_TRY(Literal part, ParseValues(text.substr(0, bar)));
    parts.push_back(std::move(part));
    if (bar == std::string_view::npos) break;
    text.remove_prefix(bar + 1);
  }
  return parts.size() == 1 ? std::move(parts[0]) : Literal::MakeTuple(std::move(parts));
}

namespace {

constexpr std::string_view kArrow = "->";

// Locates an error at `word`, a part of `text`.
Error AtWord(std::string_view text, std::string_view word, Error error) {
  error.location = {1, static_cast<int>(word.data() - text.data()) + 1};
  return error;
}

Error Unexpected(std::string_view text, std::string_view word, std::string_view expected) {
  const std::string_view found = word.empty() ? "the end of the line" : word;
  return AtWord(text, word, {ErrorCode::kInput, fmt::format("expected {}, found {}", expected, found)});
}

// Parses the next element of an array and moves `out` behind it.
Status ReadElement(const Shape& shape, std::string_view text, std::string_view& rest, std::byte*& out) {
  const PrimitiveType component = ComplexComponentType(shape.element_type());
  for (int part = 0; part < ComponentCount(shape.element_type()); ++part) {
    const std::string_view word = NextWord(rest);
    if (word.empty() || word == kArrow) {
      return Unexpected(text, word, fmt::format("an element of {}", shape.ToStringWithoutLayout()));
    }
    const Result<std::uint64_t> bits = ParseComponent(word, component);
    if (!bits) return AtWord(text, word, bits.error());
    std::memcpy(out, &*bits, static_cast<std::size_t>(StorageBytes(component)));
    out += StorageBytes(component);
  }
  return {};
}

}  // namespace

Result<GoldenColumns> GoldenColumns::Parse(std::string_view text) {
  GoldenColumns columns;
  bool has_arrow = false;
  std::string_view rest = text;
  std::string_view word = NextWord(rest);
  for (; !word.empty(); word = NextWord(rest)) {
    if (word == kArrow && !has_arrow) {
      has_arrow = true;
      columns.arguments_ = columns.columns_.size();
    } else if (const Status added = columns.AddColumn(word); !added) {
      return AtWord(text, word, added.error());
    }
  }
  if (!has_arrow) return Unexpected(text, word, "-> and the shapes of the results");
  if (columns.columns_.size() == columns.arguments_) return Unexpected(text, word, "the shape of a result");
  return columns;
}

Status GoldenColumns::AddColumn(std::string_view shape_text) {
  ASSAY_TRY(const Shape shape, ParseShape(shape_text));
  if (!shape.IsArray()) return Error{ErrorCode::kInput, fmt::format("{} is not an array shape", shape_text)};
  ASSAY_CHECK_OK(ShapeUtil::CheckedElementsIn(shape));
  if (!columns_.empty() && shape.dimensions() != this->shape().dimensions()) {
    return Error{ErrorCode::kInput, fmt::format("columns must have the same dimensions: expected those of {}, found {}",
                                                this->shape().ToStringWithoutLayout(), shape_text)};
  }
  Literal value(shape);
  std::byte* const data = value.element_count() > 0 ? value.mutable_data() : nullptr;
  columns_.push_back({std::move(value), data});
  return {};
}

Status GoldenColumns::AddRow(std::string_view text) {
  std::string_view rest = text;
  if (rows_ == columns_[0].value.element_count()) {
    std::string message = fmt::format("{} has more than {} rows", shape().ToStringWithoutLayout(), rows_);
    return AtWord(text, NextWord(rest), {ErrorCode::kInput, std::move(message)});
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i == arguments_) {
      if (const std::string_view word = NextWord(rest); word != kArrow) return Unexpected(text, word, kArrow);
    }
    ASSAY_CHECK_OK(ReadElement(columns_[i].value.shape(), text, rest, columns_[i].next));
  }
  if (const std::string_view word = NextWord(rest); !word.empty()) return Unexpected(text, word, "the end of the line");
  ++rows_;
  return {};
}

Status GoldenColumns::MoveTo(std::vector<Literal>& arguments, std::vector<WantedLeaf>& want) {
  if (const std::int64_t count = columns_[0].value.element_count(); rows_ < count) {
    return Error{ErrorCode::kInput,
                 fmt::format("{} needs {} rows, found {}", shape().ToStringWithoutLayout(), count, rows_)};
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Literal& value = columns_[i].value;
    if (i < arguments_) {
      arguments.push_back(std::move(value));
    } else {
      const Shape shape = value.shape();
      want.push_back({shape, std::move(value), std::nullopt});
    }
  }
  columns_.clear();
  return {};
}

}  // namespace assay
