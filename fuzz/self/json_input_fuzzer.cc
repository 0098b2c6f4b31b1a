// Untrusted JSON: the inputs of a module, and values that peers send. Legal values are written again and read back.
#include <nlohmann/json.hpp>

#include "backends/json/array_json.h"
#include "backends/json/json_text.h"
#include "conformance/cases/inputs.h"
#include "fuzz/self/target.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

void ReadValue(const nlohmann::json& json) {
  const Result<Literal> value = ArrayFromJson(json);
  if (!value) return;
  std::string text;
  WriteArrayJson(*value, [&text](std::string_view piece) { text += piece; });
  const Result<nlohmann::json> written = ParseJson(text);
  Require(written && *written == ArrayToJson(*value), "a value is written as valid JSON: " + text);
  const Result<Literal> again = ArrayFromJson(*written);
  Require(again && again->BitwiseEqual(*value), "a value reads back: " + text);
}

}  // namespace
}  // namespace assay

ASSAY_FUZZ_TARGET(json_input) {
  static const std::unique_ptr<HloModule> module = ReadLegalModule(
      "HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  b = (s4[3], pred[]) parameter(1)\n"
      "  c = bf16[<=4] parameter(2)\n  ROOT t = (f32[2], (s4[3], pred[]), bf16[<=4]) tuple(a, b, c)\n}\n");
  Require(module != nullptr, "the module is legal");
  const SmallLimits limits;
  InputOptions options;
  options.recorded = text;
  options.recorded_file = "inputs.json";
  if (const Result<Inputs> inputs = ReadInputs(*module, options)) {
    Require(inputs->per_device.size() == 1 && inputs->per_device[0].size() == 3, "a value for each parameter");
    Require(ParseJson(InputsText(inputs->per_device)).has_value(), "inputs are written as valid JSON");
  }
  const Result<nlohmann::json> json = ParseJson(text);
  if (!json) return;
  Require(ParseJson(JsonText(*json)) && ParseJson(JsonText(*json, 2)), "JSON is written as JSON");
  ReadValue(*json);
  for (const HloInstruction* parameter : module->entry->Parameters()) {
    const Result<Literal> value = ArrayFromJson(*json, parameter->shape, "");
    static_cast<void>(value);
  }
}
