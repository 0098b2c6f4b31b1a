// SHA-256 (FIPS 180-4), the digest of exported files and of certificates.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Returns the digest as 64 lower-case hexadecimal digits.
std::string Sha256(std::string_view bytes);

}  // namespace assay
