#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

bool HasFixedOrder(const HloInstruction& scan) { return !scan.Bool("is_associative"); }

}  // namespace

const OpAcceptance acceptance_scan = {.op = &op_scan,
                                      .rule = Acceptance::kCalled,
                                      .folds = true,
                                      .terms = SumTerms::OfScan,
                                      .has_fixed_order = HasFixedOrder};

}  // namespace assay
