#include "backends/cuda/device/device.h"

#include <fmt/format.h>

#include <array>

namespace assay::cuda {

Result<std::shared_ptr<Device>> Device::Open() {
  ASSAY_TRY(const Driver* driver, Driver::Open());
  ASSAY_TRY(const Nvrtc* nvrtc, Nvrtc::Open());
  std::shared_ptr<Device> device(new Device(*driver, *nvrtc));
  ASSAY_CHECK_OK(device->Start());
  return device;
}

Status Device::Start() {
  int count = 0;
  const CUresult counted = driver_.DeviceGetCount(&count);
  if (counted == kCudaNoDevice || (counted == kCudaSuccess && count == 0)) {
    return Error{ErrorCode::kBackend, "the CUDA driver finds no device"};
  }
  if (counted != kCudaSuccess) return driver_.ErrorOf(counted, "DeviceGetCount");
  ASSAY_CUDA_CALL(driver_, DeviceGet, &device_, 0);
  std::array<char, 256> name = {};
  ASSAY_CUDA_CALL(driver_, DeviceGetName, name.data(), static_cast<int>(name.size()) - 1, device_);
  name_ = name.data();
  int major = 0, minor = 0;
  ASSAY_CUDA_CALL(driver_, DeviceGetAttribute, &major, kComputeCapabilityMajor, device_);
  ASSAY_CUDA_CALL(driver_, DeviceGetAttribute, &minor, kComputeCapabilityMinor, device_);
  architecture_ = fmt::format("sm_{}{}", major, minor);
  ASSAY_CUDA_CALL(driver_, PrimaryContextRetain, &context_, device_);
  ASSAY_CUDA_CALL(driver_, ContextSetCurrent, context_);
  ASSAY_CUDA_CALL(driver_, StreamCreate, &stream_, 1);  // non-blocking: independent of the default stream
  arena_ = std::make_shared<Arena>(driver_, Arena::Lifetime::kOfUse);
  kernels_ = std::make_unique<KernelCache>(driver_, nvrtc_, architecture_, CodeFolder::OfUser());
  matmuls_ = MatmulLibrary::Open();
  return {};
}

Device::~Device() {
  if (context_ == nullptr) return;
  driver_.ContextSetCurrent(context_);
  stopwatch_.reset();
  matmuls_.reset();
  kernels_.reset();
  arena_.reset();
  if (stream_ != nullptr) driver_.StreamDestroy(stream_);
  driver_.PrimaryContextRelease(device_);
}

Status Device::Enter() const {
  ASSAY_CUDA_CALL(driver_, ContextSetCurrent, context_);
  return {};
}

Status Device::CopyToDevice(const std::byte* from, const Buffer& to, std::int64_t bytes) const {
  ASSAY_CUDA_CALL(driver_, CopyToDevice, to.address(), from, static_cast<std::size_t>(bytes), stream_);
  return {};
}

Status Device::CopyToHost(const Buffer& from, std::byte* to, std::int64_t bytes) const {
  ASSAY_CUDA_CALL(driver_, CopyToHost, to, from.address(), static_cast<std::size_t>(bytes), stream_);
  ASSAY_CUDA_CALL(driver_, StreamSynchronize, stream_);
  return {};
}

Status Device::CopyOnDevice(const Buffer& from, const Buffer& to, std::int64_t bytes) const {
  return Timed([&]() -> Status {
    ASSAY_CUDA_CALL(driver_, CopyOnDevice, to.address(), from.address(), static_cast<std::size_t>(bytes), stream_);
    return {};
  });
}

Status Device::Launch(const LoadedKernel& kernel, LaunchSize size, std::span<void*> arguments) const {
  return Timed([&]() -> Status {
    ASSAY_CUDA_CALL(driver_, LaunchKernel, kernel.function(), static_cast<unsigned>(size.blocks), 1, 1,
                    static_cast<unsigned>(size.threads), 1, 1, 0, stream_, arguments.data(), nullptr);
    return {};
  });
}

Status Device::Multiply(const Matmul& product, CUdeviceptr lhs, CUdeviceptr rhs, CUdeviceptr result) const {
  return Timed([&] { return matmuls_->Run(product, lhs, rhs, result, *arena_, stream_); });
}

Status Device::Timed(const std::function<Status()>& enqueue) const {
  // Recorded work is timed when it runs.
  if (stopwatch_ == nullptr || is_recording_) return enqueue();
  ASSAY_CHECK_OK(stopwatch_->Mark(stream_));
  ASSAY_CHECK_OK(enqueue());
  return stopwatch_->Mark(stream_);
}

Result<double> Device::EndTiming() {
  const std::unique_ptr<Stopwatch> stopwatch = std::move(stopwatch_);
  return stopwatch->Seconds();
}

Result<std::unique_ptr<RecordedWork>> Device::Record(std::shared_ptr<Arena> arena,
                                                     const std::function<Status()>& enqueue) {
  // The relaxed mode allows allocations during the capture.
  ASSAY_CUDA_CALL(driver_, StreamBeginCapture, stream_, kCaptureRelaxed);
  CUgraph graph = nullptr;
  // Ends the capture, also after an error.
  const auto end = [&] {
    is_recording_ = false;
    arena_.swap(arena);
    return driver_.StreamEndCapture(stream_, &graph);
  };
  is_recording_ = true;
  arena_.swap(arena);
  Status enqueued;
  try {
    enqueued = enqueue();
  } catch (...) {
    end();
    if (graph != nullptr) driver_.GraphDestroy(graph);
    throw;
  }
  const CUresult ended = end();
  CUgraphExec work = nullptr;
  CUresult made = kCudaSuccess;
  if (enqueued && ended == kCudaSuccess) made = driver_.GraphInstantiate(&work, graph, 0);
  if (graph != nullptr) driver_.GraphDestroy(graph);
  if (!enqueued) return enqueued.error();
  if (ended != kCudaSuccess) return driver_.ErrorOf(ended, "StreamEndCapture");
  if (made != kCudaSuccess) return driver_.ErrorOf(made, "GraphInstantiate");
  return std::make_unique<RecordedWork>(driver_, work);
}

Status Device::Launch(const RecordedWork& work) const {
  return Timed([&]() -> Status {
    ASSAY_CUDA_CALL(driver_, GraphLaunch, work.work(), stream_);
    return {};
  });
}

}  // namespace assay::cuda
