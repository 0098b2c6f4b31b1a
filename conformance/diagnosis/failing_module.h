// A failing module in a folder of its own, which reproduces the failure: the output of `reduce` and `diff --extract`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/diagnosis/subject.h"
#include "interpreter/types/result.h"

namespace assay {

struct FailingModule {
  std::string folder;
  std::string backend;
  std::string profile;                 // a name or a file; empty: the backend's default
  std::vector<std::string> libraries;  // of custom calls
  // The devices of the failure; 0: unknown. The groups and shapes of a module may name more devices.
  std::int64_t replicas = 0;
  std::int64_t partitions = 0;
  bool takes_stablehlo = false;  // BackendDescription::takes_stablehlo
};

// Returns the path of the folder's StableHLO (kStableHloFile) if it has one, otherwise that of module.hlo.
std::string ProgramIn(const std::string& folder);

// Returns " --replicas 2 --partitions 1"; empty if they are not known.
std::string DeviceOptionsText(std::int64_t replicas, std::int64_t partitions);

// Returns the command line that reproduces the failure, with ProgramIn.
std::string CommandOf(const FailingModule& failing);
// Writes module.hlo, inputs.json, command.txt, which names the devices of the subject, and the StableHLO that the
// backend got beside the HLO. Returns the names of the files.
Result<std::string> WriteFailingModule(FailingModule failing, const Subject& subject);

}  // namespace assay
