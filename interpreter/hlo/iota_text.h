// Device lists written as a reshaped, transposed iota: "<=[4,2]T(1,0)".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/text_parser.h"

namespace assay {

// The most devices that a text may list.
inline constexpr std::int64_t kMaxDevices = std::int64_t{1} << 22;

// The list 0, 1, ..., n-1 reshaped, transposed, and read in row-major order, represented as a walk: run i takes `size`
// steps of `stride`, the last run fastest. "<=[4,2]T(1,0)" is {2, stride 1}, {4, stride 2}.
class DeviceIota {
 public:
  // `permutation` must list each dimension of `dimensions` once; the product of `dimensions` must be at most
  // kMaxDevices.
  DeviceIota(const Int64List& dimensions, const Int64List& permutation);

  std::int64_t size() const;
  Int64List Devices() const;
  // The fewest dimensions of an iota whose transposition by `permutation` is the list.
  struct Form {
    Int64List dimensions, permutation;
  };
  Form ShortestForm() const;
  // Returns the text of that form: "[4,2]T(1,0)", "[8]".
  std::string ToString() const;
  // Returns the list reshaped to `dimensions` and transposed; nothing if that is not an iota.
  std::optional<DeviceIota> Transpose(const Int64List& dimensions, const Int64List& permutation) const;

 private:
  struct Run {
    std::int64_t size;
    std::int64_t stride;
  };
  DeviceIota() = default;
  void Simplify();

  std::vector<Run> runs_;
};

// Parses "[4,2]T(1,0)" or "[8]".
Result<DeviceIota> ParseDeviceIota(TextParser& parser);
// Returns the product of sizes from the text. Fails unless all are positive and the product is at most kMaxDevices.
Result<std::int64_t> DeviceCount(const Int64List& sizes, SourceLocation location);

}  // namespace assay
