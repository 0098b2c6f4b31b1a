#include "backends/pjrt/program_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/proto/hlo_proto.h"
#include "interpreter/stablehlo/from_hlo.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/types/ascii.h"

namespace assay::pjrt {
namespace {

const std::string kManual = "{manual}";

std::string WriteHlo(const HloModule& module) {
  if (module.num_partitions == 1) return WriteHloModuleProto(module);
  const std::unique_ptr<HloModule> copy = CloneModule(module);
  for (const auto& computation : copy->computations) {
    for (const auto& instruction : computation->instructions) {
      instruction->annotations["sharding"] = ForEachLeaf(kManual, instruction->shape);
    }
  }
  return WriteHloModuleProto(*copy);
}

void SetAttribute(stablehlo::Operation& operation, std::string_view name, stablehlo::Attribute value) {
  operation.attributes.entries.push_back({std::string(name), std::move(value)});
}

stablehlo::Attribute ManualSharding() { return {kManual}; }

// Returns a list with a manual sharding for each argument or result of a function.
stablehlo::Attribute ManualValues(std::size_t count) {
  const stablehlo::Attribute manual = {stablehlo::Dictionary{{{"mhlo.sharding", ManualSharding()}}}};
  return {std::vector<stablehlo::Attribute>(count, manual)};
}

void MarkManual(stablehlo::Operation& operation) {
  if (operation.name.starts_with("stablehlo.") && operation.name != "stablehlo.return") {
    SetAttribute(operation, "mhlo.sharding", ManualSharding());
  }
  for (stablehlo::Region& region : operation.regions) {
    for (stablehlo::Block& block : region.blocks) std::ranges::for_each(block.operations, MarkManual);
  }
}

// `main` is the last function of a translated module.
void MarkEntryManual(stablehlo::Program& program) {
  stablehlo::Operation& main = program.module.regions[0].blocks[0].operations.back();
  const stablehlo::Block& body = main.regions[0].blocks[0];
  if (!body.arguments.empty()) SetAttribute(main, "arg_attrs", ManualValues(body.arguments.size()));
  const std::size_t results = body.operations.back().operands.size();
  if (results > 0) SetAttribute(main, "res_attrs", ManualValues(results));
}

Error CannotBeWritten(std::string_view reason) {
  return {ErrorCode::kUnsupported, fmt::format("the module cannot be written as StableHLO: {}", reason)};
}

Result<std::string> WriteStableHlo(const HloModule& module) {
  if (!VerifyHloModule(module)) return CannotBeWritten("it is illegal");
  Result<stablehlo::Program> program = stablehlo::FromHlo(module);
  if (!program) return CannotBeWritten(program.error().message);
  if (module.num_partitions > 1) {
    MarkManual(program->module);
    MarkEntryManual(*program);
  }
  return stablehlo::ToText(*program);
}

void SetDefaultLayouts(Shape& shape) {
  if (shape.IsTuple()) {
    std::ranges::for_each(shape.mutable_tuple_shapes(), SetDefaultLayouts);
  } else if (shape.IsArray()) {
    shape.set_default_layout();
  }
}

}  // namespace

std::string_view FormatName(ProgramFormat format) { return format == ProgramFormat::kHlo ? "hlo" : "mlir"; }

std::optional<ProgramFormat> ProgramFormatOf(std::string_view name) {
  for (const ProgramFormat format : {ProgramFormat::kHlo, ProgramFormat::kMlir}) {
    if (name == FormatName(format)) return format;
  }
  return std::nullopt;
}

Result<std::string> WriteProgram(const HloModule& module, ProgramFormat format) {
  return format == ProgramFormat::kHlo ? WriteHlo(module) : WriteStableHlo(module);
}

std::unique_ptr<HloModule> WithDefaultEntryLayouts(const HloModule& module) {
  std::unique_ptr<HloModule> copy = CloneModule(module);
  std::ranges::for_each(copy->entry_parameter_layouts, SetDefaultLayouts);
  SetDefaultLayouts(copy->entry_result_layout);
  return copy;
}

bool RefusesFormat(std::string_view message, ProgramFormat format) {
  const std::string text = AsciiLower(message);
  const auto has = [&](std::string_view words) { return text.find(words) != std::string::npos; };
  if (has("program format") || format == ProgramFormat::kMlir) return has("program format");
  return (has("format") && has("mlir")) || has("only supports mlir input");  // the latter is IREE's
}

}  // namespace assay::pjrt
