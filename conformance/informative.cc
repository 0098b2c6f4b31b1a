#include "conformance/informative.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "conformance/computation_values.h"

namespace assay {
namespace {

std::int64_t CountDistinct(const Literal& array) {
  const auto bytes = static_cast<std::size_t>(StorageBytes(array.element_type()));
  const std::string_view data(reinterpret_cast<const char*>(array.data()), array.element_count() * bytes);
  std::unordered_set<std::string_view> values;
  for (std::size_t at = 0; at < data.size() && std::ssize(values) < kMostDistinctValues; at += bytes) {
    values.insert(data.substr(at, bytes));
  }
  return std::ssize(values);
}

void AddDistinct(const Literal& value, std::vector<std::int64_t>& counts) {
  for (const Literal& element : value.elements()) AddDistinct(element, counts);
  if (value.shape().IsArray() && value.element_count() > 1) counts.push_back(CountDistinct(value));
}

}  // namespace

std::vector<std::int64_t> DistinctValues(const Literal& value) {
  std::vector<std::int64_t> counts;
  AddDistinct(value, counts);
  return counts;
}

std::string LittleShown(const HloModule& module, std::span<const std::int64_t> distinct_values) {
  const auto arrays = std::ssize(distinct_values), uniform = std::ranges::count(distinct_values, 1);
  std::string shown;
  if (arrays > 0 && uniform == arrays) {
    shown = "shows little: every array of the outputs has one distinct value";
  } else if (uniform > 0) {
    shown = fmt::format("shows little of {} of {} arrays of the outputs, which have one distinct value each", uniform,
                        arrays);
  }
  const InstructionSet live = LiveInstructions(*module.entry);
  std::vector<std::string> unused;
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    if (!live.contains(parameter)) unused.push_back(parameter->name);
  }
  if (unused.empty()) return shown;
  return fmt::format("{}{}nothing comes from {}", shown, shown.empty() ? "" : "; ", fmt::join(unused, ", "));
}

}  // namespace assay
