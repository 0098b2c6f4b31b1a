#include "backends/lawful/algorithms/rewrites.h"

namespace assay {
namespace {

struct RewriteRow {
  std::string_view noise;  // FreedomRecord::noise
  const RewritePass* rewrite;
  bool draws_for_all = true;  // whether to rewrite at all; otherwise only at each place
};

// In the order in which they are applied. Quantizations are found, and conversions elided, in the program itself, so
// these are first.
constexpr RewriteRow kRewriteRows[] = {
    {"fixed-point numbers", &pass_requantize_in_fixed_point, false},
    {"wider numbers", &pass_elide_conversions},
    {"unrounded products", &pass_contract_products},
    {"wider numbers", &pass_keep_excess_precision},
    {"started sums", &pass_start_sums},
    {"zero for subnormal", &pass_flush_comparisons, false},
    {"reciprocal roots", &pass_multiply_by_reciprocal_roots},
};

constexpr double kRewritten = 0.5;

}  // namespace

void RewriteLawfully(HloModule& module, const Profile& profile, Noise& noise, Widenings& widenings) {
  for (const RewriteRow& row : kRewriteRows) {
    for (const Freedom freedom : AllFreedoms()) {
      const bool has_noise = RecordOf(freedom).noise == row.noise;
      if (has_noise && (!row.draws_for_all || noise.Chance(kRewritten)))
        (*row.rewrite)(module, {profile, freedom}, noise, widenings);
    }
  }
}

}  // namespace assay
