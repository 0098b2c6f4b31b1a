// The driver's functions that record work. A driver without this file lacks them.
#include "spec_tests/cuda/host_driver/recording.h"

using namespace host_driver;

namespace {

constexpr int kSuccess = 0, kInvalidValue = 1, kUnavailable = 46, kInvalidated = 901;

struct Graph {
  std::vector<Work> work;
};

// Returns the result of a call: HOST_DRIVER_GRAPH is the number of the call, from 1, that fails.
int Result() {
  static long long calls = 0;
  if (IsLost()) return kUnavailable;
  return ++calls == Knob("HOST_DRIVER_GRAPH", 0) ? kInvalidValue : kSuccess;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int cuStreamBeginCapture_v2(void*, int mode) {
  if (const int result = Result(); result != kSuccess) return result;
  if (IsRecording() || mode != 2) return kInvalidValue;
  StartRecording();
  return kSuccess;
}
EXPORTED int cuStreamEndCapture(void*, Graph** graph) {
  *graph = nullptr;
  bool is_whole = false;
  std::vector<Work> work = EndRecording(is_whole);
  if (const int result = Result(); result != kSuccess) return result;
  if (!is_whole) return kInvalidated;
  *graph = new Graph{work};
  return kSuccess;
}
EXPORTED int cuGraphInstantiateWithFlags(Graph** made, Graph* graph, unsigned long long) {
  if (const int result = Result(); result != kSuccess) return result;
  *made = new Graph(*graph);
  return kSuccess;
}
EXPORTED int cuGraphLaunch(Graph* graph, void*) {
  if (const int result = Result(); result != kSuccess) return result;
  Log("replay", graph->work.size());
  for (const Work& work : graph->work) {
    if (const int result = work(); result != kSuccess) return result;
  }
  return kSuccess;
}
EXPORTED int cuGraphExecDestroy(Graph* graph) { return delete graph, kSuccess; }
EXPORTED int cuGraphDestroy(Graph* graph) { return delete graph, kSuccess; }
