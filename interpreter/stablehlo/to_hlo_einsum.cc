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
  const std::size_t comma = config.find(','), arrow = config.find("->");
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
std::int64_t PlaceOf(const std::string& labels, char label) { return static_cast<std::int64_t>(labels.find(label)); }

}  // namespace

Status LowerEinsum(const Lowering& lowering) {
  ASSAY_TRY(const EinsumLabels labels, LabelsOf(lowering));
  const Shape &lhs = lowering.operands[0]->shape, &rhs = lowering.operands[1]->shape;
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  ASSAY_CHECK_OK(CheckLabels(lowering, labels.lhs, lhs));
  ASSAY_CHECK_OK(CheckLabels(lowering, labels.rhs, rhs));
  ASSAY_CHECK_OK(CheckLabels(lowering, labels.result, result));
  Int64List lhs_batch, rhs_batch, lhs_contracting, rhs_contracting, permutation;
  std::string of_dot, lhs_free, rhs_free;
  for (const char label : labels.lhs) {
    const bool is_shared = Has(labels.rhs, label), is_kept = Has(labels.result, label);
    if (!is_shared && !is_kept)
      return lowering.Unsupported(fmt::format("HLO's dot does not sum one operand over {}", label));
    if (!is_shared) {
      lhs_free += label;
      continue;
    }
    (is_kept ? lhs_batch : lhs_contracting).push_back(PlaceOf(labels.lhs, label));
    (is_kept ? rhs_batch : rhs_contracting).push_back(PlaceOf(labels.rhs, label));
    if (is_kept) of_dot += label;
  }
  for (const char label : labels.rhs) {
    if (Has(labels.lhs, label)) continue;
    if (!Has(labels.result, label))
      return lowering.Unsupported(fmt::format("HLO's dot does not sum one operand over {}", label));
    rhs_free += label;
  }
  of_dot += lhs_free + rhs_free;
  if (of_dot.size() != labels.result.size()) return lowering.Illegal("the result has a label that no operand has");
  Dimensions sizes;
  for (const char label : of_dot) sizes.push_back(result.dimensions(PlaceOf(labels.result, label)));
  for (const char label : labels.result) permutation.push_back(PlaceOf(of_dot, label));
  HloInstruction& dot =
      lowering.translator.Add("dot", ShapeUtil::MakeShape(result.element_type(), std::move(sizes)), lowering.operands);
  dot.Set("lhs_batch_dims", std::move(lhs_batch));
  dot.Set("lhs_contracting_dims", std::move(lhs_contracting));
  dot.Set("rhs_batch_dims", std::move(rhs_batch));
  dot.Set("rhs_contracting_dims", std::move(rhs_contracting));
  ASSAY_CHECK_OK(SetPrecision(lowering, dot));
  HloInstruction& transposed = of_dot == labels.result ? dot : AddTranspose(lowering.translator, dot, permutation);
  lowering.translator.BindResults(lowering.operation, transposed);
  return {};
}

}  // namespace assay::stablehlo
