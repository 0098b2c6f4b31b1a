// The headers of an archive beyond 4 GiB, field by field as APPNOTE.TXT 4.3 and 4.5.3 have them.
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/exporting/npz.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

constexpr std::uint64_t kElsewhere = 0xffffffff, kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kEnd64 = 0x06064b50, kEnd = 0x06054b50;

// Returns an unsigned little-endian number.
std::uint64_t NumberAt(std::string_view bytes, std::size_t at, int size) {
  REQUIRE(at + static_cast<std::size_t>(size) <= bytes.size());
  std::uint64_t number = 0;
  for (int i = size - 1; i >= 0; --i) {
    number = number << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return number;
}

constexpr std::size_t kFileHeader = 30, kDirectoryEntry = 46;

TEST_CASE("a small file has its sizes and its offset in 32 bits", "[conformance]") {
  const ZipEntry entry = {"a.npy", 7, 5, 9};
  const std::string header = ZipFileHeader(entry), directory = ZipDirectoryEntry(entry);
  CHECK(header.size() == kFileHeader + 5);
  CHECK(NumberAt(header, 4, 2) == 20);
  CHECK(NumberAt(header, 18, 4) == 5);
  CHECK(NumberAt(header, 22, 4) == 5);
  CHECK(directory.size() == kDirectoryEntry + 5);
  CHECK(NumberAt(directory, 42, 4) == 9);
}

TEST_CASE("a file of 4 GiB or more has its size in a field of ZIP64", "[conformance]") {
  for (const std::uint64_t size : {kElsewhere, 4 * kGiB, 5 * kGiB + 3}) {
    const ZipEntry entry = {"a", 7, size, 9};
    const std::string header = ZipFileHeader(entry), directory = ZipDirectoryEntry(entry);
    CHECK(NumberAt(header, 4, 2) == 45);
    CHECK(NumberAt(header, 18, 4) == kElsewhere);
    CHECK(NumberAt(header, 22, 4) == kElsewhere);
    CHECK(NumberAt(header, 28, 2) == 20);  // the extra bytes, after the name
    CHECK(NumberAt(header, kFileHeader + 1, 2) == 1);
    CHECK(NumberAt(header, kFileHeader + 3, 2) == 16);
    CHECK(NumberAt(header, kFileHeader + 5, 8) == size);
    CHECK(NumberAt(header, kFileHeader + 13, 8) == size);
    CHECK(NumberAt(directory, 42, 4) == 9);
    CHECK(NumberAt(directory, kDirectoryEntry + 3, 2) == 16);
  }
  CHECK(NumberAt(ZipFileHeader({"a", 7, kElsewhere - 1, 0}), 22, 4) == kElsewhere - 1);
}

TEST_CASE("a small file behind 4 GiB has its offset in a field of ZIP64", "[conformance]") {
  const std::string directory = ZipDirectoryEntry({"a", 7, 5, 5 * kGiB});
  CHECK(NumberAt(directory, 20, 4) == 5);
  CHECK(NumberAt(directory, 42, 4) == kElsewhere);
  CHECK(NumberAt(directory, kDirectoryEntry + 3, 2) == 8);
  CHECK(NumberAt(directory, kDirectoryEntry + 5, 8) == 5 * kGiB);
}

TEST_CASE("an archive beyond 4 GiB or of 65,535 files ends with a record of ZIP64", "[conformance]") {
  CHECK(ZipEnd(3, 100, 1000).size() == 22);
  const std::uint64_t start = 5 * kGiB;
  const std::string end = ZipEnd(3, 100, start);
  REQUIRE(end.size() == 56 + 20 + 22);
  CHECK(NumberAt(end, 0, 4) == kEnd64);
  CHECK(NumberAt(end, 32, 8) == 3);
  CHECK(NumberAt(end, 40, 8) == 100);
  CHECK(NumberAt(end, 48, 8) == start);
  CHECK(NumberAt(end, 56 + 8, 8) == start + 100);  // the record's place
  CHECK(NumberAt(end, 76, 4) == kEnd);
  CHECK(NumberAt(end, 76 + 10, 2) == 3);
  CHECK(NumberAt(end, 76 + 16, 4) == kElsewhere);
  const std::string many = ZipEnd(70000, 100, 1000);
  REQUIRE(many.size() == end.size());
  CHECK(NumberAt(many, 32, 8) == 70000);
  CHECK(NumberAt(many, 76 + 10, 2) == 0xffff);
}

}  // namespace
}  // namespace assay::testing
