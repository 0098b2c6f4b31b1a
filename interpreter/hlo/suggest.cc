#include "interpreter/hlo/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace assay {
namespace {

// Returns the number of single-character insertions, deletions and replacements between two words.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Suggest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kShortestWord = 2, kLongestWord = 64;
  if (word.size() < kShortestWord || word.size() > kLongestWord) return "";
  std::string_view best;
  std::size_t best_distance = std::clamp<std::size_t>((word.size() + 1) / 2, 2, 3);
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best.empty() ? "" : fmt::format(", did you mean {}?", best);
}

}  // namespace assay
