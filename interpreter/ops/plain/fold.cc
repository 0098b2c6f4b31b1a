#include "interpreter/ops/common/fold_rules.h"
#include "interpreter/ops/plain/plain.h"

namespace assay::plain {

Folder::Folder(const HloComputation& to_apply, Evaluation& evaluation)
    : is_exact_sum_(IsExactSum(to_apply)), to_apply_(to_apply, evaluation) {}

Fold Folder::From(Row inits) const { return Fold(*this, std::move(inits)); }

Fold::Fold(const Folder& folder, Row inits) : folder_(&folder), accumulators_(std::move(inits)) {
  const auto types = folder.to_apply_.result_types();
  for (std::size_t i = 0; i < types.size(); ++i) accumulators_[i] = ConvertedTo(types[i], accumulators_[i]);
  if (!folder.is_exact_sum_) return;
  for (const Element& init : accumulators_) {
    sums_.emplace_back(init.type);
    sums_.back().Add(init);
  }
}

void Fold::Add(const Row& row) {
  if (folder_->is_exact_sum_) {
    for (std::size_t i = 0; i < row.size(); ++i) sums_[i].Add(ConvertedTo(accumulators_[i].type, row[i]));
    return;
  }
  Row arguments = accumulators_;
  arguments.insert(arguments.end(), row.begin(), row.end());
  accumulators_ = folder_->to_apply_(arguments);
}

Row Fold::Result() const {
  if (!folder_->is_exact_sum_) return accumulators_;
  Row results;
  for (const Sum& sum : sums_) results.push_back(sum.Rounded());
  return results;
}

}  // namespace assay::plain
