#include "interpreter/acceptance/freedom.h"

#include <array>

namespace assay {
namespace {

#define ASSAY_FREEDOM(name, enumerator) &freedom_##name,
const FreedomRecord* const kRecords[] = {
#include "interpreter/acceptance/freedom_list.inc"
};
#undef ASSAY_FREEDOM

constexpr auto kEveryFreedom = [] {
  std::array<Freedom, kFreedomCount> all = {};
  for (int i = 0; i < kFreedomCount; ++i) all[i] = static_cast<Freedom>(i);
  return all;
}();

}  // namespace

std::span<const Freedom> AllFreedoms() { return kEveryFreedom; }

const FreedomRecord& RecordOf(Freedom freedom) { return *kRecords[static_cast<int>(freedom)]; }

std::uint32_t BitsPermitting(Permission permission) {
  std::uint32_t bits = 0;
  for (const Freedom freedom : AllFreedoms()) {
    if (RecordOf(freedom).permits == permission) bits |= BitOf(freedom);
  }
  return bits;
}

}  // namespace assay
