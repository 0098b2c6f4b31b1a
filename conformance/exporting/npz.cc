#include "conformance/exporting/npz.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

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

namespace {

// The number in place of one that has too many bits: the true number is in an extra field or record of ZIP64.
constexpr std::uint64_t kElsewhere16 = 0xffff, kElsewhere32 = 0xffffffff;
constexpr std::uint64_t kVersionToExtract = 20, kVersionOfZip64 = 45, kJanuaryFirst1980 = 0x21;

// Appends an unsigned number of some bytes, little-endian.
void Put(std::uint64_t number, int bytes, std::string& out) {
  for (int i = 0; i < bytes; ++i, number >>= 8) out += static_cast<char>(number & 255);
}

std::uint64_t In32(std::uint64_t number) { return std::min(number, kElsewhere32); }

// Returns the extra field with those numbers that 32 bits do not hold; an empty text if there are none.
std::string Zip64Field(std::initializer_list<std::uint64_t> numbers) {
  std::string large;
  for (const std::uint64_t number : numbers) {
    if (number >= kElsewhere32) Put(number, 8, large);
  }
  if (large.empty()) return "";
  std::string field;
  Put(1, 2, field);
  Put(large.size(), 2, field);
  return field + large;
}

// Appends the fields that the header before the data and the one in the directory share.
void PutShared(const ZipEntry& entry, const std::string& extra, std::string& out) {
  Put(extra.empty() ? kVersionToExtract : kVersionOfZip64, 2, out);
  Put(0, 6, out);  // no flags, stored, midnight
  Put(kJanuaryFirst1980, 2, out);
  Put(entry.crc, 4, out);
  Put(In32(entry.size), 4, out);  // compressed
  Put(In32(entry.size), 4, out);
  Put(entry.name.size(), 2, out);
  Put(extra.size(), 2, out);
}

}  // namespace

std::string ZipFileHeader(const ZipEntry& entry) {
  const std::string extra = Zip64Field({entry.size, entry.size});
  std::string out;
  Put(0x04034b50, 4, out);
  PutShared(entry, extra, out);
  return out + entry.name + extra;
}

std::string ZipDirectoryEntry(const ZipEntry& entry) {
  const std::string extra = Zip64Field({entry.size, entry.size, entry.offset});
  std::string out;
  Put(0x02014b50, 4, out);
  Put(extra.empty() ? kVersionToExtract : kVersionOfZip64, 2, out);
  PutShared(entry, extra, out);
  Put(0, 10, out);  // no comment, disk 0, no attributes
  Put(In32(entry.offset), 4, out);
  return out + entry.name + extra;
}

std::string ZipEnd(std::uint64_t entries, std::uint64_t size, std::uint64_t start) {
  std::string out;
  if (entries >= kElsewhere16 || size >= kElsewhere32 || start >= kElsewhere32) {
    Put(0x06064b50, 4, out);
    Put(44, 8, out);  // the bytes of this record after this field
    Put(kVersionOfZip64, 2, out);
    Put(kVersionOfZip64, 2, out);
    Put(0, 8, out);  // disk 0
    for (const std::uint64_t number : {entries, entries, size, start}) Put(number, 8, out);
    Put(0x07064b50, 4, out);  // the locator of the record
    Put(0, 4, out);
    Put(start + size, 8, out);
    Put(1, 4, out);  // one disk
  }
  Put(0x06054b50, 4, out);
  Put(0, 4, out);
  Put(std::min(entries, kElsewhere16), 2, out);
  Put(std::min(entries, kElsewhere16), 2, out);
  Put(In32(size), 4, out);
  Put(In32(start), 4, out);
  Put(0, 2, out);  // no comment
  return out;
}

}  // namespace assay
