#include "conformance/exporting/npz.h"

#include <cstdint>

#include "conformance/cases/npy.h"
#include "conformance/exporting/zip_headers.h"

namespace assay {
namespace {

// The check sum of ZIP: CRC-32 with the reflected polynomial.
std::uint32_t Crc32(std::string_view bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

}  // namespace

std::string NpzBytes(std::span<const std::pair<std::string, Literal>> arrays) {
  std::string out, directory;
  for (const auto& [name, array] : arrays) {
    std::string npy;
    WriteNpy(array, [&](std::string_view piece) { npy += piece; });
    const ZipEntry entry = {name + ".npy", Crc32(npy), npy.size(), out.size()};
    out += ZipFileHeader(entry) + npy;
    directory += ZipDirectoryEntry(entry);
  }
  return out + directory + ZipEnd(arrays.size(), directory.size(), out.size());
}

}  // namespace assay
