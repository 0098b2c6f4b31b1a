// Work of the stream that is recorded in place of being done (CUDA graphs).
#pragma once

#include <functional>
#include <vector>

namespace host_driver {

// What one call does on the device; its result is the call's.
using Work = std::function<int()>;

bool IsRecording();
void StartRecording();
// What was recorded; `is_whole` says whether nothing came that cannot be.
std::vector<Work> EndRecording(bool& is_whole);

// Does the work, or records it.
int Do(Work work);
// What cannot be recorded: the error of such a call, or 0.
int UnlessRecording();

// The environment's number under this name.
long long Knob(const char* name, long long otherwise);
// A line in the log of calls.
void Log(const char* what, unsigned long long number);
// Whether the device is gone by now.
bool IsLost();

}  // namespace host_driver
