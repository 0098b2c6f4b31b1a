// einsum, which StableHLO has deprecated: a dot, and a transpose of its result.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {
namespace {

// "ab,bc->ac": the labels of the dimensions.
struct EinsumLabels {
  std::string lhs, rhs, result;
};

Result<EinsumLabels> LabelsOf(const Lowering& lowering) {
  ASSAY_TRY(const std::string config, lowering.attributes().String("einsum_config"));
  const std::size_t comma = config.find(","), arrow = config.find("->");
  if (comma == config.npos || arrow == config.npos || comma > arrow) {
    return lowering.Illegal(fmt::format("einsum_config must be of the form ab,bc->ac, found {}", config));
  }
  return EinsumLabels{config.substr(0, comma), config.substr(comma + 1, arrow - comma - 1), config.substr(arrow + 2)};
}

Status CheckLabels(const Lowering& lowering, const std::string& labels, const Shape& shape) {
  bool is_legal = shape.IsArray() && std::ssize(labels) == shape.rank();
  for (const char label : labels) {
    const bool is_letter = (label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z');
    is_legal = is_legal && is_letter && std::ranges::count(labels, label) == 1;
  }
  if (is_legal) return {};
  return lowering.Unsupported(
      fmt::format("the labels of {} must be different letters, one for each dimension; found {}",
                  shape.ToStringWithoutLayout(), labels));
}

bool Has(const std::string& labels, char label) { return labels.find(label) != labels.npos; }
std::int64_t LabelPlace(const std::string& labels, char label) { return static_cast<std::int64_t>(labels.find(label)); }

// The dot of an einsum: the dimensions of its operands, and the labels of its result.
struct EinsumDot {
  Int64List lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
  std::string labels;
};

Result<EinsumDot> DotOf(const Lowering& lowering, const EinsumLabels& labels) {
  EinsumDot dot;
  std::string free;
  for (const bool is_lhs : {true, false}) {
    for (const char label : is_lhs ? labels.lhs : labels.rhs) {
      const bool is_shared = Has(is_lhs ? labels.rhs : labels.lhs, label), is_kept = Has(labels.result, label);
      if (!is_shared && !is_kept) {
        return lowering.Unsupported(fmt::format("HLO's dot does not sum one operand over {}", label));
      }
      if (!is_shared) free += label;
      if (!is_shared || !is_lhs) continue;
      (is_kept ? dot.lhs_batch : dot.lhs_contracting).push_back(LabelPlace(labels.lhs, label));
      (is_kept ? dot.rhs_batch : dot.rhs_contracting).push_back(LabelPlace(labels.rhs, label));
      if (is_kept) dot.labels += label;
    }
  }
  dot.labels += free;
  if (dot.labels.size() == labels.result.size()) return dot;
  return lowering.Illegal("the result has a label that no operand has");
}

}  // namespace

Status LowerEinsum(const Lowering& lowering) {
  ASSAY_TRY(const EinsumLabels labels, LabelsOf(lowering));
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  ASSAY_CHECK_OK(CheckLabels(lowering, labels.lhs, lowering.operands[0]->shape));
  ASSAY_CHECK_OK(CheckLabels(lowering, labels.rhs, lowering.operands[1]->shape));
  ASSAY_CHECK_OK(CheckLabels(lowering, labels.result, result));
  ASSAY_TRY(EinsumDot numbers, DotOf(lowering, labels));
  Dimensions sizes;
  Int64List permutation;
  for (const char label : numbers.labels) sizes.push_back(result.dimensions(LabelPlace(labels.result, label)));
  for (const char label : labels.result) permutation.push_back(LabelPlace(numbers.labels, label));
  HloInstruction& dot =
      lowering.translator.Add("dot", ShapeUtil::MakeShape(result.element_type(), std::move(sizes)), lowering.operands);
  dot.Set("lhs_batch_dims", std::move(numbers.lhs_batch));
  dot.Set("lhs_contracting_dims", std::move(numbers.lhs_contracting));
  dot.Set("rhs_batch_dims", std::move(numbers.rhs_batch));
  dot.Set("rhs_contracting_dims", std::move(numbers.rhs_contracting));
  ASSAY_CHECK_OK(SetPrecision(lowering, dot));
  const bool is_in_order = numbers.labels == labels.result;
  lowering.translator.BindResults(lowering.operation,
                                  is_in_order ? dot : AddTranspose(lowering.translator, dot, permutation));
  return {};
}

}  // namespace assay::stablehlo
