#include "backends/pjrt/device/entry_attributes.h"

namespace assay::pjrt {
namespace {

bool IsFunctionMain(const stablehlo::Operation& operation) {
  const stablehlo::Attribute* name = operation.attributes.Find("sym_name");
  return operation.name == "func.func" && name != nullptr && name->As<std::string>() != nullptr &&
         *name->As<std::string>() == "main";
}

// Reads a list of dictionaries, arg_attrs or res_attrs.
std::vector<std::optional<std::string>> ReadTexts(const stablehlo::Operation& function, std::string_view list,
                                                  std::string_view name) {
  std::vector<std::optional<std::string>> texts;
  const stablehlo::Attribute* attribute = function.attributes.Find(list);
  const auto* entries = attribute == nullptr ? nullptr : attribute->As<std::vector<stablehlo::Attribute>>();
  for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
    const auto* dictionary = (*entries)[i].As<stablehlo::Dictionary>();
    const stablehlo::Attribute* value = dictionary == nullptr ? nullptr : dictionary->Find(name);
    const auto* text = value == nullptr ? nullptr : value->As<std::string>();
    texts.push_back(text == nullptr ? std::nullopt : std::optional(*text));
  }
  return texts;
}

}  // namespace

EntryTexts ReadEntryTexts(const stablehlo::Program& program, std::string_view attribute) {
  EntryTexts texts;
  const auto& regions = program.module.regions;
  if (regions.empty() || regions[0].blocks.empty()) return texts;
  for (const stablehlo::Operation& operation : regions[0].blocks[0].operations) {
    if (!IsFunctionMain(operation)) continue;
    texts.parameters = ReadTexts(operation, "arg_attrs", attribute);
    texts.results = ReadTexts(operation, "res_attrs", attribute);
  }
  return texts;
}

}  // namespace assay::pjrt
