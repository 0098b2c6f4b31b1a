// Names of computations and instructions: which are legal, and how they are made unique within a module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace assay {

// The nearest legal name; a legal name is its own.
std::string SanitizeName(std::string_view name);

// Hands out unique names the way XLA does: the digits behind the last "." count up per root.
class NameUniquer {
 public:
  std::string Unique(std::string_view name);

 private:
  struct Suffixes {
    // False for a suffix that is taken.
    bool Take(std::int64_t suffix);

    std::int64_t first = -1;                  // most roots have one suffix only
    std::unordered_set<std::int64_t> others;  // taken too
    std::int64_t next = 0;
  };
  std::unordered_map<std::string, Suffixes> roots_;
};

}  // namespace assay
