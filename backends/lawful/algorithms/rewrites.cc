#include "backends/lawful/algorithms/rewrites.h"

#include <algorithm>
#include <iterator>

namespace assay {
namespace {

struct Row {
  std::string_view noise;  // FreedomRecord::noise
  void (*rewrite)(HloModule&, const RewritingFreedom&, Noise&, Widenings&);
};

constexpr Row kRows[] = {
    {"unrounded products", ContractProducts},
    {"wider numbers", KeepExcessPrecision},
};

constexpr double kRewritten = 0.5;

}  // namespace

void RewriteLawfully(HloModule& module, const Profile& profile, Noise& noise, Widenings& widenings) {
  for (const Freedom freedom : AllFreedoms()) {
    const Row* row = std::ranges::find(kRows, RecordOf(freedom).noise, &Row::noise);
    if (row != std::end(kRows) && noise.Chance(kRewritten)) row->rewrite(module, {profile, freedom}, noise, widenings);
  }
}

}  // namespace assay
