// The errors of sums over devices in samples. A run of one device does not know the terms of the others.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

class SumsOverDevices {
 public:
  explicit SumsOverDevices(std::size_t devices) : devices_(devices) {}

  // Takes in the next execution of an operation on a device, which `executed` completes.
  void See(std::size_t device, const HloInstruction& executed, const JudgedInstruction& judged);
  // Returns the largest error of each element of a result, in f64, as if all devices were in one group; nullopt if it
  // is no such sum, or a long one.
  std::optional<Literal> ErrorsOf(const HloInstruction& executed, std::size_t execution,
                                  const JudgedInstruction& judged, const Literal& result) const;

 private:
  std::size_t devices_;
  std::map<std::pair<std::size_t, const HloInstruction*>, std::size_t> executions_;  // by the device
  // The sums of the magnitudes of the terms, of each execution.
  std::unordered_map<const HloInstruction*, std::vector<std::vector<double>>> magnitudes_;
};

}  // namespace assay
