#include "backends/lawful/algorithms/rewrites.h"

namespace assay {
namespace {

struct RewriteRow {
  std::string_view noise;  // FreedomRecord::noise
  void (*rewrite)(HloModule&, const RewritingFreedom&, Noise&, Widenings&);
  bool draws_for_all = true;  // whether to rewrite at all; otherwise only at each place
};

// In the order in which they are applied. Quantizations are found, and conversions elided, in the program itself, so
// these are first.
constexpr RewriteRow kRewriteRows[] = {
    {"fixed-point numbers", RequantizeInFixedPoint, false},
    {"wider numbers", ElideConversions},
    {"unrounded products", ContractProducts},
    {"wider numbers", KeepExcessPrecision},
    {"started sums", StartSums},
    {"reciprocal roots", MultiplyByReciprocalRoots},
};

constexpr double kRewritten = 0.5;

}  // namespace

void RewriteLawfully(HloModule& module, const Profile& profile, Noise& noise, Widenings& widenings) {
  for (const RewriteRow& row : kRewriteRows) {
    for (const Freedom freedom : AllFreedoms()) {
      const bool has_noise = RecordOf(freedom).noise == row.noise;
      if (has_noise && (!row.draws_for_all || noise.Chance(kRewritten)))
        row.rewrite(module, {profile, freedom}, noise, widenings);
    }
  }
}

}  // namespace assay
