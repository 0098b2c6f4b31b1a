#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

constexpr const OpAcceptance* kAcceptances[] = {
#define ASSAY_ACCEPTANCE(name) &acceptance_##name,
#include "interpreter/acceptance/ops/acceptance_list.inc"
#undef ASSAY_ACCEPTANCE
};

// A hash table with open addressing: sets and samples ask for a row at each instruction, several times.
class RowsByText {
 public:
  RowsByText() {
    for (const OpAcceptance* row : AllAcceptances()) {
      std::size_t place = PlaceOf(row->op->name);
      while (rows_[place] != nullptr) place = (place + 1) % kPlaces;
      rows_[place] = row;
    }
  }

  // Returns null if no row has a name with this text at this place in memory.
  const OpAcceptance* Find(std::string_view name) const {
    for (std::size_t place = PlaceOf(name); rows_[place] != nullptr; place = (place + 1) % kPlaces) {
      const std::string_view known = rows_[place]->op->name;
      if (known.data() == name.data() && known.size() == name.size()) return rows_[place];
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t kPlaces = 1024;
  static std::size_t PlaceOf(std::string_view name) {
    constexpr std::uint64_t kOddFactor = 0x9e3779b97f4a7c15;  // spreads each bit over the bits above it
    return (reinterpret_cast<std::uintptr_t>(name.data()) * kOddFactor >> 32) % kPlaces;
  }

  std::array<const OpAcceptance*, kPlaces> rows_ = {};
};

}  // namespace

std::vector<const OpAcceptance*> AllAcceptances() {
  std::vector<const OpAcceptance*> all(std::begin(kAcceptances), std::end(kAcceptances));
  for (const OpAcceptance& row : AcceptanceRows()) all.push_back(&row);
  return all;
}

const OpAcceptance& AcceptanceOf(const Op& op) {
  static const auto table = [] {
    std::unordered_map<std::string_view, const OpAcceptance*> rows;
    for (const OpAcceptance* row : AllAcceptances()) rows.emplace(row->op->name, row);
    return rows;
  }();
  // Copies of a record share the text of its name, so its place is the key and the text is not read.
  static const RowsByText table_by_text;
  static constexpr OpAcceptance kExactly;
  if (const OpAcceptance* const row = table_by_text.Find(op.name)) return *row;
  const auto row = table.find(op.name);
  return row == table.end() ? kExactly : *row->second;
}

Op WithBody(const Op& op, EvaluateFunction body) {
  Op copy = op;
  copy.evaluation.kernel = nullptr;  // a kernel takes precedence over a body
  copy.evaluation.evaluate = body;
  return copy;
}

}  // namespace assay
