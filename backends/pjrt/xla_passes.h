// The passes of XLA's compilers behind a plugin. PJRT has no names for passes: XLA takes them as settings, and writes
// what each pass does to files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/compiler.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

// True for the platforms of XLA's own compilers, by the name that a client has for its platform. Other compilers need
// not know XLA's settings, and some refuse unknown ones.
bool IsXlaPlatform(std::string_view platform);

// Appends the setting that disables the passes, with those that a setting before disables.
void DisablePasses(const std::vector<std::string>& passes, std::vector<CompilerSetting>& settings);

// Returns the settings with which XLA writes a module before and after each pass to a folder.
std::vector<CompilerSetting> DumpTo(const std::string& folder);

// Returns the passes that changed the module, by the files of such a folder. Fails with kInput if there are none.
Result<std::vector<PassRun>> ReadDumps(const std::string& folder);

// Returns other ways to generate code after the passes.
std::vector<CompilerSetting> SettingsToTry(std::string_view platform);

}  // namespace assay::pjrt
