// replay TARGET FOLDER...: runs a target of libFuzzer once on every file of its seeds, without libFuzzer. If a file
// ends the process or violates an invariant of the target, it is the last one named.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/self/target.h"

namespace assay::fuzz_targets {
#define ASSAY_TARGET(name) void name(std::string_view text);
#include "fuzz/self/target_list.inc"
#undef ASSAY_TARGET
}  // namespace assay::fuzz_targets

namespace {

struct Target {
  std::string_view name;
  void (*run)(std::string_view text);
};

constexpr Target kTargets[] = {
#define ASSAY_TARGET(name) {#name, assay::fuzz_targets::name},
#include "fuzz/self/target_list.inc"
#undef ASSAY_TARGET
};

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  std::ofstream results;  // as those of spec_tests/catch_main.cc
  if (const char* path = std::getenv("ASSAY_TEST_RESULTS")) results.open(path, std::ios::trunc);
  const auto* target = std::ranges::find(kTargets, std::string_view(argc > 1 ? argv[1] : ""), &Target::name);
  if (target == std::end(kTargets) || argc < 3) {
    std::cerr << "usage: replay TARGET FOLDER...; the targets are those of fuzz/self/targets.txt" << std::endl;
    return 2;
  }
  for (int i = 2; i < argc; ++i) {
    const std::string name = "replay_" + std::string(target->name) + " " + fs::path(argv[i]).filename().string();
    results << "started " << name << std::endl;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(argv[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    if (files.empty()) {
      std::cout << argv[i] << " has no files" << std::endl;
      return 1;
    }
    for (const fs::path& path : files) {
      std::cout << path.string() << std::endl;
      std::ifstream file(path, std::ios::binary);
      target->run(std::string{std::istreambuf_iterator<char>(file), {}});
    }
    results << "passed " << name << std::endl;
  }
  return 0;
}
