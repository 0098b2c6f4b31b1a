#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "backends/mutant/break.h"
#include "backends/mutant/mutant.h"
#include "backends/mutant/operators/rewrite.h"

namespace assay {
namespace {

// Clears the elements from `first` on, if there are any.
void ClearFrom(Literal& array, std::int64_t first) {
  if (array.element_count() > first) ForgetFrom(array, first);
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

Mutant Damaged(std::string id, std::string rule, const std::function<void(Literal&)>& change) {
  return {.id = std::move(id), .op = "", .rule = std::move(rule), .damage = [change](PerDevice<Literal>& results) {
            for (Literal& result : results) ChangeArrays(change, result);
          }};
}

Mutant EndsAt(std::int64_t first) {
  return Damaged(fmt::format("result_ends_at_{}", first), fmt::format("zeros from element {} on", first),
                 [first](Literal& array) { ClearFrom(array, first); });
}

const std::vector<Mutant> kDamages = {
    Damaged("last_of_odd_above_100", "the last row of an odd extent above 100 is the one before it",
            [](Literal& array) { RepeatBeforeLast(array, 100); }),
    Damaged("last_of_odd_above_1000", "the last row of an odd extent above 1000 is the one before it",
            [](Literal& array) { RepeatBeforeLast(array, 1000); }),
    EndsAt(50),
    EndsAt(1024),
    EndsAt(8192),
    EndsAt(65536),
    Damaged("result_without_remainder_of_128", "zeros after the last whole block of 128 elements",
            [](Literal& array) {
              if (array.element_count() > 128) ClearFrom(array, array.element_count() / 128 * 128);
            }),
    {.id = "second_device",
     .op = "",
     .rule = "every device has what the first one has",
     .damage =
         [](PerDevice<Literal>& results) {
           for (Literal& result : results) result = results[0];
         }},
};

}  // namespace

const std::vector<Mutant>& DamageMutants() { return kDamages; }

}  // namespace assay
