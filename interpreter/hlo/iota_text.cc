#include "interpreter/hlo/iota_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/types/index_util.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/layout.h"

namespace assay {

DeviceIota::DeviceIota(const Int64List& dimensions, const Int64List& permutation) {
  const std::vector<std::int64_t> strides = RowMajorStrides(dimensions);
  for (const std::int64_t d : permutation) runs_.push_back({dimensions[d], strides[d]});
  Simplify();
}

// Removes runs of size 1, and merges a run into the previous one if their strides match.
void DeviceIota::Simplify() {
  std::vector<Run> simple;
  for (const Run& run : runs_) {
    if (run.size == 1) continue;
    if (!simple.empty() && simple.back().stride == run.size * run.stride) {
      simple.back() = {simple.back().size * run.size, run.stride};
    } else {
      simple.push_back(run);
    }
  }
  if (simple.empty()) simple.push_back({1, 1});
  runs_ = std::move(simple);
}

std::int64_t DeviceIota::size() const {
  std::int64_t size = 1;
  for (const Run& run : runs_) size *= run.size;
  return size;
}

Int64List DeviceIota::Devices() const {
  Int64List sizes;
  std::vector<std::int64_t> strides[1];
  for (const Run& run : runs_) {
    sizes.push_back(run.size);
    strides[0].push_back(run.stride);
  }
  Int64List devices;
  devices.reserve(size());
  StridedWalk<1>(sizes, strides).ForEach({0}, [&](const std::int64_t(&device)[1]) { devices.push_back(device[0]); });
  return devices;
}

DeviceIota::Form DeviceIota::ShortestForm() const {
  // The dimensions of the iota before the transposition are the runs, by falling stride.
  Int64List order(runs_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  std::ranges::sort(order, std::ranges::greater{}, [&](std::int64_t i) { return runs_[i].stride; });
  Form form = {Int64List(runs_.size()), Int64List(runs_.size())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    form.dimensions[i] = runs_[order[i]].size;
    form.permutation[order[i]] = static_cast<std::int64_t>(i);
  }
  return form;
}

std::string DeviceIota::ToString() const {
  const Form form = ShortestForm();
  std::string text = fmt::format("[{}]", JoinText(form.dimensions, ","));
  if (runs_.size() > 1) text += fmt::format("T({})", JoinText(form.permutation, ","));
  return text;
}

std::optional<DeviceIota> DeviceIota::Transpose(const Int64List& dimensions, const Int64List& permutation) const {
  // Assigns runs to the dimensions that they step through; splits a run that belongs to two dimensions.
  std::vector<std::vector<Run>> parts(dimensions.size());
  std::vector<Run> rest(runs_.rbegin(), runs_.rend());
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    for (std::int64_t open = dimensions[d]; open > 1;) {
      if (rest.empty()) return std::nullopt;
      Run& run = rest.back();
      if (open % run.size == 0) {
        parts[d].push_back(run);
        open /= run.size;
        rest.pop_back();
      } else if (run.size % open == 0) {
        run.size /= open;
        parts[d].push_back({open, run.stride * run.size});
        open = 1;
      } else {
        return std::nullopt;
      }
    }
  }
  DeviceIota result;
  for (const std::int64_t d : permutation) result.runs_.insert(result.runs_.end(), parts[d].begin(), parts[d].end());
  result.Simplify();
  return result;
}

Result<std::int64_t> DeviceCount(const Int64List& sizes, SourceLocation location) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) {
    if (size <= 0) return TextParser::FailAt(location, "the number of devices is positive");
    if (__builtin_mul_overflow(count, size, &count) || count > kMaxDevices) {
      return TextParser::FailAt(location, fmt::format("more than {} devices", kMaxDevices));
    }
  }
  return count;
}

Result<DeviceIota> ParseDeviceIota(TextParser& parser) {
  SourceLocation location = parser.token().location;
  ASSAY_TRY(const Int64List dimensions, parser.ParseIntegers("[", "]"));
  if (dimensions.empty()) return TextParser::FailAt(location, "an iota has at least one dimension");
  ASSAY_TRY([[maybe_unused]] const std::int64_t count, DeviceCount(dimensions, location));
  if (dimensions.size() == 1) return DeviceIota(dimensions, {0});
  if (!parser.Is(TokenKind::kIdentifier) || parser.token().text != "T") {
    return parser.Expected("the permutation T(...) of an iota of several dimensions");
  }
  parser.Next();
  location = parser.token().location;
  ASSAY_TRY(const Int64List permutation, parser.ParseIntegers("(", ")"));
  if (permutation.size() != dimensions.size() || !LayoutUtil::IsPermutation(permutation)) {
    return TextParser::FailAt(location, fmt::format("T lists each of 0 to {} once", dimensions.size() - 1));
  }
  return DeviceIota(dimensions, permutation);
}

}  // namespace assay
