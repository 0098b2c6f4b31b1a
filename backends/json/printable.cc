#include "backends/json/printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace assay {
namespace {

// Returns the number of bytes of the character at the start of the text; 0 for invalid UTF-8 and for a control
// character.
std::size_t PrintableBytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return 0;
  std::uint32_t code = first & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  // Rejects overlong encodings, the C1 control characters, surrogates, and code points beyond U+10FFFF.
  constexpr std::uint32_t kLeast[] = {0, 0, 0xa0, 0x800, 0x10000};
  return code < kLeast[bytes] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : bytes;
}

}  // namespace

std::string Printable(std::string_view text, Lines lines, std::size_t longest) {
  std::string shown;
  for (std::string_view rest = text; !rest.empty();) {
    if (shown.size() >= longest) return shown + fmt::format("... ({} bytes)", text.size());
    const bool is_space = lines == Lines::kMany && (rest[0] == '\n' || rest[0] == '\t');
    const std::size_t bytes = is_space ? 1 : PrintableBytes(rest);
    if (bytes > 0) {
      shown += rest.substr(0, bytes);
    } else {
      shown += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(rest[0]));
    }
    rest.remove_prefix(bytes > 0 ? bytes : 1);
  }
  return shown;
}

}  // namespace assay
