// The legal names of computations and instructions, and unique names within a module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace assay {

bool IsLegalName(std::string_view name);
// Returns the nearest legal name; a legal name is unchanged.
std::string SanitizeName(std::string_view name);

// Assigns unique names as XLA does: the digits after the last "." count up per root.
class NameUniquer {
 public:
  std::string Unique(std::string_view name);

 private:
  // A root, and its suffixes in use.
  struct Root {
    // Returns false for a suffix in use.
    bool Take(std::int64_t suffix);

    std::size_t hash = 0;
    std::int64_t first = -1;  // most roots have one suffix only; -1: the place is free
    std::int64_t next = 0;
    std::unique_ptr<std::unordered_set<std::int64_t>> others;  // further suffixes
  };

  Root& RootOf(std::size_t hash);

  // By the hash of the root: roots of one hash only get more suffixes than they need. A root is at its hash modulo the
  // size, a power of two, or at the next free place. At least half of the places are free.
  std::vector<Root> places_;
  std::size_t roots_ = 0;
};

}  // namespace assay
