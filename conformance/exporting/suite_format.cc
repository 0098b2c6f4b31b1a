#include "conformance/exporting/suite_format.h"

#include "interpreter/hlo/printer.h"
#include "interpreter/stablehlo/from_hlo.h"
#include "interpreter/stablehlo/print.h"

namespace assay {
namespace {

Result<std::string> AsHlo(const HloModule& module) { return PrintHloModule(module, PrintOptions::Exact()); }

Result<std::string> AsStableHlo(const HloModule& module) {
  ASSAY_TRY(const stablehlo::Program program, stablehlo::FromHlo(module));
  return stablehlo::ToText(program);
}

// Programs of StableHLO keep their text, with the types and operations that HLO lacks.
Result<std::string> AsItCame(const HloModule& module) {
  const std::string* source = module.source ? SourceOf(module, PrintHloModule(module, PrintOptions::Exact())) : nullptr;
  return source != nullptr ? Result<std::string>(*source) : AsStableHlo(module);
}

constexpr SuiteFormat kFormats[] = {
    {.name = "stablehlo", .extension = ".mlir", .print = AsStableHlo},
    {.name = "stablehlo-source", .extension = ".mlir", .print = AsItCame},
    {.name = "hlo", .extension = ".hlo", .print = AsHlo, .takes_refused = true},
    {.name = "npz", .extension = ".mlir", .print = AsStableHlo, .has_npz = true},
    {.name = "pytest", .extension = ".mlir", .print = AsStableHlo, .has_pytest = true},
};

}  // namespace

std::span<const SuiteFormat> SuiteFormats() { return kFormats; }

}  // namespace assay
