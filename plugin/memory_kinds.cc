#include "plugin/memory_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "interpreter/types/join_text.h"

namespace assay::pjrt {
namespace {

bool IsFunctionMain(const stablehlo::Operation& operation) {
  const stablehlo::Attribute* name = operation.attributes.Find("sym_name");
  return operation.name == "func.func" && name != nullptr && name->As<std::string>() != nullptr &&
         *name->As<std::string>() == "main";
}

// Reads the kinds of a list of dictionaries, arg_attrs or res_attrs.
Result<std::vector<std::size_t>> ReadKinds(const stablehlo::Operation& function, std::string_view list) {
  std::vector<std::size_t> kinds;
  const stablehlo::Attribute* attribute = function.attributes.Find(list);
  const auto* entries = attribute == nullptr ? nullptr : attribute->As<std::vector<stablehlo::Attribute>>();
  for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
    kinds.push_back(0);
    const auto* dictionary = (*entries)[i].As<stablehlo::Dictionary>();
    const stablehlo::Attribute* kind = dictionary == nullptr ? nullptr : dictionary->Find("mhlo.memory_kind");
    const auto* text = kind == nullptr ? nullptr : kind->As<std::string>();
    if (text == nullptr) continue;
    const auto* const found = std::ranges::find(kMemoryKinds, std::string_view(*text));
    if (found == kMemoryKinds.end()) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("mhlo.memory_kind must be one of {}, found {}", JoinText(kMemoryKinds, ", "), *text)};
    }
    kinds.back() = static_cast<std::size_t>(found - kMemoryKinds.begin());
  }
  return kinds;
}

}  // namespace

Result<EntryMemoryKinds> ReadMemoryKinds(const stablehlo::Program& program) {
  EntryMemoryKinds kinds;
  const auto& regions = program.module.regions;
  if (regions.empty() || regions[0].blocks.empty()) return kinds;
  for (const stablehlo::Operation& operation : regions[0].blocks[0].operations) {
    if (!IsFunctionMain(operation)) continue;
    ASSAY_TRY(kinds.parameters, ReadKinds(operation, "arg_attrs"));
    ASSAY_TRY(kinds.results, ReadKinds(operation, "res_attrs"));
  }
  return kinds;
}

}  // namespace assay::pjrt
