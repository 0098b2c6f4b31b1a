// A library with the C interface of CUDA's driver that runs kernels on the host, to test the backend cuda without a
// device. Its device memory is host memory between inaccessible pages. It reads these variables:
//
//   HOST_DRIVER_VERSION     the version that it reports (13000)
//   HOST_DRIVER_DEVICES     the number of devices (1)
//   HOST_DRIVER_MEMORY      the bytes that may be allocated at a time
//   HOST_DRIVER_LAUNCH      the number of the launch, from 1, that fails
//   HOST_DRIVER_GRAPH       the number of the recording or replaying call, from 1, that fails
//   HOST_DRIVER_LOST        the number of the call, from 1, that loses the device
//   HOST_DRIVER_LOG         a file: a line for each call that tests count
//   HOST_DRIVER_CHECKS      1: checks each access of a kernel (checks.h)
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "spec_tests/cuda/host_driver/checks.h"
#include "spec_tests/cuda/host_driver/fibers.h"
#include "spec_tests/cuda/host_driver/prelude.h"
#include "spec_tests/cuda/host_driver/recording.h"

namespace host_driver {

long long Knob(const char* name, long long otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == 0 ? otherwise : std::atoll(value);
}

void Log(const char* what, unsigned long long number) {
  const char* const path = std::getenv("HOST_DRIVER_LOG");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "a")) {
    std::fprintf(file, "%s %llu\n", what, number);
    std::fclose(file);
  }
}

bool IsLost() {
  static std::atomic<long long> calls = 0;
  return ++calls >= Knob("HOST_DRIVER_LOST", 1LL << 60);
}

}  // namespace host_driver

using namespace host_driver;

namespace {

constexpr int kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kUnavailable = 46, kNoDevice = 100,
              kInvalidImage = 200, kNotFound = 500, kLaunchFailed = 719;

struct Named {
  int result;
  const char* name;
  const char* text;
};
constexpr Named kNames[] = {
    {kSuccess, "CUDA_SUCCESS", "no error"},
    {kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {kUnavailable, "CUDA_ERROR_DEVICE_UNAVAILABLE", "the device is busy or unavailable"},
    {kNoDevice, "CUDA_ERROR_NO_DEVICE", "no device is detected"},
    {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {kNotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"},
    {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

struct Allocation {
  std::size_t bytes;
  char* mapping;
  std::size_t mapped;
};

// Device memory. Its addresses are those of the host, so that kernels run unchanged.
class Memory {
 public:
  int Allocate(unsigned long long* address, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes == 0) return kInvalidValue;
    if (in_use_ + bytes > static_cast<std::size_t>(Knob("HOST_DRIVER_MEMORY", 1LL << 40))) return kOutOfMemory;
    constexpr std::size_t kPage = 4096;
    const std::size_t inside = (bytes + kPage - 1) / kPage * kPage;
    const std::size_t mapped = inside + 2 * kPage;
    void* const mapping = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) return kOutOfMemory;
    char* const first = static_cast<char*>(mapping) + kPage;
    mprotect(first, inside, PROT_READ | PROT_WRITE);
    // As close to the following page as alignment allows.
    char* const start = first + (inside - bytes) / 256 * 256;
    std::memset(start, 0xa5, bytes);
    *address = reinterpret_cast<unsigned long long>(start);
    allocations_[*address] = {bytes, static_cast<char*>(mapping), mapped};
    if (checks::AreOn()) {
      const std::size_t before = static_cast<std::size_t>(start - static_cast<char*>(mapping));
      checks::Allocated(*address, bytes, before, mapped - before - bytes);
      mprotect(mapping, mapped, PROT_READ | PROT_WRITE);
    }
    in_use_ += bytes;
    return kSuccess;
  }

  int Free(unsigned long long address) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(address);
    if (found == allocations_.end()) return kInvalidValue;
    checks::Freed(address);
    in_use_ -= found->second.bytes;
    munmap(found->second.mapping, found->second.mapped);
    allocations_.erase(found);
    return kSuccess;
  }

  bool Has(unsigned long long address, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto found = allocations_.upper_bound(address);
    if (found == allocations_.begin()) return false;
    --found;
    return address + bytes <= found->first + found->second.bytes;
  }

 private:
  std::mutex mutex_;
  std::map<unsigned long long, Allocation> allocations_;
  std::size_t in_use_ = 0;
};

Memory& DeviceMemory() {
  static Memory memory;
  return memory;
}

struct Module {
  void* library;
  bool has_barriers;
};

// Runs the threads of a launch, whose parameters are words.
int Run(const Module& module, unsigned blocks, unsigned threads, void** words) {
  const auto find = [&](const char* name) { return dlsym(module.library, name); };
  const auto block = reinterpret_cast<void (*)(unsigned, unsigned, unsigned, void (*)(int))>(find("host_block"));
  const auto one = reinterpret_cast<void (*)(void**, unsigned)>(find("host_thread"));
  const auto resume = reinterpret_cast<void (*)(unsigned)>(find("host_resume"));
  const auto shared = reinterpret_cast<char* (*)(unsigned long*)>(find("host_shared_memory"));
  std::size_t shared_bytes = 0;
  char* const shared_start = shared(&shared_bytes);
  if (checks::AreOn()) {
    checks::StartLaunch(reinterpret_cast<std::uintptr_t>(shared_start), shared_bytes);
    const auto look = reinterpret_cast<void (*)(void (*)(std::uintptr_t, std::size_t, bool))>(find("host_look"));
    if (look == nullptr) return kInvalidImage;
    look(checks::Access);
  }
  bool has_met = true;
  for (unsigned b = 0; b < blocks && has_met; ++b) {
    block(b, blocks, threads, Barrier);
    // Fills the shared memory, so that a block cannot use its previous contents.
    if (shared_bytes != 0) std::memset(shared_start, 0xa5, shared_bytes);
    checks::StartBlock(b);
    if (module.has_barriers) {
      has_met = RunFibers(
          threads, [&](unsigned thread) { one(words, thread); }, resume);
      continue;
    }
    for (unsigned thread = 0; thread < threads; ++thread) {
      checks::StartThread(thread);
      one(words, thread);
    }
  }
  if (!checks::EndLaunch()) return kLaunchFailed;
  return has_met ? kSuccess : kLaunchFailed;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))
#define UNLESS_LOST \
  if (IsLost()) return kUnavailable

EXPORTED int cuDriverGetVersion(int* version) {
  *version = static_cast<int>(Knob("HOST_DRIVER_VERSION", 13000));
  return kSuccess;
}
EXPORTED int cuInit(unsigned) { return Knob("HOST_DRIVER_DEVICES", 1) == 0 ? kNoDevice : kSuccess; }
EXPORTED int cuGetErrorName(int result, const char** name) {
  for (const Named& named : kNames) {
    if (named.result == result) return *name = named.name, kSuccess;
  }
  return kInvalidValue;
}
EXPORTED int cuGetErrorString(int result, const char** text) {
  for (const Named& named : kNames) {
    if (named.result == result) return *text = named.text, kSuccess;
  }
  return kInvalidValue;
}
EXPORTED int cuDeviceGetCount(int* count) {
  *count = static_cast<int>(Knob("HOST_DRIVER_DEVICES", 1));
  return kSuccess;
}
EXPORTED int cuDeviceGet(int* device, int number) {
  *device = number;
  return kSuccess;
}
EXPORTED int cuDeviceGetName(char* name, int size, int) {
  std::snprintf(name, static_cast<std::size_t>(size), "a device on the host");
  return kSuccess;
}
EXPORTED int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : attribute == 16 ? 4 : 0;
  return kSuccess;
}
EXPORTED int cuDevicePrimaryCtxRetain(void** context, int) {
  UNLESS_LOST;
  static int the_context;
  *context = &the_context;
  return kSuccess;
}
EXPORTED int cuDevicePrimaryCtxRelease_v2(int) { return kSuccess; }
EXPORTED int cuCtxSetCurrent(void*) {
  UNLESS_LOST;
  return kSuccess;
}
EXPORTED int cuStreamCreate(void** stream, unsigned) {
  UNLESS_LOST;
  static int the_stream;
  *stream = &the_stream;
  return kSuccess;
}
EXPORTED int cuStreamDestroy_v2(void*) { return kSuccess; }
EXPORTED int cuStreamSynchronize(void*) {
  UNLESS_LOST;
  Log("wait", 1);
  return UnlessRecording();
}
// The time of an event is that of its recording, because the work before it is done by then.
EXPORTED int cuEventCreate(std::chrono::steady_clock::time_point** event, unsigned) {
  UNLESS_LOST;
  *event = new std::chrono::steady_clock::time_point;
  return kSuccess;
}
EXPORTED int cuEventDestroy_v2(std::chrono::steady_clock::time_point* event) { return delete event, kSuccess; }
EXPORTED int cuEventRecord(std::chrono::steady_clock::time_point* event, void*) {
  UNLESS_LOST;
  Log("event", 1);
  *event = std::chrono::steady_clock::now();
  return UnlessRecording();
}
EXPORTED int cuEventSynchronize(const std::chrono::steady_clock::time_point*) {
  UNLESS_LOST;
  return kSuccess;
}
EXPORTED int cuEventElapsedTime(float* milliseconds, const std::chrono::steady_clock::time_point* start,
                                const std::chrono::steady_clock::time_point* end) {
  UNLESS_LOST;
  *milliseconds = std::chrono::duration<float, std::milli>(*end - *start).count();
  return kSuccess;
}
EXPORTED int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  UNLESS_LOST;
  Log("allocate", bytes);
  return DeviceMemory().Allocate(address, bytes);
}
EXPORTED int cuMemFree_v2(unsigned long long address) {
  UNLESS_LOST;
  return DeviceMemory().Free(address);
}
EXPORTED int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, std::size_t bytes, void*) {
  UNLESS_LOST;
  Log("upload", bytes);
  if (const int result = UnlessRecording(); result != kSuccess) return result;
  if (!DeviceMemory().Has(to, bytes)) return kInvalidValue;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  checks::Written(to, bytes);
  return kSuccess;
}
EXPORTED int cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, std::size_t bytes, void*) {
  UNLESS_LOST;
  Log("download", bytes);
  if (const int result = UnlessRecording(); result != kSuccess) return result;
  if (!DeviceMemory().Has(from, bytes)) return kInvalidValue;
  if (!checks::MayBeRead(from, bytes)) return kLaunchFailed;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return kSuccess;
}
EXPORTED int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, std::size_t bytes, void*) {
  UNLESS_LOST;
  Log("copy", bytes);
  if (!DeviceMemory().Has(to, bytes) || !DeviceMemory().Has(from, bytes)) return kInvalidValue;
  return Do([=] {
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    checks::Copied(to, from, bytes);
    return kSuccess;
  });
}

EXPORTED int cuModuleLoadData(Module** module, const void* code) {
  UNLESS_LOST;
  CodeHead head;
  std::memcpy(&head, code, sizeof(head));
  if (std::memcmp(head.mark, kMark.data(), kMark.size()) != 0) return kInvalidImage;
  const int file = memfd_create("kernel", 0);
  const char* bytes = static_cast<const char*>(code) + sizeof(head);
  if (file < 0 || write(file, bytes, head.bytes) != static_cast<ssize_t>(head.bytes)) return kOutOfMemory;
  // The loader knows libraries by their names, and file numbers are reused: each library gets its own spelling.
  static std::atomic<unsigned> count = 0;
  std::string name = "/proc/self/fd/";
  for (unsigned left = ++count; left != 0; left >>= 1) name += (left & 1) != 0 ? "./" : "/";
  name += std::to_string(file);
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  if (library == nullptr) {
    std::fprintf(stderr, "host driver: %s\n", dlerror());
    return kInvalidImage;
  }
  *module = new Module{library, head.has_barriers != 0};
  return kSuccess;
}
EXPORTED int cuModuleUnload(Module* module) {
  dlclose(module->library);
  delete module;
  return kSuccess;
}
EXPORTED int cuModuleGetFunction(Module** function, Module* module, const char* name) {
  UNLESS_LOST;
  if (std::string(name) != "kernel") return kNotFound;
  *function = module;
  return kSuccess;
}

EXPORTED int cuLaunchKernel(Module* function, unsigned blocks, unsigned blocks_y, unsigned blocks_z, unsigned threads,
                            unsigned threads_y, unsigned threads_z, unsigned, void*, void** words, void** extra) {
  UNLESS_LOST;
  static std::atomic<long long> launches = 0;
  if (++launches == Knob("HOST_DRIVER_LAUNCH", 0)) return kLaunchFailed;
  Log("launch", static_cast<unsigned long long>(blocks) * threads);
  if (blocks == 0 || threads == 0 || threads > 1024 || extra != nullptr) return kInvalidValue;
  if (blocks_y != 1 || blocks_z != 1 || threads_y != 1 || threads_z != 1) return kInvalidValue;
  const unsigned count = reinterpret_cast<unsigned (*)()>(dlsym(function->library, "host_parameters"))();
  std::vector<unsigned long long> values;
  for (unsigned i = 0; i < count; ++i) values.push_back(*static_cast<unsigned long long*>(words[i]));
  return Do([=]() mutable {
    std::vector<void*> pointers;
    for (unsigned long long& value : values) pointers.push_back(&value);
    return Run(*function, blocks, threads, pointers.data());
  });
}
