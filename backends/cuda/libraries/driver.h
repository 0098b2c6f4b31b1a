// The interface to CUDA's driver, libcuda: types and functions as in its reference manual.
#pragma once

#include <cstddef>
#include <string>

#include "interpreter/types/result.h"

namespace assay::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphExec = struct CUgraphExec_st*;

inline constexpr CUresult kCudaSuccess = 0;
inline constexpr CUresult kCudaOutOfMemory = 2;
inline constexpr CUresult kCudaNoDevice = 100;
inline constexpr int kComputeCapabilityMajor = 75;
inline constexpr int kComputeCapabilityMinor = 76;
inline constexpr int kMultiprocessorCount = 16;
inline constexpr int kCaptureRelaxed = 2;

// The functions of the driver: the name here, the library's symbol, the type. The suffix of a symbol is the version of
// its ABI.
#define ASSAY_CUDA_DRIVER_FUNCTIONS(X)                                                                           \
  X(Init, cuInit, CUresult(unsigned))                                                                            \
  X(DriverGetVersion, cuDriverGetVersion, CUresult(int*))                                                        \
  X(GetErrorName, cuGetErrorName, CUresult(CUresult, const char**))                                              \
  X(GetErrorString, cuGetErrorString, CUresult(CUresult, const char**))                                          \
  X(DeviceGetCount, cuDeviceGetCount, CUresult(int*))                                                            \
  X(DeviceGet, cuDeviceGet, CUresult(CUdevice*, int))                                                            \
  X(DeviceGetName, cuDeviceGetName, CUresult(char*, int, CUdevice))                                              \
  X(DeviceGetAttribute, cuDeviceGetAttribute, CUresult(int*, int, CUdevice))                                     \
  X(PrimaryContextRetain, cuDevicePrimaryCtxRetain, CUresult(CUcontext*, CUdevice))                              \
  X(PrimaryContextRelease, cuDevicePrimaryCtxRelease_v2, CUresult(CUdevice))                                     \
  X(ContextSetCurrent, cuCtxSetCurrent, CUresult(CUcontext))                                                     \
  X(StreamCreate, cuStreamCreate, CUresult(CUstream*, unsigned))                                                 \
  X(StreamDestroy, cuStreamDestroy_v2, CUresult(CUstream))                                                       \
  X(StreamSynchronize, cuStreamSynchronize, CUresult(CUstream))                                                  \
  X(EventCreate, cuEventCreate, CUresult(CUevent*, unsigned))                                                    \
  X(EventDestroy, cuEventDestroy_v2, CUresult(CUevent))                                                          \
  X(EventRecord, cuEventRecord, CUresult(CUevent, CUstream))                                                     \
  X(EventSynchronize, cuEventSynchronize, CUresult(CUevent))                                                     \
  X(EventElapsedTime, cuEventElapsedTime, CUresult(float*, CUevent, CUevent))                                    \
  X(MemoryAllocate, cuMemAlloc_v2, CUresult(CUdeviceptr*, std::size_t))                                          \
  X(MemoryFree, cuMemFree_v2, CUresult(CUdeviceptr))                                                             \
  X(CopyToDevice, cuMemcpyHtoDAsync_v2, CUresult(CUdeviceptr, const void*, std::size_t, CUstream))               \
  X(CopyToHost, cuMemcpyDtoHAsync_v2, CUresult(void*, CUdeviceptr, std::size_t, CUstream))                       \
  X(CopyOnDevice, cuMemcpyDtoDAsync_v2, CUresult(CUdeviceptr, CUdeviceptr, std::size_t, CUstream))               \
  X(ModuleLoadData, cuModuleLoadData, CUresult(CUmodule*, const void*))                                          \
  X(ModuleUnload, cuModuleUnload, CUresult(CUmodule))                                                            \
  X(ModuleGetFunction, cuModuleGetFunction, CUresult(CUfunction*, CUmodule, const char*))                        \
  X(LaunchKernel, cuLaunchKernel,                                                                                \
    CUresult(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**, \
             void**))

// The functions that record work and submit it as a whole. A driver that lacks any of them records nothing.
#define ASSAY_CUDA_GRAPH_FUNCTIONS(X)                                                                   \
  X(StreamBeginCapture, cuStreamBeginCapture_v2, CUresult(CUstream, int))                               \
  X(StreamEndCapture, cuStreamEndCapture, CUresult(CUstream, CUgraph*))                                 \
  X(GraphInstantiate, cuGraphInstantiateWithFlags, CUresult(CUgraphExec*, CUgraph, unsigned long long)) \
  X(GraphLaunch, cuGraphLaunch, CUresult(CUgraphExec, CUstream))                                        \
  X(GraphExecDestroy, cuGraphExecDestroy, CUresult(CUgraphExec))                                        \
  X(GraphDestroy, cuGraphDestroy, CUresult(CUgraph))

// The loaded driver of this machine. One per process.
class Driver {
 public:
  // Opens the driver. Fails with kBackend if it is missing, lacks a function, or is older than CUDA 12.
  static Result<const Driver*> Open();

#define ASSAY_CUDA_MEMBER(name, symbol, ...) std::add_pointer_t<__VA_ARGS__> name = nullptr;
  ASSAY_CUDA_DRIVER_FUNCTIONS(ASSAY_CUDA_MEMBER)
  ASSAY_CUDA_GRAPH_FUNCTIONS(ASSAY_CUDA_MEMBER)
#undef ASSAY_CUDA_MEMBER

  bool has_graphs() const { return has_graphs_; }
  // The driver's own version number: 12040 for CUDA 12.4.
  int version() const { return version_; }
  // Returns "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
  std::string NameOf(CUresult result) const;
  // Returns the error of a failed call: kLimit for memory, otherwise kBackend.
  Error ErrorOf(CUresult result, const std::string& call) const;

 private:
  Driver() = default;
  static Result<const Driver*> OpenOnce();

  int version_ = 0;
  bool has_graphs_ = false;
};

// Returns the error of a call from the enclosing function.
#define ASSAY_CUDA_CALL(driver, function, ...)                                                    \
  do {                                                                                            \
    if (const auto assay_result = (driver).function(__VA_ARGS__); assay_result != kCudaSuccess) { \
      return (driver).ErrorOf(assay_result, #function);                                           \
    }                                                                                             \
  } while (false)

}  // namespace assay::cuda
