// replay FOLDER...: runs a target of libFuzzer once on every file of its seeds, without libFuzzer. A file that ends the
// process, or for which the target finds that something does not hold, is the last one named.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/self/target.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  std::ofstream results;  // as those of spec_tests/catch_main.cc
  if (const char* path = std::getenv("ASSAY_TEST_RESULTS")) results.open(path, std::ios::trunc);
  const std::string target = fs::path(argv[0]).filename().string();
  for (int i = 1; i < argc; ++i) {
    const std::string name = target + " " + fs::path(argv[i]).filename().string();
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
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    results << "passed " << name << std::endl;
  }
  return argc > 1 ? 0 : 2;
}
