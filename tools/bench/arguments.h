// The arguments of benchmarks, read by the options of the commands (tools/options.h).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/bench/benchmarks.h"
#include "tools/options.h"

namespace assay {

// Reads the arguments of a benchmark into the options that `add` adds. Returns false if they are wrong, or ask for
// help, and prints why.
bool ReadArguments(std::string_view benchmark, BenchArguments arguments, const std::function<void(CLI::App&)>& add);

// Adds names of profiles; without any, all.
void AddProfiles(CLI::App& command, std::vector<std::string>& profiles);
// Adds the option --profile, which takes the name of a built-in profile.
void AddBuiltInProfile(CLI::App& command, std::string& profile);

}  // namespace assay
