// A program of several devices as a program of one: sets and lawful runs know one device only.
#pragma once

#include <memory>

#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// A partitioner that divides the terms of a sum among devices may round what each of them adds up.
enum class PartialSums { kAreWhole, kMayBeRounded };

// Returns a module for one device. Its parameters are those of device 0, then those of device 1, and so on; its root is
// a tuple with the result of each device. A collective becomes reduces, concatenations and slices of what the devices
// of a group bring, so that the devices count in any order. Calls are inlined. A loop or a conditional whose
// computations depend on the device has the state of all of them. Fails with kUnsupported if integers that are the same
// on all devices do not decide about its turns or its branch, for large programs, and, if partial sums may be rounded,
// for sums of numbers of less than 32 bits whose order the profile leaves open.
Result<std::unique_ptr<HloModule>> JoinDevices(const HloModule& module, const Profile& profile,
                                               PartialSums partial_sums = PartialSums::kAreWhole);

}  // namespace assay
