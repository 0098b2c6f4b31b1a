// NVRTC, the library that compiles CUDA C++ text at run time.
#pragma once

#include <cstddef>
#include <string>

#include "interpreter/types/result.h"

namespace assay::cuda {

using nvrtcResult = int;
using nvrtcProgram = struct _nvrtcProgram*;

#define ASSAY_NVRTC_FUNCTIONS(X)                                                                       \
  X(Version, nvrtcVersion, nvrtcResult(int*, int*))                                                    \
  X(GetErrorString, nvrtcGetErrorString, const char*(nvrtcResult))                                     \
  X(CreateProgram, nvrtcCreateProgram,                                                                 \
    nvrtcResult(nvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*)) \
  X(DestroyProgram, nvrtcDestroyProgram, nvrtcResult(nvrtcProgram*))                                   \
  X(CompileProgram, nvrtcCompileProgram, nvrtcResult(nvrtcProgram, int, const char* const*))           \
  X(GetProgramLogSize, nvrtcGetProgramLogSize, nvrtcResult(nvrtcProgram, std::size_t*))                \
  X(GetProgramLog, nvrtcGetProgramLog, nvrtcResult(nvrtcProgram, char*))                               \
  X(GetPtxSize, nvrtcGetPTXSize, nvrtcResult(nvrtcProgram, std::size_t*))                              \
  X(GetPtx, nvrtcGetPTX, nvrtcResult(nvrtcProgram, char*))                                             \
  X(GetCubinSize, nvrtcGetCUBINSize, nvrtcResult(nvrtcProgram, std::size_t*))                          \
  X(GetCubin, nvrtcGetCUBIN, nvrtcResult(nvrtcProgram, char*))

class Nvrtc {
 public:
  // Opens the library once per process. Fails with kBackend if it is missing, lacks a function, or is older than CUDA
  // 12.
  static Result<const Nvrtc*> Open();

  // The version, such as "13.0".
  const std::string& version() const { return version_; }
  // Returns the settings that determine the machine code besides the text: options and version.
  std::string Settings(const std::string& architecture) const;

  // Compiles the text for an architecture: "sm_90" yields machine code, "compute_90" PTX. Fails with kUnsupported; the
  // message contains the compiler's log.
  Result<std::string> Compile(const std::string& text, const std::string& architecture) const;

 private:
  Nvrtc() = default;
  static Result<const Nvrtc*> OpenOnce();
  Result<std::string> CodeOf(nvrtcProgram program, bool is_machine_code) const;
  std::string LogOf(nvrtcProgram program) const;

#define ASSAY_NVRTC_MEMBER(name, symbol, ...) std::add_pointer_t<__VA_ARGS__> name = nullptr;
  ASSAY_NVRTC_FUNCTIONS(ASSAY_NVRTC_MEMBER)
#undef ASSAY_NVRTC_MEMBER

  std::string version_;
};

}  // namespace assay::cuda
