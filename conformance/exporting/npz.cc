#include "conformance/exporting/npz.h"

#include <array>
#include <cstdint>

#include "conformance/cases/npy.h"

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

// Appends an unsigned number of some bytes, little-endian.
void Put(std::uint64_t number, int bytes, std::string& out) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> 8 * i & 255);
}

struct Entry {
  std::string name;
  std::uint32_t crc = 0;
  std::uint64_t size = 0, offset = 0;
};

// Appends the fields that the header before the data and the one in the directory share: stored, of 1980-01-01.
void PutHeader(const Entry& entry, std::string& out) {
  constexpr int kVersion = 20, kJanuaryFirst = 0x21;
  for (const int field : {kVersion, 0, 0, 0, kJanuaryFirst}) Put(static_cast<std::uint64_t>(field), 2, out);
  Put(entry.crc, 4, out);
  Put(entry.size, 4, out);  // compressed
  Put(entry.size, 4, out);
  Put(entry.name.size(), 2, out);
  Put(0, 2, out);  // no extra field
}

}  // namespace

std::string NpzBytes(std::span<const std::pair<std::string, Literal>> arrays) {
  std::string out, directory;
  for (const auto& [name, array] : arrays) {
    std::string npy;
    WriteNpy(array, [&](std::string_view piece) { npy += piece; });
    const Entry entry = {name + ".npy", Crc32(npy), npy.size(), out.size()};
    Put(0x04034b50, 4, out);
    PutHeader(entry, out);
    out += entry.name + npy;
    Put(0x02014b50, 4, directory);
    Put(20, 2, directory);
    PutHeader(entry, directory);
    Put(0, 10, directory);  // no comment, disk 0, no attributes
    Put(entry.offset, 4, directory);
    directory += entry.name;
  }
  const std::size_t start = out.size();
  out += directory;
  Put(0x06054b50, 4, out);
  Put(0, 4, out);
  Put(arrays.size(), 2, out);
  Put(arrays.size(), 2, out);
  Put(directory.size(), 4, out);
  Put(start, 4, out);
  Put(0, 2, out);
  return out;
}

}  // namespace assay
