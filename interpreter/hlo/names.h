// The legal names of computations and instructions, and unique names within a module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace assay {

bool IsLegalName(std::string_view name);
// Returns the nearest legal name; a legal name is unchanged.
std::string SanitizeName(std::string_view name);

// Assigns unique names as XLA does: the digits after the last "." count up per root.
class NameUniquer {
 public:
  std::string Unique(std::string_view name);

 private:
  struct Suffixes {
    // Returns false for a suffix in use.
    bool Take(std::int64_t suffix);

    std::int64_t first = -1;                  // most roots have one suffix only
    std::unordered_set<std::int64_t> others;  // further suffixes in use
    std::int64_t next = 0;
  };
  // By the hash of the root: roots of one hash only get more suffixes than they need. With buckets for most modules.
  std::unordered_map<std::size_t, Suffixes> roots_{64};
};

}  // namespace assay
