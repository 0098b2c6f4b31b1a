// Readers of the primitives of MLIR's bytecode: bytes, varints, strings, sections.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/result.h"

namespace assay::stablehlo {

// The bytes of a file, and the first error in them. After an error every read returns zero, and every loop over the
// bytes ends.
class BytecodeFile {
 public:
  explicit BytecodeFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes() const { return bytes_; }
  bool ok() const { return !error_; }
  Error TakeError() { return *std::move(error_); }
  // Keeps the error if it is the first: "offset 12: in vhlo.add_v1 of StableHLO_v1.0.0: MESSAGE".
  void Fail(std::size_t offset, std::string message, ErrorCode code = ErrorCode::kParse);

  // Accounts for the memory of a value, so that a few bytes that refer to each other cannot expand to gigabytes.
  void Charge(std::size_t bytes, std::size_t offset);
  std::size_t charged() const { return charged_; }

  // Parts of error messages: the operation that is being read, and the writer of the file.
  std::string_view operation;
  std::string producer;

 private:
  std::string_view bytes_;
  std::optional<Error> error_;
  std::size_t charged_ = 0;
};

// A position in a part of the file.
class Cursor {
 public:
  Cursor() = default;
  Cursor(BytecodeFile& file, std::size_t begin, std::size_t end) : file_(&file), offset_(begin), end_(end) {}

  bool ok() const { return file_->ok(); }
  bool AtEnd() const { return !ok() || offset_ == end_; }
  std::size_t offset() const { return offset_; }
  BytecodeFile& file() { return *file_; }
  void Fail(std::string message, ErrorCode code = ErrorCode::kParse) { file_->Fail(offset_, std::move(message), code); }

  std::uint8_t Byte();
  // Reads a prefix varint: the low zero bits of the first byte count the bytes that follow.
  std::uint64_t Varint();
  // Reads a varint in zigzag form.
  std::int64_t SignedVarint();
  struct Flagged {
    std::uint64_t value = 0;
    bool flag = false;
  };
  Flagged FlaggedVarint();
  // Reads the bits of an integer or a float of `width` bits: a byte up to 8 bits, otherwise a signed varint.
  std::uint64_t Bits(int width);
  double Double() { return std::bit_cast<double>(Bits(64)); }
  // Reads the number of elements of a list. Each element needs at least one byte, so damaged bytes cannot cause a large
  // allocation.
  std::size_t Count();
  // Reads a number below `size`; `what` names the counted things in errors.
  std::size_t Index(std::size_t size, std::string_view what);
  std::vector<std::int64_t> SignedVarints();
  std::string_view Bytes(std::uint64_t count);
  // Reads a varint and that many bytes.
  std::string_view Blob() { return Bytes(Varint()); }
  // Reads text up to a zero byte.
  std::string_view Text();
  // Skips the padding of 0xCB up to a multiple of `alignment`.
  void Align(std::uint64_t alignment);

  struct Section {
    int id = 0;
    std::size_t begin = 0, end = 0;
  };
  Section NextSection();

 private:
  BytecodeFile* file_ = nullptr;
  std::size_t offset_ = 0, end_ = 0;
};

}  // namespace assay::stablehlo
