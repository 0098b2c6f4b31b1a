// NumPy's .npz files: a ZIP archive with an uncompressed .npy file for each array.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "interpreter/types/literal.h"

namespace assay {

// Returns the bytes of a .npz file with these arrays by name. .npy must be able to name their types
// (conformance/cases/npy.h).
std::string NpzBytes(std::span<const std::pair<std::string, Literal>> arrays);

// The headers of a ZIP archive of stored files, in the form ZIP64 for sizes and offsets that 32 bits do not hold
// (PKWARE, APPNOTE.TXT 4.3 and 4.5.3).

struct ZipEntry {
  std::string name;
  std::uint32_t crc = 0;
  std::uint64_t size = 0, offset = 0;  // offset: of the file's header from the begin of the archive
};

// Returns the header in front of a file's bytes.
std::string ZipFileHeader(const ZipEntry& entry);
// Returns the file's entry in the directory, which follows all files.
std::string ZipDirectoryEntry(const ZipEntry& entry);
// Returns the end of an archive whose directory has `entries` entries and `size` bytes and begins at byte `start`.
std::string ZipEnd(std::uint64_t entries, std::uint64_t size, std::uint64_t start);

}  // namespace assay
