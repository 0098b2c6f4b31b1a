// The CUDA device of a backend: its context, one stream, its memory and its kernels.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "backends/cuda/device/arena.h"
#include "backends/cuda/device/kernel_cache.h"
#include "backends/cuda/device/matmul.h"
#include "backends/cuda/device/stopwatch.h"
#include "backends/cuda/libraries/driver.h"
#include "backends/cuda/libraries/nvrtc.h"

namespace assay::cuda {

// The size of a launch.
struct LaunchSize {
  std::int64_t blocks = 1;
  int threads = 1;  // of a block
};

// Recorded work that is launched as a whole.
class RecordedWork {
 public:
  RecordedWork(const Driver& driver, CUgraphExec work) : driver_(driver), work_(work) {}
  ~RecordedWork() { driver_.GraphExecDestroy(work_); }
  RecordedWork(const RecordedWork&) = delete;
  RecordedWork& operator=(const RecordedWork&) = delete;

  CUgraphExec work() const { return work_; }

 private:
  const Driver& driver_;
  CUgraphExec work_;
};

class Device {
 public:
  // Opens the first device of the machine. Fails with kBackend; the message says what is missing.
  static Result<std::shared_ptr<Device>> Open();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return name_; }
  // The architecture, such as "sm_90".
  const std::string& architecture() const { return architecture_; }
  const Driver& driver() const { return driver_; }
  const Nvrtc& nvrtc() const { return nvrtc_; }

  // A caller of the functions below must hold this mutex and must have called Enter.
  std::mutex& mutex() { return mutex_; }
  Status Enter() const;

  Result<std::shared_ptr<Buffer>> Allocate(std::int64_t bytes) { return arena_->Allocate(bytes); }
  // As KernelCache::Load.
  Result<std::shared_ptr<const LoadedKernel>> Load(const std::string& text) { return kernels_->Load(text); }

  // True if a library computes this product on the device.
  bool TakesMatmul(const Matmul& product) { return matmuls_ != nullptr && matmuls_->Takes(product); }

  // Return before the work is done, except copies to the host, which wait for the bytes.
  Status CopyToDevice(const std::byte* from, const Buffer& to, std::int64_t bytes) const;
  Status CopyToHost(const Buffer& from, std::byte* to, std::int64_t bytes) const;
  Status CopyOnDevice(const Buffer& from, const Buffer& to, std::int64_t bytes) const;
  // `arguments` are pointers to the kernel's parameters.
  Status Launch(const LoadedKernel& kernel, LaunchSize size, std::span<void*> arguments) const;
  // Records the work of `enqueue` without running it. `enqueue` must neither copy to or from the host nor wait. Its
  // allocations come from the arena, which must outlive the recorded work.
  Result<std::unique_ptr<RecordedWork>> Record(std::shared_ptr<Arena> arena, const std::function<Status()>& enqueue);
  Status Launch(const RecordedWork& work) const;
  std::shared_ptr<Arena> MakeArena() const { return std::make_shared<Arena>(driver_, Arena::Lifetime::kOfArena); }

  // Computes a product for which TakesMatmul is true.
  Status Multiply(const Matmul& product, CUdeviceptr lhs, CUdeviceptr rhs, CUdeviceptr result) const;

  // Start timing launches, products and copies on the device; end it, wait, and return the seconds on the device.
  void StartTiming() { stopwatch_ = std::make_unique<Stopwatch>(driver_); }
  Result<double> EndTiming();

 private:
  Device(const Driver& driver, const Nvrtc& nvrtc) : driver_(driver), nvrtc_(nvrtc) {}
  Status Start();
  // Enqueues work, and times it if timing is on.
  Status Timed(const std::function<Status()>& enqueue) const;

  const Driver& driver_;
  const Nvrtc& nvrtc_;
  std::mutex mutex_;
  std::string name_;
  std::string architecture_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  std::shared_ptr<Arena> arena_;
  std::unique_ptr<KernelCache> kernels_;
  std::unique_ptr<MatmulLibrary> matmuls_;  // null if the library is missing
  std::unique_ptr<Stopwatch> stopwatch_;    // null unless timing is on
  bool is_recording_ = false;
};

}  // namespace assay::cuda
