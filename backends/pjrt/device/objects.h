// The objects behind PJRT's opaque pointers. A client owns its devices, and must outlive its buffers and executables.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "backends/pjrt/device/entry.h"
#include "backends/pjrt/device/options.h"
#include "backends/pjrt/device/program.h"

namespace assay::pjrt {

inline constexpr std::string_view kPlatformName = "assay";

// Everything is done when a function returns, and failures are the function's: an event is ready and has no error.
struct PJRT_Event {};

struct PJRT_ExecuteContext {};

struct PJRT_DeviceDescription {
  int id = 0;
  std::string text, debug_text;
};

struct PJRT_Memory {
  const void* const functions = nullptr;  // first, as frameworks expect; it has none
  int id = 0;
  std::size_t kind = 0;  // in kMemoryKinds
  std::string text, debug_text;
  PJRT_Device* device = nullptr;
};

struct PJRT_Device {
  PJRT_Client* client = nullptr;
  PJRT_DeviceDescription description;
  std::array<PJRT_Memory, kMemoryKinds.size()> memories;
  std::vector<PJRT_Memory*> memory_pointers;
};

struct PJRT_TopologyDescription {
  PJRT_TopologyDescription(const ClientOptions& with, bool of_client);

  const ClientOptions options;
  const bool is_of_client;
  std::vector<PJRT_DeviceDescription> devices;
  std::vector<PJRT_DeviceDescription*> device_pointers;
};

struct PJRT_Client {
  explicit PJRT_Client(ClientOptions options, std::unique_ptr<Backend> engine);

  // Returns null if there is none.
  PJRT_Device* FindDevice(std::int64_t id) const;

  ClientOptions options;
  std::unique_ptr<Backend> engine;
  std::vector<std::unique_ptr<PJRT_Device>> devices;
  std::vector<PJRT_Device*> device_pointers;
  std::vector<PJRT_Memory*> memory_pointers;
  PJRT_TopologyDescription topology;
};

// An array on a device: a value that literals share, so that copies between devices cost nothing.
class BufferValue {
 public:
  explicit BufferValue(Literal value) : value_(std::move(value)) {}

  // Fails for a buffer that was deleted or donated.
  Result<Literal> Read() const;
  // Returns the value and deletes the buffer. The elements stay in memory while the host refers to them.
  Result<Literal> Donate();
  void Delete();
  bool is_deleted() const;

  // Keeps the elements at their address until as many calls of RemoveReference.
  Status AddReference();
  Status RemoveReference();

 private:
  mutable std::mutex mutex_;
  std::optional<Literal> value_;
  Literal referenced_;  // while there are references
  int references_ = 0;
};

struct PJRT_Buffer {
  // Holds the elements of an array in this order.
  PJRT_Buffer(const Literal& array, PJRT_Memory& in, const ElementOrder& order = {});

  // Return the array. They fail as BufferValue's do.
  Result<Literal> ReadArray() const;
  Result<Literal> DonateArray();

  const Shape shape;
  PJRT_Memory* const memory;
  const Dimensions minor_to_major;
  BufferValue value;  // of this shape, with its elements in the order of minor_to_major
  // Called when the buffer is destroyed.
  std::function<void()> on_destroy = {};
};

// The lists that functions of an executable return.
struct ExecutableLists;

struct PJRT_Executable {
  // The engine is that of a program which no client has.
  explicit PJRT_Executable(std::shared_ptr<const CompiledProgram> compiled, std::unique_ptr<Backend> of_program = {});
  ~PJRT_Executable();

  const std::unique_ptr<Backend> engine;
  const std::shared_ptr<const CompiledProgram> program;
  const std::unique_ptr<ExecutableLists> lists;
};

struct PJRT_LoadedExecutable {
  PJRT_Client* client = nullptr;
  std::shared_ptr<const CompiledProgram> program;
  std::vector<PJRT_Device*> devices;  // in the order of logical ids
  std::vector<PJRT_LogicalDeviceIds> logical_ids;
  std::string fingerprint;
  std::atomic<bool> is_deleted = false;
};

// Returns the backend that evaluates a client's programs.
Result<std::unique_ptr<Backend>> OpenEngine(const ClientOptions& options);

// Checks the arguments of a buffer's type and makes a literal of uninitialized elements.
Result<Literal> NewArray(PJRT_Buffer_Type type, const std::int64_t* dimensions, std::size_t rank);

}  // namespace assay::pjrt
