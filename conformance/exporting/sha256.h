// SHA-256, the digest of exported files and of certificates: anybody can compute it again.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Returns 64 hexadecimal digits.
std::string Sha256(std::string_view bytes);

}  // namespace assay
