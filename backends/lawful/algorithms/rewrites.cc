#include "backends/lawful/algorithms/rewrites.h"

namespace assay {
namespace {

struct RewriteRow {
  std::string_view noise;  // FreedomRecord::noise
  void (*rewrite)(HloModule&, const RewritingFreedom&, Noise&, Widenings&);
};

// In the order in which they are applied. Only the program's own conversions may be elided, so this is first.
constexpr RewriteRow kRewriteRows[] = {
    {"wider numbers", ElideConversions},
    {"unrounded products", ContractProducts},
    {"wider numbers", KeepExcessPrecision},
    {"started sums", StartSums},
    {"reciprocal roots", MultiplyByReciprocalRoots},
    {"fixed-point numbers", RequantizeInFixedPoint},
};

constexpr double kRewritten = 0.5;

}  // namespace

void RewriteLawfully(HloModule& module, const Profile& profile, Noise& noise, Widenings& widenings) {
  for (const RewriteRow& row : kRewriteRows) {
    for (const Freedom freedom : AllFreedoms()) {
      const bool has_noise = RecordOf(freedom).noise == row.noise;
      if (has_noise && noise.Chance(kRewritten)) row.rewrite(module, {profile, freedom}, noise, widenings);
    }
  }
}

}  // namespace assay
