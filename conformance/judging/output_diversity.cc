#include "conformance/judging/output_diversity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "interpreter/hlo/instruction_places.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// Most arrays of a small program have so few elements that to sort them is faster than to keep a set.
constexpr std::size_t kFew = 64;

// Counts the distinct values among up to kFew of up to 8 bytes each.
std::int64_t CountDistinctOfFew(std::string_view data, std::size_t bytes) {
  std::array<std::uint64_t, kFew> values = {};
  std::size_t count = 0;
  for (std::size_t at = 0; at < data.size(); at += bytes) std::memcpy(&values[count++], data.data() + at, bytes);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(values.begin(), end);
  return std::unique(values.begin(), end) - values.begin();
}

std::int64_t CountDistinct(const Literal& array) {
  const auto bytes = static_cast<std::size_t>(StorageBytes(array.element_type()));
  const std::string_view data(reinterpret_cast<const char*>(array.data()), array.element_count() * bytes);
  if (bytes <= sizeof(std::uint64_t) && data.size() <= kFew * bytes) return CountDistinctOfFew(data, bytes);
  std::unordered_set<std::string_view> values;
  for (std::size_t at = 0; at < data.size() && std::ssize(values) < kMostDistinctValues; at += bytes) {
    values.insert(data.substr(at, bytes));
  }
  return std::ssize(values);
}

void AddRealNumbers(const Literal& value, RealNumbers& numbers) {
  for (const Literal& element : value.elements()) AddRealNumbers(element, numbers);
  if (!value.shape().IsArray()) return;
  const PrimitiveType type = ComplexComponentType(value.element_type());
  if (!IsFloatingPointType(type)) return;
  const FloatFormat& format = FloatFormatOf(type);
  const std::int64_t bytes = StorageBytes(type), count = value.byte_size() / bytes;
  numbers.count += count;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, value.data() + i * bytes, bytes);
    numbers.nans += format.is_nan(bits) ? 1 : 0;
  }
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

RealNumbers CountRealNumbers(const Literal& value) {
  RealNumbers numbers;
  AddRealNumbers(value, numbers);
  return numbers;
}

std::string WeakEvidence(const HloModule& module, std::span<const std::int64_t> distinct_values) {
  const auto arrays = std::ssize(distinct_values), uniform = std::ranges::count(distinct_values, 1);
  std::string shown;
  if (arrays > 0 && uniform == arrays) {
    shown = "shows little: every array of the outputs has one distinct value";
  } else if (uniform > 0) {
    shown = fmt::format("shows little of {} of {} arrays of the outputs, which have one distinct value each", uniform,
                        arrays);
  }
  const InstructionPlaces places(*module.entry);
  std::vector<bool> is_needed(places.size());
  is_needed[places[module.entry->root]] = true;
  for (std::size_t place = places.size(); place-- > 0;) {
    if (!is_needed[place]) continue;
    for (const HloInstruction* operand : module.entry->instructions[place]->operands) is_needed[places[operand]] = true;
  }
  std::vector<std::string> unused;
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    if (!is_needed[places[parameter]]) unused.push_back(parameter->name);
  }
  if (unused.empty()) return shown;
  return fmt::format("{}{}nothing comes from {}", shown, shown.empty() ? "" : "; ", JoinText(unused, ", "));
}

}  // namespace assay
