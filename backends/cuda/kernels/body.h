// The body of a kernel while it is written: statements, and names for what they compute.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/types/primitive_type.h"

namespace assay::cuda {

// An index: an expression for each dimension, or the row-major offset, or both. Each is a name or a number.
struct IndexText {
  std::vector<std::string> at;  // empty where they are not known
  std::string offset;           // empty where it is not known

  static IndexText AtOffset(std::string offset) { return {{}, std::move(offset)}; }

  // What tells two indices apart.
  std::string Key() const;
};

class Body {
 public:
  // Whether numbers of elements need 64 bits.
  explicit Body(bool is_wide) : index_type_(is_wide ? "s64" : "s32") { scopes_.emplace_back(); }

  std::string_view index_type() const { return index_type_; }
  const std::string& text() const { return text_; }

  void Line(std::string_view line);
  // Statements in braces. What is named in them is not known behind.
  void Open(std::string_view head);
  void Close(std::string_view tail = "}");

  // A new name: "v12".
  std::string NewName(std::string_view prefix = "v");
  // A name for an expression of a type; the same one where the expression has been named before.
  std::string Name(std::string_view type, const std::string& expression);
  // What was kept under a key, or empty; and keeps it, until the braces around close.
  std::string Find(const std::string& key) const;
  void Keep(const std::string& key, const std::string& name) { scopes_.back()[key] = name; }

  // Arithmetic on indices. Operands and results are names or numbers.
  std::string Sum(const std::string& a, std::int64_t b);
  std::string Sum(const std::string& a, const std::string& b);
  std::string Product(const std::string& a, std::int64_t b);
  std::string Quotient(const std::string& a, std::int64_t b);
  std::string Remainder(const std::string& a, std::int64_t b);
  std::string Difference(std::int64_t a, const std::string& b);

  // Either form of an index of an array.
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
