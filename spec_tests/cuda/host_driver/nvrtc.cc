// A library with the C interface of NVRTC that compiles kernels with a host's compiler, to test the backend cuda
// without a device. It reads HOST_NVRTC_VERSION ("11.8"), HOST_NVRTC_FAILS (a text with this substring is refused), and
// HOST_NVRTC_LEAVES_OUT (the number, from 1, of the barrier that is removed from every kernel).
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "spec_tests/cuda/host_driver/prelude.h"

using namespace host_driver;

namespace {

struct Program {
  std::string text, code, log;
};

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The code depends on the checks, so that tests with checks have their own cache.
bool HasChecks() {
  const std::string value = Variable("HOST_DRIVER_CHECKS");
  return !value.empty() && value != "0";
}

std::string ContentOf(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Compiles `source` to `library`. Writes the compiler's messages to `log`. Returns true on success.
bool Compile(const std::string& source, const std::string& library, const std::string& log) {
  std::vector<const char*> arguments = {HOST_COMPILER,
                                        "-std=c++17",
                                        "-O1",
                                        "-w",
                                        "-shared",
                                        "-fPIC",
                                        "-fno-exceptions",
                                        "-fno-rtti",
                                        "-ffp-contract=off",
                                        "-fvisibility=hidden",
                                        "-fno-asynchronous-unwind-tables",
                                        "-nostdlib"};
  if (HasChecks()) {
    arguments.insert(arguments.end(),
                     {"-fsanitize=thread", "-DHOST_CHECKS", "--param", "tsan-instrument-func-entry-exit=0"});
  }
  arguments.insert(arguments.end(), {"-o", library.c_str(), source.c_str(), "-lm", nullptr});
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int result =
      posix_spawnp(&child, HOST_COMPILER, &actions, nullptr, const_cast<char* const*>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return result == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void LeaveOutBarrier(std::string& text, int number) {
  constexpr std::string_view kBarrier = "__syncthreads();";
  std::size_t at = text.find(kBarrier);
  while (at != std::string::npos && --number > 0) at = text.find(kBarrier, at + 1);
  if (at != std::string::npos) text.erase(at, kBarrier.size());
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  if (const std::string version = Variable("HOST_NVRTC_VERSION"); !version.empty()) {
    std::sscanf(version.c_str(), "%d.%d", major, minor);
  }
  return 0;
}

EXPORTED const char* nvrtcGetErrorString(int result) {
  return result == 0 ? "NVRTC_SUCCESS" : "NVRTC_ERROR_COMPILATION";
}

EXPORTED int nvrtcCreateProgram(Program** program, const char* text, const char*, int, const char* const*,
                                const char* const*) {
  *program = new Program{text, {}, {}};
  return 0;
}

EXPORTED int nvrtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return 0;
}

EXPORTED int nvrtcCompileProgram(Program* program, int, const char* const*) {
  const std::string refused = Variable("HOST_NVRTC_FAILS");
  if (!refused.empty() && program->text.find(refused) != std::string::npos) {
    program->log = "the text contains " + refused;
    return 6;
  }
  if (const std::string number = Variable("HOST_NVRTC_LEAVES_OUT"); !number.empty()) {
    LeaveOutBarrier(program->text, std::atoi(number.c_str()));
  }
  std::string folder = std::filesystem::temp_directory_path() / "host_nvrtc.XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return 6;
  const std::string source = folder + "/kernel.cc", library = folder + "/kernel.so", log = folder + "/log";
  std::ofstream(source) << kBefore << program->text << kBehind;
  const bool compiled = Compile(source, library, log);
  program->log = ContentOf(log);
  if (compiled) {
    const std::string bytes = ContentOf(library);
    CodeHead head = {};
    std::memcpy(head.mark, kMark.data(), kMark.size());
    head.bytes = bytes.size();
    const auto has = [&](const char* word) { return program->text.find(word) != std::string::npos; };
    head.has_barriers = has("__syncthreads") || has("__shfl") ? 1 : 0;
    program->code.assign(reinterpret_cast<const char*>(&head), sizeof(head));
    program->code += bytes;
  }
  for (const std::string& file : {source, library, log}) unlink(file.c_str());
  rmdir(folder.c_str());
  return compiled ? 0 : 6;
}

EXPORTED int nvrtcGetProgramLogSize(Program* program, std::size_t* size) {
  *size = program->log.size() + 1;
  return 0;
}
EXPORTED int nvrtcGetProgramLog(Program* program, char* log) {
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return 0;
}
EXPORTED int nvrtcGetCUBINSize(Program* program, std::size_t* size) {
  *size = program->code.size();
  return 0;
}
EXPORTED int nvrtcGetCUBIN(Program* program, char* code) {
  std::memcpy(code, program->code.data(), program->code.size());
  return 0;
}
EXPORTED int nvrtcGetPTXSize(Program* program, std::size_t* size) { return nvrtcGetCUBINSize(program, size); }
EXPORTED int nvrtcGetPTX(Program* program, char* code) { return nvrtcGetCUBIN(program, code); }
