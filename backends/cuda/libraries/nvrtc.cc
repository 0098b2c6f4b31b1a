#include "backends/cuda/libraries/nvrtc.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <vector>

#include "backends/cuda/libraries/dynamic_library.h"
#include "interpreter/types/join_text.h"

namespace assay::cuda {
namespace {

constexpr int kOldestMajor = 12;
constexpr std::string_view kNvrtcFiles[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

// Each float operation rounds once, in program order, and keeps subnormal numbers. The functions of the text are device
// functions without an annotation.
constexpr const char* kOptions[] = {"--std=c++17",       "--fmad=false", "--prec-div=true",
                                    "--prec-sqrt=true",  "--ftz=false",  "--device-as-default-execution-space",
                                    "--disable-warnings"};

}  // namespace

Result<const Nvrtc*> Nvrtc::Open() {
  static const Result<const Nvrtc*> opened = OpenOnce();
  return opened;
}

Result<const Nvrtc*> Nvrtc::OpenOnce() {
  ASSAY_TRY(const DynamicLibrary library,
            DynamicLibrary::Open("CUDA's run-time compiler, libnvrtc.so,", kNvrtcFiles, "ASSAY_CUDA_NVRTC"));
  std::unique_ptr<Nvrtc> nvrtc(new Nvrtc());
#define ASSAY_NVRTC_FIND(name, symbol, ...)                                                       \
  nvrtc->name = reinterpret_cast<std::add_pointer_t<__VA_ARGS__>>(library.Find(#symbol));         \
  if (nvrtc->name == nullptr) {                                                                   \
    return Error{ErrorCode::kBackend, fmt::format("NVRTC {} lacks {}", library.path(), #symbol)}; \
  }
  ASSAY_NVRTC_FUNCTIONS(ASSAY_NVRTC_FIND)
#undef ASSAY_NVRTC_FIND
  int major = 0, minor = 0;
  if (nvrtc->Version(&major, &minor) != 0 || major < kOldestMajor) {
    return Error{ErrorCode::kBackend, fmt::format("NVRTC {} is of CUDA {}.{}, the backend cuda needs {}.0 or newer",
                                                  library.path(), major, minor, kOldestMajor)};
  }
  nvrtc->version_ = fmt::format("{}.{}", major, minor);
  library.OpenBeside(fmt::format("libnvrtc-builtins.so.{}", nvrtc->version_));
  return nvrtc.release();  // stays loaded, like the library
}

std::string Nvrtc::Settings(const std::string& architecture) const {
  const std::vector<std::string_view> options(std::begin(kOptions), std::end(kOptions));
  return fmt::format("nvrtc {} {} {}", version_, architecture, JoinText(options, " "));
}

Result<std::string> Nvrtc::Compile(const std::string& text, const std::string& architecture) const {
  nvrtcProgram program = nullptr;
  if (const auto result = CreateProgram(&program, text.c_str(), "kernel.cu", 0, nullptr, nullptr); result != 0) {
    return Error{ErrorCode::kUnsupported, fmt::format("NVRTC: {}", GetErrorString(result))};
  }
  const std::string target = "--gpu-architecture=" + architecture;
  std::vector<const char*> options(std::begin(kOptions), std::end(kOptions));
  options.push_back(target.c_str());
  const nvrtcResult result = CompileProgram(program, static_cast<int>(options.size()), options.data());
  Result<std::string> code = result == 0 ? CodeOf(program, architecture.starts_with("sm_"))
                                         : Error{ErrorCode::kUnsupported,
                                                 fmt::format("NVRTC: {}\n{}", GetErrorString(result), LogOf(program))};
  DestroyProgram(&program);
  return code;
}

Result<std::string> Nvrtc::CodeOf(nvrtcProgram program, bool is_machine_code) const {
  std::size_t size = 0;
  nvrtcResult result = (is_machine_code ? GetCubinSize : GetPtxSize)(program, &size);
  std::string code(size, '\0');
  if (result == 0) result = (is_machine_code ? GetCubin : GetPtx)(program, code.data());
  if (result != 0) return Error{ErrorCode::kUnsupported, fmt::format("NVRTC: {}", GetErrorString(result))};
  return code;
}

std::string Nvrtc::LogOf(nvrtcProgram program) const {
  std::size_t size = 0;
  if (GetProgramLogSize(program, &size) != 0 || size == 0) return {};
  std::string log(size, '\0');
  if (GetProgramLog(program, log.data()) != 0) return {};
  log.resize(log.find('\0') == std::string::npos ? log.size() : log.find('\0'));
  return log;
}

}  // namespace assay::cuda
