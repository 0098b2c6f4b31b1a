// The settings under which `assay check --vary` runs a backend again: threads, devices, variables of the environment.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/running/backend_pool.h"
#include "interpreter/types/result.h"

namespace assay {

struct RunSetting {
  std::string name;                   // "threads=2"; empty: as the check runs
  std::int64_t devices = 0;           // run a program of one device at once, with the same inputs; 0: one device
  std::shared_ptr<BackendPool> pool;  // of processes with this setting; null: the check's backends
};

// Opens the settings of texts SETTING=VALUE,VALUE...: one for each value.
// - threads: the processors that each process of the backend may use
// - devices: the replicas that run each program of one device
// - any other name: a variable of the environment of the backend's processes
// A pool has as many backends as that of the check. Fails with kUsage for a text of another form, and for more threads
// or devices than there are; otherwise as BackendPool::Open does.
Result<std::vector<RunSetting>> OpenRunSettings(const std::vector<std::string>& texts, const std::string& backend,
                                                BackendPool& of_check, double timeout_seconds);

}  // namespace assay
