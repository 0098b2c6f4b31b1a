#include <algorithm>
#include <charconv>

#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/verifier_rules.h"

namespace assay {
namespace {

// True for the sharding of a tuple, "{{...}, {...}}".
bool IsOfTuple(std::string_view sharding) { return sharding == "{}" || sharding.starts_with("{{"); }

// Returns the numbers that follow `key` up to the next "]" or blank.
std::vector<std::int64_t> NumbersAfter(std::string_view text, std::string_view key) {
  std::vector<std::int64_t> numbers;
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return numbers;
  const char* current = text.data() + at + key.size();
  const char* end = text.data() + text.size();
  std::int64_t number = 0;
  while (true) {
    const auto [next, code] = std::from_chars(current, end, number);
    if (code != std::errc()) return numbers;
    numbers.push_back(number);
    if (next == end || *next != ',') return numbers;
    current = next + 1;
  }
}

// Returns the number of dimensions of the tile assignment that are not dimensions of the array.
std::int64_t SubgroupDimensions(std::string_view text) {
  constexpr std::string_view kSubgroups = "last_tile_dims={";
  if (text.find("last_tile_dim_replicate") != std::string_view::npos) return 1;
  const std::size_t at = text.find(kSubgroups);
  if (at == std::string_view::npos) return 0;
  const std::string_view list = text.substr(at, text.find('}', at) - at);
  return std::ranges::count(list, ',') + 1;
}

void CheckArraySharding(const HloInstruction& instruction, const Shape& shape, std::string_view text,
                        ErrorList& errors) {
  const HloModule& module = *instruction.parent->module;
  const std::int64_t devices = module.device_count();
  for (std::int64_t device : NumbersAfter(text, "maximal device=")) {
    if (devices == 1 || (device >= 0 && device < devices)) continue;
    errors.Add(instruction, "the sharding names device {}, which is outside [0, {})", device, devices);
  }
  const std::vector<std::int64_t> tiles = NumbersAfter(text, "{devices=[");
  if (tiles.empty()) return;
  const auto rank = static_cast<std::int64_t>(tiles.size()) - SubgroupDimensions(text);
  if (!shape.IsArray() || rank != shape.rank()) {
    errors.Add(instruction, "the sharding {} has {} dimensions, {} has {}", text, rank, shape.ToStringWithoutLayout(),
               shape.rank());
  }
  std::int64_t count = 1;
  bool overflow = false;
  for (std::int64_t size : tiles) overflow |= size < 1 || __builtin_mul_overflow(count, size, &count);
  if (overflow || (devices != 1 && count > devices)) {
    errors.Add(instruction, "the sharding {} needs more than the {} devices of the module", text, devices);
  }
}

void Leaves(const Shape& shape, std::vector<const Shape*>& leaves) {
  if (!shape.IsTuple()) leaves.push_back(&shape);
  for (const Shape& element : shape.tuple_shapes()) {
    if (shape.IsTuple()) Leaves(element, leaves);
  }
}

}  // namespace

void CheckSharding(const HloInstruction& instruction, ErrorList& errors) {
  const auto sharding = instruction.annotations.find("sharding");
  if (sharding == instruction.annotations.end()) return;
  if (instruction.shape.IsToken()) return;  // a token has any: XLA's HloSharding::Validate
  if (!IsOfTuple(sharding->second)) {
    if (!instruction.shape.IsTuple()) CheckArraySharding(instruction, instruction.shape, sharding->second, errors);
    return;
  }
  const std::vector<std::string> elements = SplitShardings(sharding->second);
  std::vector<const Shape*> leaves;
  Leaves(instruction.shape, leaves);
  // The sharding of an empty tuple may have one element.
  const bool is_empty = leaves.empty() && elements.size() <= 1;
  if (!instruction.shape.IsTuple() || (elements.size() != leaves.size() && !is_empty)) {
    errors.Add(instruction, "the sharding is that of a tuple of {} arrays, found {}", elements.size(),
               instruction.shape.ToStringWithoutLayout());
    return;
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) CheckArraySharding(instruction, *leaves[i], elements[i], errors);
}

}  // namespace assay
