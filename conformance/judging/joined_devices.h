// A program of several devices as a program of one: sets and lawful runs know one device only.
#pragma once

#include <memory>

#include "interpreter/acceptance/profile.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// Returns a module for one device. Its parameters are those of device 0, then those of device 1, and so on; its root is
// a tuple with the result of each device. A collective becomes reduces, concatenations and slices of what the devices
// of a group bring, so that the devices count in any order. Calls are inlined. Fails with kUnsupported if an
// instruction inside of a loop or a choice depends on the device, for asynchronous collectives, for sums of numbers of
// less than 32 bits whose order the profile leaves open (a partitioner may round partial sums), and for large programs.
Result<std::unique_ptr<HloModule>> JoinDevices(const HloModule& module, const Profile& profile);

}  // namespace assay
