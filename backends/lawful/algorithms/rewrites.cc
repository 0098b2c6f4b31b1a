#include "backends/lawful/algorithms/rewrites.h"

#include <algorithm>
#include <iterator>

namespace assay {
namespace {

struct RewriteRow {
  std::string_view noise;  // FreedomRecord::noise
  void (*rewrite)(HloModule&, const RewritingFreedom&, Noise&, Widenings&);
};

constexpr RewriteRow kRewriteRows[] = {
    {"unrounded products", ContractProducts},
    {"wider numbers", KeepExcessPrecision},
    {"started sums", StartSums},
    {"reciprocal roots", MultiplyByReciprocalRoots},
};

constexpr double kRewritten = 0.5;

}  // namespace

void RewriteLawfully(HloModule& module, const Profile& profile, Noise& noise, Widenings& widenings) {
  for (const Freedom freedom : AllFreedoms()) {
    const RewriteRow* row = std::ranges::find(kRewriteRows, RecordOf(freedom).noise, &RewriteRow::noise);
    if (row != std::end(kRewriteRows) && noise.Chance(kRewritten))
      row->rewrite(module, {profile, freedom}, noise, widenings);
  }
}

}  // namespace assay
