#include "conformance/judging/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "interpreter/hlo/literal_text.h"
#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

// Returns "f32[2,3] 1, 2, 3, ..." in row-major order. Each leaf of a tuple has its own line.
std::string ValueText(const Literal& value) {
  const Shape& shape = value.shape();
  std::string text;
  if (shape.IsTuple()) {
    for (const Literal& element : value.elements()) text += (text.empty() ? "" : "\n") + ValueText(element);
    return text.empty() ? "()" : text;
  }
  text = shape.ToStringWithoutLayout();
  if (!shape.IsArray()) return text;
  const std::int64_t shown = std::min(value.element_count(), kElementsShown);
  for (std::int64_t i = 0; i < shown; ++i) text += (i == 0 ? " " : ", ") + PrintElement(value, i);
  if (shown < value.element_count()) text += ", ...";
  return text;
}

}  // namespace

nlohmann::json Evidence::ToJson() const {
  nlohmann::json json = {{"module", module}, {"inputs", inputs}, {"want", want}};
  if (!got.empty()) json["got"] = got;
  return json;
}

Evidence Evidence::FromJson(const nlohmann::json& json) {
  return {json.at("module").get<std::string>(), json.at("inputs").get<std::vector<std::string>>(),
          json.at("want").get<std::string>(), json.value("got", "")};
}

Evidence EvidenceOf(const HloModule& module, std::span<const Literal> arguments, const Literal& want,
                    const Literal* got) {
  Evidence evidence = {PrintHloModule(module, PrintOptions::ShortParsable()), {}, ValueText(want), ""};
  if (evidence.module.size() > kModuleBytesShown) {
    evidence.module.resize(evidence.module.rfind('\n', kModuleBytesShown) + 1);
    evidence.module += "...\n";
  }
  for (const Literal& argument : arguments) evidence.inputs.push_back(ValueText(argument));
  if (got != nullptr) evidence.got = ValueText(*got);
  return evidence;
}

}  // namespace assay
