// usage: convert_helper FROM COUNT TO...
// Reads COUNT elements of FROM from standard input and writes them converted to each TO, one array after the other.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "interpreter/numerics/convert.h"

int main(int argc, char** argv) {
  using namespace assay;
  if (argc < 4) return 2;
  const auto from = PrimitiveTypeFromName(argv[1]);
  if (!from) return 2;
  const auto count = static_cast<std::size_t>(std::atoll(argv[2]));
  std::vector<std::byte> in(count * static_cast<std::size_t>(StorageBytes(*from)));
  if (std::fread(in.data(), 1, in.size(), stdin) != in.size()) return 3;
  for (int i = 3; i < argc; ++i) {
    const auto to = PrimitiveTypeFromName(argv[i]);
    if (!to) return 2;
    std::vector<std::byte> out(count * static_cast<std::size_t>(StorageBytes(*to)));
    Convert(*from, in.data(), *to, out.data(), static_cast<std::int64_t>(count));
    if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size()) return 3;
  }
  return 0;
}
