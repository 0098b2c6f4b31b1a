#include "interpreter/hlo/names.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include "interpreter/types/primitive_type.h"

namespace assay {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsOfName(char c) { return IsLetter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; }

}  // namespace

bool IsLegalName(std::string_view name) {
  return !name.empty() && IsLetter(name[0]) && std::ranges::all_of(name, IsOfName) &&
         (!name.starts_with("__") || name.starts_with("__xla_")) && !PrimitiveTypeFromName(name);
}

std::string SanitizeName(std::string_view name) {
  std::string legal(name);
  for (char& c : legal) {
    if (!IsOfName(c)) c = '_';
  }
  if (!legal.empty() && !IsLetter(legal[0])) legal[0] = '_';
  if (PrimitiveTypeFromName(legal)) legal += '_';
  // Names that start with two underscores are reserved for XLA.
  if (legal.starts_with("__") && !legal.starts_with("__xla_")) legal[0] = 'a';
  return legal;
}

bool NameUniquer::Root::Take(std::int64_t suffix) {
  if (first < 0) {
    first = suffix;
    return true;
  }
  if (suffix == first) return false;
  if (others == nullptr) others = std::make_unique<std::unordered_set<std::int64_t>>();
  return others->insert(suffix).second;
}

NameUniquer::Root& NameUniquer::RootOf(std::size_t hash) {
  constexpr std::size_t kFewest = 32;
  if (roots_ * 2 >= places_.size()) {
    std::vector<Root> before = std::exchange(places_, std::vector<Root>(std::max(kFewest, places_.size() * 2)));
    roots_ = 0;
    for (Root& root : before) {
      if (root.first >= 0) RootOf(root.hash) = std::move(root);
    }
  }
  std::size_t place = hash % places_.size();
  while (places_[place].first >= 0 && places_[place].hash != hash) place = (place + 1) % places_.size();
  Root& root = places_[place];
  if (root.first < 0) ++roots_;
  root.hash = hash;
  return root;
}

std::string NameUniquer::Unique(std::string_view name) {
  std::string sanitized;
  std::string_view root = name;
  if (!IsLegalName(name)) root = sanitized = SanitizeName(name);
  std::int64_t suffix = 0;
  bool has_suffix = false;
  const std::size_t dot = root.rfind('.');
  if (dot != root.npos && dot > 0 && dot + 1 < root.size()) {
    const char* const end = root.data() + root.size();
    const auto parsed = std::from_chars(root.data() + dot + 1, end, suffix);
    has_suffix = parsed.ec == std::errc() && parsed.ptr == end && suffix >= 0;
    if (has_suffix) {
      root = root.substr(0, dot);
    } else {
      suffix = 0;
    }
  }
  Root& suffixes = RootOf(std::hash<std::string_view>()(root));
  if (!suffixes.Take(suffix)) {
    while (!suffixes.Take(suffixes.next)) ++suffixes.next;
    suffix = suffixes.next++;
  }
  std::string unique(root);
  if (suffix != 0 || has_suffix) unique.append(".").append(std::to_string(suffix));
  return unique;
}

}  // namespace assay
