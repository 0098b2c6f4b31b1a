// einsum and unary_einsum, which StableHLO has deprecated: diagonals and sums of each operand alone, a dot, and a
// transpose of its result.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/stablehlo/to_hlo_formulas.h"

namespace assay::stablehlo {
namespace {

// An array with a label for each dimension.
struct LabeledArray {
  HloInstruction* array;
  std::string labels;
};

// "ab,bc->ac" of two operands, "ab->b" of one.
struct EinsumLabels {
  std::vector<std::string> operands;
  std::string result;
};

// Replaces "..." by a label for each dimension that has no letter. The last of them has the first unused letter, so
// that these dimensions agree from the right, as in XLA's Einsum.
void ExpandEllipsis(std::string& labels, const Shape& shape, std::string_view unused) {
  const std::size_t place = labels.find("...");
  if (place == labels.npos || !shape.IsArray()) return;
  const std::int64_t count = shape.rank() - (std::ssize(labels) - 3);
  if (count < 0 || count > std::ssize(unused)) return;
  std::string letters(unused.substr(0, static_cast<std::size_t>(count)));
  std::ranges::reverse(letters);
  labels.replace(place, 3, letters);
}

std::string LettersWithout(std::string_view used) {
  std::string letters;
  for (char letter = 'A'; letter <= 'z'; ++letter) {
    if ((letter <= 'Z' || letter >= 'a') && used.find(letter) == used.npos) letters += letter;
  }
  return letters;
}

Result<EinsumLabels> LabelsOf(const Lowering& lowering) {
  ASSAY_TRY(const std::string config, lowering.attributes().String("einsum_config"));
  const std::size_t comma = config.find(','), arrow = config.find("->");
  const bool is_binary = lowering.operands.size() == 2;
  if (arrow == config.npos || (comma != config.npos) != is_binary || (is_binary && comma > arrow)) {
    return lowering.Illegal(
        fmt::format("einsum_config must be of the form {}, found {}", is_binary ? "ab,bc->ac" : "ab->b", config));
  }
  EinsumLabels labels = {{config.substr(0, std::min(comma, arrow))}, config.substr(arrow + 2)};
  if (is_binary) labels.operands.push_back(config.substr(comma + 1, arrow - comma - 1));
  const std::string unused = LettersWithout(config);
  for (std::size_t i = 0; i < labels.operands.size(); ++i) {
    ExpandEllipsis(labels.operands[i], lowering.operands[i]->shape, unused);
  }
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  ExpandEllipsis(labels.result, result, unused);
  return labels;
}

Status CheckLabels(const Lowering& lowering, const std::string& labels, const Shape& shape) {
  const bool are_letters = std::ranges::all_of(
      labels, [](char label) { return (label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z'); });
  if (shape.IsArray() && std::ssize(labels) == shape.rank() && are_letters) return {};
  return lowering.Illegal(
      fmt::format("the labels of {} must be letters, one for each dimension, or ... for several; found {}",
                  shape.ToStringWithoutLayout(), labels));
}

bool Has(const std::string& labels, char label) { return labels.find(label) != labels.npos; }
std::int64_t LabelPlace(const std::string& labels, char label) { return static_cast<std::int64_t>(labels.find(label)); }

Term IotaLike(const Lowering& lowering, const Shape& shape, std::int64_t dimension) {
  HloInstruction& iota = lowering.translator.Add("iota", ShapeUtil::ChangeElementType(shape, S64), {});
  iota.Set("iota_dimension", dimension);
  return {lowering.translator, iota};
}

// Returns a number of any type, at every index of the shape.
Term NumberLike(const Lowering& lowering, const Shape& shape, double number) {
  HloInstruction& scalar = lowering.translator.AddConstant(ScalarLiteral(S32, number));
  const Term converted = ConvertTo(Term(lowering.translator, scalar), shape.element_type());
  return {lowering.translator, AddScalarBroadcast(lowering.translator, converted.instruction(), shape)};
}

// Keeps the elements whose indices in the dimensions of a repeated label are equal, and zeros the others. The later
// dimension loses its label.
Status TakeDiagonals(const Lowering& lowering, LabeledArray& x) {
  const Shape shape = x.array->shape;
  for (std::int64_t d = 1; d < shape.rank(); ++d) {
    const std::int64_t first = LabelPlace(x.labels, x.labels[d]);
    if (first == d) continue;
    if (shape.dimensions(first) != shape.dimensions(d)) {
      return lowering.Illegal(fmt::format("the dimensions {} and {} of {}, with one label, must have equal sizes",
                                          first, d, shape.ToStringWithoutLayout()));
    }
    const Term is_equal = IotaLike(lowering, shape, first) == IotaLike(lowering, shape, d);
    const Term all(lowering.translator, *x.array);
    x.array = &Select(is_equal, all, NumberLike(lowering, shape, 0)).instruction();
    x.labels[d] = ' ';
  }
  return {};
}

// Sums an array over the dimensions whose labels are not among `kept`: a dot with ones.
void SumOthers(const Lowering& lowering, LabeledArray& x, const std::string& kept, PrimitiveType type) {
  Dimensions sizes, summed;
  Int64List contracting;
  std::string labels;
  for (std::int64_t d = 0; d < x.array->shape.rank(); ++d) {
    const bool is_kept = Has(kept, x.labels[d]);
    (is_kept ? sizes : summed).push_back(x.array->shape.dimensions(d));
    if (is_kept) labels += x.labels[d];
    if (!is_kept) contracting.push_back(d);
  }
  x.labels = labels;
  if (contracting.empty()) return;
  Int64List all(contracting.size());
  std::iota(all.begin(), all.end(), 0);
  const Shape of_ones = ShapeUtil::MakeShape(x.array->shape.element_type(), std::move(summed));
  HloInstruction& ones = NumberLike(lowering, of_ones, 1).instruction();
  HloInstruction& sum = lowering.translator.Add("dot", ShapeUtil::MakeShape(type, std::move(sizes)), {x.array, &ones});
  sum.Set("lhs_contracting_dims", std::move(contracting));
  sum.Set("rhs_contracting_dims", std::move(all));
  x.array = &sum;
}

// Multiplies two arrays and sums over the labels that the result lacks.
Result<LabeledArray> ProductOf(const Lowering& lowering, std::span<const LabeledArray> sides, const std::string& result,
                               PrimitiveType type) {
  const LabeledArray &lhs = sides[0], &rhs = sides[1];
  Int64List lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
  Dimensions sizes;
  std::string labels, free;
  for (const char label : lhs.labels) {
    if (!Has(rhs.labels, label)) {
      free += label;
      continue;
    }
    const bool is_kept = Has(result, label);
    (is_kept ? lhs_batch : lhs_contracting).push_back(LabelPlace(lhs.labels, label));
    (is_kept ? rhs_batch : rhs_contracting).push_back(LabelPlace(rhs.labels, label));
    if (is_kept) labels += label;
  }
  std::ranges::copy_if(rhs.labels, std::back_inserter(free), [&](char label) { return !Has(lhs.labels, label); });
  labels += free;
  for (const char label : labels) {
    const LabeledArray& side = Has(lhs.labels, label) ? lhs : rhs;
    sizes.push_back(side.array->shape.dimensions(LabelPlace(side.labels, label)));
  }
  HloInstruction& dot =
      lowering.translator.Add("dot", ShapeUtil::MakeShape(type, std::move(sizes)), {lhs.array, rhs.array});
  dot.Set("lhs_batch_dims", std::move(lhs_batch));
  dot.Set("lhs_contracting_dims", std::move(lhs_contracting));
  dot.Set("rhs_batch_dims", std::move(rhs_batch));
  dot.Set("rhs_contracting_dims", std::move(rhs_contracting));
  ASSAY_CHECK_OK(SetPrecision(lowering, dot));
  return LabeledArray{&dot, std::move(labels)};
}

}  // namespace

Status LowerEinsum(const Lowering& lowering) {
  ASSAY_TRY(const EinsumLabels labels, LabelsOf(lowering));
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  ASSAY_CHECK_OK(CheckLabels(lowering, labels.result, result));
  std::vector<LabeledArray> sides;
  for (std::size_t i = 0; i < labels.operands.size(); ++i) {
    ASSAY_CHECK_OK(CheckLabels(lowering, labels.operands[i], lowering.operands[i]->shape));
    const std::string& other = i + 1 == labels.operands.size() ? labels.operands[0] : labels.operands[1];
    LabeledArray& side = sides.emplace_back(LabeledArray{lowering.operands[i], labels.operands[i]});
    ASSAY_CHECK_OK(TakeDiagonals(lowering, side));
    const bool is_alone = labels.operands.size() == 1;
    SumOthers(lowering, side, is_alone ? labels.result : labels.result + other,
              is_alone ? result.element_type() : side.array->shape.element_type());
  }
  if (sides.size() == 2) {
    ASSAY_TRY(sides[0], ProductOf(lowering, sides, labels.result, result.element_type()));
  }
  const LabeledArray& last = sides[0];
  Int64List permutation;
  for (const char label : labels.result) permutation.push_back(LabelPlace(last.labels, label));
  Int64List each = permutation;
  std::ranges::sort(each);
  Int64List all(last.labels.size());
  std::iota(all.begin(), all.end(), 0);
  if (each != all) return lowering.Illegal("the result must have each label once, and only labels of operands");
  const bool is_in_order = last.labels == labels.result;
  lowering.translator.BindResults(
      lowering.operation, is_in_order ? *last.array : AddTranspose(lowering.translator, *last.array, permutation));
  return {};
}

}  // namespace assay::stablehlo
