// FNV-1a of 64 bits: a digest that detects changes. It is not cryptographic.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay {

class Digest {
 public:
  void Add(std::string_view bytes) {
    for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace assay
