#include "fuzz/self/target.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "conformance/running/digest.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// The largest number of devices of a module that a target evaluates: each needs a thread.
constexpr std::int64_t kMostDevicesHere = 8;

}  // namespace

void Require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

std::unique_ptr<HloModule> ReadLegalModule(std::string_view text) {
  Result<std::unique_ptr<HloModule>> module = ParseHloModule(text);
  if (!module || !VerifyHloModule(**module) || (*module)->device_count() > kMostDevicesHere) return nullptr;
  if (!WithoutThrowing([&] { return Result(FillElidedConstants(**module, 0)); })) return nullptr;
  return *std::move(module);
}

std::uint64_t SeedOf(std::string_view text) {
  Digest digest;
  digest.Add(text);
  return digest.value();
}

TargetFolder::TargetFolder() { Require(!folder_.path().empty(), "there is a folder for temporary files"); }

std::string TargetFolder::Write(std::string_view name, std::string_view text) const {
  const std::filesystem::path path = std::filesystem::path(folder_.path()) / name;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  return path.string();
}

}  // namespace assay
