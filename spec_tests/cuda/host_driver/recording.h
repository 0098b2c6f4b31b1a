// Work of a stream that is recorded instead of done (CUDA graphs).
#pragma once

#include <functional>
#include <vector>

namespace host_driver {

// The work of one call on the device. Its result is the call's result.
using Work = std::function<int()>;

bool IsRecording();
void StartRecording();
// Ends the recording and returns it. `is_whole` is false if a call could not be recorded.
std::vector<Work> EndRecording(bool& is_whole);

// Does the work or records it.
int Do(Work work);
// Called by functions that cannot be recorded: returns the error of such a call, or 0.
int UnlessRecording();

// Returns the environment's number under this name.
long long Knob(const char* name, long long otherwise);
// Writes a line to the log of calls.
void Log(const char* what, unsigned long long number);
// True if the device is lost.
bool IsLost();

}  // namespace host_driver
