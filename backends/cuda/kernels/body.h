// The body of a kernel under construction: statements, and names for their values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/types/primitive_type.h"

namespace assay::cuda {

// An index: an expression for each dimension, or the row-major offset, or both; of a scalar neither. Each expression is
// a name or a number.
struct IndexText {
  std::vector<std::string> at;  // empty if unknown
  std::string offset;           // empty if unknown

  static IndexText AtOffset(std::string offset) { return {{}, std::move(offset)}; }

  // Returns a key that identifies the index.
  std::string Key() const;
};

class Body {
 public:
  // `is_wide` is true if offsets need 64 bits.
  explicit Body(bool is_wide) : index_type_(is_wide ? "s64" : "s32") { scopes_.emplace_back(); }

  std::string_view index_type() const { return index_type_; }
  const std::string& text() const { return text_; }

  void Line(std::string_view line);
  // Opens a block of statements in braces. Names defined in it are unknown after it.
  void Open(std::string_view head);
  void Close(std::string_view tail = "}");

  // Returns a new name, such as "v12".
  std::string NewName(std::string_view prefix = "v");
  // Returns a name for an expression of a type; the same name if the expression already has one.
  std::string Name(std::string_view type, const std::string& expression);
  // Find returns the name stored under a key, or an empty string. Keep stores a name until the enclosing braces close.
  std::string Find(const std::string& key) const;
  void Keep(const std::string& key, const std::string& name) { scopes_.back()[key] = name; }

  // Return the results of arithmetic on indices. Operands and results are names or numbers.
  std::string Sum(const std::string& a, std::int64_t b);
  std::string Sum(const std::string& a, const std::string& b);
  std::string Product(const std::string& a, std::int64_t b);
  std::string Quotient(const std::string& a, std::int64_t b);
  std::string Remainder(const std::string& a, std::int64_t b);
  std::string Difference(std::int64_t a, const std::string& b);

  // Return either form of an index of an array.
  std::vector<std::string> PlacesOf(const IndexText& index, std::span<const std::int64_t> dimensions);
  std::string OffsetOf(const IndexText& index, std::span<const std::int64_t> dimensions);

 private:
  std::string_view index_type_;
  std::string text_;
  int depth_ = 1;
  int names_ = 0;
  std::vector<std::unordered_map<std::string, std::string>> scopes_;
};

}  // namespace assay::cuda
