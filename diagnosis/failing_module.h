// A failing module in a folder of its own, which fails alone: what `reduce` and `diff --extract` write.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/subject.h"
#include "interpreter/types/result.h"

namespace assay {

struct FailingModule {
  std::string folder;
  std::string backend;
  std::string profile;                 // a name or a file; empty: that of the backend
  std::vector<std::string> libraries;  // of custom calls
  // The devices that it fails on; 0: not known. The groups and shapes of a module may name more than those.
  std::int64_t replicas = 0;
  std::int64_t partitions = 0;
};

// " --replicas 2 --partitions 1"; empty if they are not known.
std::string DeviceOptionsText(std::int64_t replicas, std::int64_t partitions);

// The command line that shows the failure.
std::string CommandOf(const FailingModule& failing);
// Writes module.hlo, inputs.json and command.txt, which names the devices of the subject.
Status WriteFailingModule(FailingModule failing, const Subject& subject);

}  // namespace assay
