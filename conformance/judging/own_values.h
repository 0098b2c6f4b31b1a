// A module judged on the values that the backend itself had on the way: each instruction by its rule, on the operands
// that the backend's own instructions gave it. Where all are lawful and lead to the backend's result, the result is
// that of a lawful evaluation, which is a proof.
#pragma once

#include <optional>
#include <string_view>

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/known_calls.h"

namespace assay {

// The reason of such a LEGAL.
inline constexpr std::string_view kLawfulOnOwnValues =
    "every instruction is legal on the operands that the backend itself gave it, and they lead to its result";

struct OwnValuesReport {
  Verdict verdict = Verdict::kExact;  // the worst of the pieces
  std::string reason;
  bool leads_to_result = false;  // with all intermediates returned the backend still gives the same result
  std::int64_t pieces = 0, pieces_exact = 0;
};

// `got` is what the backend returned for the module, on one device. Instructions that are not exact go to
// report.offenders. Nothing where the backend cannot return the intermediates. `known` are calls of the module that
// have been evaluated under the same profile.
std::optional<OwnValuesReport> JudgeOnOwnValues(Backend& backend, const HloModule& module,
                                                std::span<const Literal> arguments, const Literal& got,
                                                const CompareOptions& options, ModuleReport& report,
                                                const KnownCalls& known = {});

}  // namespace assay
