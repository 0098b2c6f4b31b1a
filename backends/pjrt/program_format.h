// The formats in which a plugin gets a module.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

enum class ProgramFormat {
  kHlo,   // a serialized HloModuleProto
  kMlir,  // StableHLO in MLIR's generic text
};

// Returns "hlo" or "mlir", PJRT's name of the format.
std::string_view FormatName(ProgramFormat format);
// Returns nothing for any other text.
std::optional<ProgramFormat> ProgramFormatOf(std::string_view name);

// Returns the bytes of a module whose entry is flat (entry.h). A module for several partitions is what each of them
// runs: every value has a manual sharding, so that no compiler divides the module again. Fails with kUnsupported, and a
// message that has the instruction and the reason, for a module that cannot be written as StableHLO; an illegal module
// cannot.
Result<std::string> WriteProgram(const HloModule& module, ProgramFormat format);

// Returns a copy of a module whose parameters and results have the default layout. StableHLO has no layouts.
std::unique_ptr<HloModule> WithDefaultEntryLayouts(const HloModule& module);

// True if the message of a failed compilation says that the plugin does not know this format.
bool RefusesFormat(std::string_view message, ProgramFormat format);

}  // namespace assay::pjrt
