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

// Most devices that a text may ask to be listed.
inline constexpr std::int64_t kMaxDevices = std::int64_t{1} << 22;

// 0, 1, ..., n-1 reshaped, transposed, and listed in row-major order, seen as the walk that gives the list: run i steps
// `size` times by `stride`, the last run fastest. "<=[4,2]T(1,0)" is {2, stride 1}, {4, stride 2}.
class DeviceIota {
 public:
  // `permutation` lists each dimension of `dimensions` once; the product of these is at most kMaxDevices.
  DeviceIota(const Int64List& dimensions, const Int64List& permutation);

  std::int64_t size() const;
  Int64List Devices() const;
  // In the fewest dimensions: "[4,2]T(1,0)", "[8]".
  std::string ToString() const;
  // The list read as an array of `dimensions` and transposed, where that is an iota again.
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

// "[4,2]T(1,0)" or "[8]".
Result<DeviceIota> ParseDeviceIota(TextParser& parser);
// The product of sizes from the text; an error unless all are positive and it is at most kMaxDevices.
Result<std::int64_t> DeviceCount(const Int64List& sizes, SourceLocation location);

}  // namespace assay
