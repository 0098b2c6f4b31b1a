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

#define ASSAY_TARGET(name) ASSAY_DECLARE_FUZZ_TARGET(name)
#include "fuzz/self/target_list.inc"
#undef ASSAY_TARGET

namespace {

struct Target {
  std::string_view name;
  int (*run)(const std::uint8_t* data, std::size_t size);
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
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      target->run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    results << "passed " << name << std::endl;
  }
  return 0;
}
