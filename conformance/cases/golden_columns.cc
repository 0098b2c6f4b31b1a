#include "conformance/cases/golden_columns.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>

#include "interpreter/hlo/parser.h"

namespace assay {
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
