// Judges a module on the backend's own intermediate values: each instruction by its rule, on the operands that the
// backend computed. If all instructions are lawful and lead to the backend's result, this proves that the result is
// lawful.
#pragma once

#include <optional>
#include <string_view>

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/known_calls.h"

namespace assay {

// The reason of a LEGAL verdict that own values prove.
inline constexpr std::string_view kLawfulOnOwnValues =
    "every instruction is legal on the operands that the backend itself gave it, and they lead to its result";

struct OwnValuesReport {
  Verdict verdict = Verdict::kExact;  // the worst of the pieces
  std::string reason;
  bool leads_to_result = false;  // if it returns all intermediate values too, the backend still returns the same result
  std::int64_t pieces = 0, pieces_exact = 0;
};

// Judges `got`, the backend's result for the module on one device. Adds instructions that are not exact to
// report.offenders. If report.verdict is SUSPECT, the outputs are far from samples, and instructions are compared with
// samples as well. Returns nothing if the backend cannot return the intermediate values. `known` has calls of the
// module that were evaluated under the same profile.
std::optional<OwnValuesReport> JudgeSelfConsistency(Backend& backend, const HloModule& module,
                                                    std::span<const Literal> arguments, const Literal& got,
                                                    const CompareOptions& options, ModuleReport& report,
                                                    const KnownCalls& known = {});

// True if every instruction is lawful on the backend's own operands on all devices, and they lead to `got`: then `got`
// is the result of a lawful evaluation. Counts the pieces, and adds those that are not exact to report.offenders. False
// proves nothing: a lawful evaluation may combine several instructions.
bool IsLawfulOnOwnValues(Backend& backend, const HloModule& module, const DeviceValues& arguments, const Literal& got,
                         const CompareOptions& options, ModuleReport& report);

}  // namespace assay
