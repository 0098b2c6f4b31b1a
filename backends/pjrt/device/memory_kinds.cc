#include "backends/pjrt/device/memory_kinds.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/pjrt/device/entry_attributes.h"
#include "interpreter/types/join_text.h"

namespace assay::pjrt {
namespace {

Result<std::vector<std::size_t>> KindsOf(const std::vector<std::optional<std::string>>& texts) {
  std::vector<std::size_t> kinds;
  for (const std::optional<std::string>& text : texts) {
    const auto* const found = std::ranges::find(kMemoryKinds, text ? std::string_view(*text) : kMemoryKinds[0]);
    if (found == kMemoryKinds.end()) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("mhlo.memory_kind must be one of {}, found {}", JoinText(kMemoryKinds, ", "), *text)};
    }
    kinds.push_back(static_cast<std::size_t>(found - kMemoryKinds.begin()));
  }
  return kinds;
}

}  // namespace

Result<EntryMemoryKinds> ReadMemoryKinds(const stablehlo::Program& program) {
  const EntryTexts texts = ReadEntryTexts(program, "mhlo.memory_kind");
  EntryMemoryKinds kinds;
  ASSAY_TRY(kinds.parameters, KindsOf(texts.parameters));
  ASSAY_TRY(kinds.results, KindsOf(texts.results));
  return kinds;
}

}  // namespace assay::pjrt
