#include "spec_tests/backends/fake_pjrt/misdeeds.h"

#include <vector>

#include "interpreter/hlo/op.h"

namespace assay::pjrt {
namespace {

// Returns the words between the commas.
std::vector<std::string> WordsOf(std::string_view list) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < list.size(); at += words.back().size() + 1) {
    words.emplace_back(list.substr(at, list.find(',', at) - at));
  }
  return words;
}

bool HasOp(const HloModule& module, std::string_view op) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->name == op) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> Find(std::string_view words, std::string_view start) {
  for (const std::string& word : WordsOf(words)) {
    if (word.starts_with(start)) return word.substr(start.size());
  }
  return std::nullopt;
}

std::string MisdeedsFor(const HloModule& module, const std::string& behaviour) {
  std::string misdeeds;
  for (const std::string& word : WordsOf(behaviour)) {
    const std::size_t sign = word.find('@');
    if (sign == std::string::npos || HasOp(module, word.substr(sign + 1))) misdeeds += word.substr(0, sign) + ",";
  }
  return misdeeds;
}

}  // namespace assay::pjrt
