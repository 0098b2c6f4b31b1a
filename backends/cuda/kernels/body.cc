#include "backends/cuda/kernels/body.h"

#include <fmt/format.h>

#include <optional>

#include "interpreter/types/join_text.h"
#include "interpreter/types/number_in_text.h"

namespace assay::cuda {

std::string IndexText::Key() const {
  if (!offset.empty()) return "@" + offset;
  return at.empty() ? "@0" : JoinText(at, ",");
}

void Body::Line(std::string_view line) {
  text_.append(static_cast<std::size_t>(2 * depth_), ' ');
  text_ += line;
  text_ += '\n';
}

void Body::Open(std::string_view head) {
  Line(head);
  ++depth_;
  scopes_.emplace_back();
}

void Body::Close(std::string_view tail) {
  --depth_;
  scopes_.pop_back();
  Line(tail);
}

std::string Body::NewName(std::string_view prefix) { return fmt::format("{}{}", prefix, names_++); }

std::string Body::Name(std::string_view type, const std::string& expression) {
  const std::string key = fmt::format("{} {}", type, expression);
  if (std::string known = Find(key); !known.empty()) return known;
  std::string name = NewName();
  Line(fmt::format("const {} {} = {};", type, name, expression));
  Keep(key, name);
  return name;
}

std::string Body::Find(const std::string& key) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->find(key); found != scope->end()) return found->second;
  }
  return {};
}

std::string Body::Sum(const std::string& a, std::int64_t b) {
  if (b == 0) return a;
  if (const auto number = NumberInText<std::int64_t>(a)) return fmt::format("{}", *number + b);
  return Name(index_type_, b < 0 ? fmt::format("{} - {}", a, -b) : fmt::format("{} + {}", a, b));
}

std::string Body::Sum(const std::string& a, const std::string& b) {
  if (const auto number = NumberInText<std::int64_t>(b)) return Sum(a, *number);
  if (const auto number = NumberInText<std::int64_t>(a)) return Sum(b, *number);
  return Name(index_type_, fmt::format("{} + {}", a, b));
}

std::string Body::Product(const std::string& a, std::int64_t b) {
  if (b == 1) return a;
  if (b == 0) return "0";
  if (const auto number = NumberInText<std::int64_t>(a)) return fmt::format("{}", *number * b);
  return Name(index_type_, fmt::format("{} * {}", a, b));
}

std::string Body::Quotient(const std::string& a, std::int64_t b) {
  if (b == 1) return a;
  if (const auto number = NumberInText<std::int64_t>(a)) return fmt::format("{}", *number / b);
  return Name(index_type_, fmt::format("{} / {}", a, b));
}

std::string Body::Remainder(const std::string& a, std::int64_t b) {
  if (b == 1) return "0";
  if (const auto number = NumberInText<std::int64_t>(a)) return fmt::format("{}", *number % b);
  return Name(index_type_, fmt::format("{} % {}", a, b));
}

std::string Body::Difference(std::int64_t a, const std::string& b) {
  if (const auto number = NumberInText<std::int64_t>(b)) return fmt::format("{}", a - *number);
  return Name(index_type_, fmt::format("{} - {}", a, b));
}

std::vector<std::string> Body::PlacesOf(const IndexText& index, std::span<const std::int64_t> dimensions) {
  if (!index.at.empty()) return index.at;
  std::vector<std::string> at(dimensions.size(), "0");
  std::size_t first = 0;
  while (first < dimensions.size() && dimensions[first] == 1) ++first;
  std::string left = index.offset;
  for (std::size_t d = dimensions.size(); d-- > first;) {
    if (dimensions[d] == 1) continue;
    // The outermost dimension needs no remainder.
    at[d] = d == first ? left : Remainder(left, dimensions[d]);
    if (d != first) left = Quotient(left, dimensions[d]);
  }
  return at;
}

std::string Body::OffsetOf(const IndexText& index, std::span<const std::int64_t> dimensions) {
  if (!index.offset.empty()) return index.offset;
  std::string offset = "0";
  for (std::size_t d = 0; d < dimensions.size(); ++d) offset = Sum(Product(offset, dimensions[d]), index.at[d]);
  return offset;
}

}  // namespace assay::cuda
