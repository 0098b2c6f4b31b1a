// The CUDA device that a backend runs on: its context, one stream, its memory and its kernels.
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

// What one launch has besides its arguments.
struct LaunchSize {
  std::int64_t blocks = 1;
  int threads = 1;  // of a block
};

// Work that was recorded, and is given to the device as a whole.
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
  // The first device of the machine. kBackend, with what is missing.
  static Result<std::shared_ptr<Device>> Open();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return name_; }
  // "sm_90"
  const std::string& architecture() const { return architecture_; }
  const Driver& driver() const { return driver_; }
  const Nvrtc& nvrtc() const { return nvrtc_; }

  // Whoever calls one of the functions below holds this, and has entered.
  std::mutex& mutex() { return mutex_; }
  Status Enter() const;

  Result<std::shared_ptr<Buffer>> Allocate(std::int64_t bytes) { return arena_->Allocate(bytes); }
  // As KernelCache::Load.
  Result<std::shared_ptr<const LoadedKernel>> Load(const std::string& text) { return kernels_->Load(text); }

  // Whether a library computes such a product here.
  bool TakesMatmul(const Matmul& product) { return matmuls_ != nullptr && matmuls_->Takes(product); }

  // These return before the work is done, but for copies to the host, whose bytes are there.
  Status CopyToDevice(const std::byte* from, const Buffer& to, std::int64_t bytes) const;
  Status CopyToHost(const Buffer& from, std::byte* to, std::int64_t bytes) const;
  Status CopyOnDevice(const Buffer& from, const Buffer& to, std::int64_t bytes) const;
  // `arguments` are pointers to the kernel's parameters.
  Status Launch(const LoadedKernel& kernel, LaunchSize size, std::span<void*> arguments) const;
  // What `enqueue` does, which neither copies to or from the host nor waits, is recorded and not done. The memory that
  // it allocates is the arena's, and stays what it is as long as that is there.
  Result<std::unique_ptr<RecordedWork>> Record(std::shared_ptr<Arena> arena, const std::function<Status()>& enqueue);
  Status Launch(const RecordedWork& work) const;
  std::shared_ptr<Arena> MakeArena() const { return std::make_shared<Arena>(driver_, Arena::Lifetime::kOfArena); }

  // Of one that is taken.
  Status Multiply(const Matmul& product, CUdeviceptr lhs, CUdeviceptr rhs, CUdeviceptr result) const;

  // From the start on, launches, products and copies on the device are timed; the end gives how long they took on the
  // device, and waits.
  void StartTiming() { stopwatch_ = std::make_unique<Stopwatch>(driver_); }
  Result<double> EndTiming();

 private:
  Device(const Driver& driver, const Nvrtc& nvrtc) : driver_(driver), nvrtc_(nvrtc) {}
  Status Start();
  // Enqueues, timed where that is asked for.
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
  std::unique_ptr<MatmulLibrary> matmuls_;  // null where there is none
  std::unique_ptr<Stopwatch> stopwatch_;    // null while nothing is timed
  bool is_recording_ = false;
};

}  // namespace assay::cuda
