// compile_kernels ARCHITECTURE...: compiles each file in the list on standard input with the NVRTC of this machine, for
// each architecture ("compute_90" gives PTX, "sm_90" machine code), and prints those that fail. Exits with 77 without
// NVRTC.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "backends/cuda/libraries/nvrtc.h"

int main(int argc, char** argv) {
  const assay::Result<const assay::cuda::Nvrtc*> nvrtc = assay::cuda::Nvrtc::Open();
  if (!nvrtc) {
    fmt::print("{}\n", nvrtc.error().message);
    return 77;
  }
  int compiled = 0, refused = 0;
  for (std::string path; std::getline(std::cin, path);) {
    std::ifstream stream(path);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    for (int i = 1; i < argc; ++i) {
      const assay::Result<std::string> code = (*nvrtc)->Compile(text, argv[i]);
      ++(code ? compiled : refused);
      if (!code) fmt::print("{} for {}: {}\n", path, argv[i], code.error().message);
    }
  }
  fmt::print("{} compiled, {} refused\n", compiled, refused);
  return refused == 0 && compiled > 0 ? 0 : 1;
}
