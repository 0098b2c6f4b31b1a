#include "backends/mutant/damage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/reference/reference.h"

namespace assay {
namespace {

// Clears the elements from `first` on: zero bits, whatever the type.
void ClearFrom(Literal& array, std::int64_t first) {
  if (array.element_count() <= first) return;
  const std::int64_t bytes = StorageBytes(array.element_type());
  std::memset(array.mutable_data() + first * bytes, 0,
              static_cast<std::size_t>((array.element_count() - first) * bytes));
}

// Overwrites the last row of each dimension of odd extent above `most` with the row before it.
void RepeatBeforeLast(Literal& array, std::int64_t most) {
  const Shape& shape = array.shape();
  std::int64_t inner = StorageBytes(array.element_type());
  for (std::int64_t d = shape.rank() - 1; d >= 0; --d) {
    const std::int64_t extent = shape.dimensions(d), row = inner;
    inner *= extent;
    if (extent <= most || extent % 2 == 0 || array.element_count() == 0) continue;
    std::byte* const begin = array.mutable_data();
    for (std::int64_t at = 0; at < array.byte_size(); at += inner) {
      std::memcpy(begin + at + inner - row, begin + at + inner - 2 * row, row);
    }
  }
}

void GiveAllTheFirst(PerDevice<Literal>& results) {
  for (Literal& result : results) result = results[0];
}

const std::vector<Damage> kDamages = {
    {"result_ends_at_50", "zeros after the fiftieth element", [](Literal& array) { ClearFrom(array, 50); }},
    {"result_ends_at_1024", "zeros from element 1024 on", [](Literal& array) { ClearFrom(array, 1024); }},
    {"result_ends_at_8192", "zeros from element 8192 on", [](Literal& array) { ClearFrom(array, 8192); }},
    {"result_ends_at_65536", "zeros from element 65536 on", [](Literal& array) { ClearFrom(array, 65536); }},
    {"result_without_remainder_of_128", "zeros after the last whole block of 128 elements",
     [](Literal& array) {
       if (array.element_count() > 128) ClearFrom(array, array.element_count() / 128 * 128);
     }},
    {"last_of_odd_above_100", "the last row of an odd extent above 100 is the one before it",
     [](Literal& array) { RepeatBeforeLast(array, 100); }},
    {"last_of_odd_above_1000", "the last row of an odd extent above 1000 is the one before it",
     [](Literal& array) { RepeatBeforeLast(array, 1000); }},
    {"second_device", "every device has what the first one has", nullptr, GiveAllTheFirst},
};

class DamagedExecutable final : public Executable {
 public:
  DamagedExecutable(const Damage& damage, std::unique_ptr<Executable> executable)
      : damage_(damage), executable_(std::move(executable)) {}

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    ASSAY_TRY(PerDevice<Literal> results, executable_->Run(inputs));
    for (Literal& result : results) DamageArraysOf(result);
    if (damage_.damage_devices != nullptr) damage_.damage_devices(results);
    return results;
  }

 private:
  void DamageArraysOf(Literal& value) const {
    if (value.shape().IsTuple()) {
      for (Literal& element : value.mutable_elements()) DamageArraysOf(element);
    } else if (value.shape().IsArray() && damage_.damage_array != nullptr) {
      damage_.damage_array(value);
    }
  }

  const Damage& damage_;
  std::unique_ptr<Executable> executable_;
};

class DamagedBackend final : public Backend {
 public:
  explicit DamagedBackend(const Damage& damage)
      : damage_(damage), reference_(fmt::format("mutant:{}", damage.id), {}) {}

  const BackendDescription& description() const override { return reference_.description(); }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override {
    ASSAY_TRY(std::unique_ptr<Executable> executable, reference_.Compile(module));
    return std::unique_ptr<Executable>(std::make_unique<DamagedExecutable>(damage_, std::move(executable)));
  }

 private:
  const Damage& damage_;
  ReferenceBackend reference_;
};

}  // namespace

const std::vector<Damage>& AllDamages() { return kDamages; }

std::unique_ptr<Backend> OpenDamaged(std::string_view id) {
  const auto damage = std::ranges::find(kDamages, id, &Damage::id);
  return damage == kDamages.end() ? nullptr : std::make_unique<DamagedBackend>(*damage);
}

}  // namespace assay
