#include "interpreter/stablehlo/bytecode_cursor.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace assay::stablehlo {

void BytecodeFile::Fail(std::size_t offset, std::string message, ErrorCode code) {
  if (error_) return;
  std::string place = fmt::format("offset {}: ", offset);
  if (!operation.empty()) place += fmt::format("in {}{}{}: ", operation, producer.empty() ? "" : " of ", producer);
  error_ = Error{code, place + message};
}

void BytecodeFile::Charge(std::size_t bytes, std::size_t offset) {
  charged_ += bytes;
  const std::size_t limit = (std::size_t{256} << 20) + 256 * bytes_.size();
  if (charged_ > limit) {
    Fail(offset, fmt::format("attributes and types must fit in {} bytes: they refer to each other too often", limit),
         ErrorCode::kLimit);
  }
}

std::uint8_t Cursor::Byte() {
  if (!ok()) return 0;
  if (offset_ == end_) {
    Fail("expected another byte, found the end of the section");
    return 0;
  }
  return static_cast<std::uint8_t>(file_->bytes()[offset_++]);
}

std::uint64_t Cursor::Varint() {
  const std::uint8_t first = Byte();
  if (first & 1) return first >> 1;
  const int more = first == 0 ? 8 : std::countr_zero(first);
  std::uint64_t value = 0;
  for (int i = 0; i < more; ++i) value |= std::uint64_t{Byte()} << (8 * i);
  if (!ok()) return 0;
  return more == 8 ? value : (value << (7 - more)) | (first >> (more + 1));
}

std::int64_t Cursor::SignedVarint() {
  const std::uint64_t value = Varint();
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

Cursor::Flagged Cursor::FlaggedVarint() {
  const std::uint64_t value = Varint();
  return {value >> 1, (value & 1) != 0};
}

std::uint64_t Cursor::Bits(int width) {
  if (width <= 8) return Byte() & ((1u << width) - 1);
  const std::uint64_t value = static_cast<std::uint64_t>(SignedVarint());
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

std::size_t Cursor::Count() {
  const std::uint64_t count = Varint();
  if (ok() && count > end_ - offset_) {
    Fail(fmt::format("a list of {} elements must fit in the section, which has {} more bytes", count, end_ - offset_));
  }
  return ok() ? count : 0;
}

std::size_t Cursor::Index(std::size_t size, std::string_view what) {
  const std::uint64_t index = Varint();
  if (ok() && index >= size) Fail(fmt::format("the index of {} must be below {}, found {}", what, size, index));
  return ok() ? index : 0;
}

std::vector<std::int64_t> Cursor::SignedVarints() {
  std::vector<std::int64_t> values(Count());
  for (std::int64_t& value : values) value = SignedVarint();
  return values;
}

std::string_view Cursor::Bytes(std::uint64_t count) {
  if (ok() && count > end_ - offset_) {
    Fail(fmt::format("expected {} bytes, found {} before the end of the section", count, end_ - offset_));
  }
  if (!ok()) return {};
  const std::string_view bytes = file_->bytes().substr(offset_, count);
  offset_ += count;
  return bytes;
}

std::string_view Cursor::Text() {
  if (!ok()) return {};
  const std::string_view rest = file_->bytes().substr(offset_, end_ - offset_);
  const std::size_t size = rest.find('\0');
  if (size == std::string_view::npos) {
    Fail("expected text that ends with a zero byte");
    return {};
  }
  offset_ += size + 1;
  return rest.substr(0, size);
}

void Cursor::Align(std::uint64_t alignment) {
  if (ok() && !std::has_single_bit(alignment)) {
    Fail(fmt::format("an alignment must be a power of two, found {}", alignment));
  }
  while (ok() && (offset_ & (alignment - 1)) != 0) {
    if (Byte() != 0xCB && ok()) Fail("expected padding of 0xcb");
  }
}

Cursor::Section Cursor::NextSection() {
  const std::uint8_t id = Byte();
  const std::uint64_t size = Varint();
  if (id & 0x80) Align(Varint());
  const std::size_t begin = offset_;
  Bytes(size);
  return {id & 0x7f, begin, offset_};
}

}  // namespace assay::stablehlo
