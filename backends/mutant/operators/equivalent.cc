// Mutants that no golden can kill, each with the reason. A row applies to those mutants of its ops that no case kills:
// it does not hold for some types of an op, where the corpus kills the mutant. `bench mutants --fill` tries the others
// on random instructions, and unary ones of up to 16 bits on all numbers of the type.
#include <algorithm>

#include "backends/mutant/operators/operators.h"

namespace assay {
namespace {

enum class Why { kSame, kOpen, kBeyond };  // no result differs; the result is open; no golden is so large

struct Equivalence {
  std::string_view made_by;  // words, each an operator
  std::string_view ops;      // words, or "*"
  std::string_view detail;   // the prefix of the id's part after the op
  std::string_view sentence;
  Why why = Why::kSame;
};

constexpr std::string_view kNoRounding =
    "each result is an operand's element, its sign or an integer: nothing is rounded";
constexpr std::string_view kNoTies = "a value of this function is never halfway between two numbers";
constexpr std::string_view kTwoComplement = "two's complement: the bits of the result do not depend on the sign";
constexpr std::string_view kMoved = "elements are moved, and keep their bits";
constexpr std::string_view kNoOverflow = "no result is outside of the range";
constexpr std::string_view kNoValue = "a token has no value";
constexpr std::string_view kOneNumber = "the result is one number";
constexpr std::string_view kSmallNumbers = "the results are small integers, which the other type has";
constexpr std::string_view kPromise = "a promise of the program, which changes no result";
constexpr std::string_view kIdentity = "a label; devices that have the same one meet all the same";
constexpr std::string_view kOwnScale =
    "legal only where the scale has a number for each element: their product is commutative";
constexpr std::string_view kSameMembers =
    "as many members as the declared shape asks for are the same ones: there is one partition";
constexpr std::string_view kSets = "the dimensions are a set: their order has no meaning";

constexpr Equivalence kEquivalences[] = {
    // Roundings.
    {"truncated tie_away rounded_twice_by_bf16 rounded_twice_by_f16 rounded_twice_by_f32",
     "abs ceil clamp compare floor imag is-finite maximum minimum negate real round-nearest-afz round-nearest-even "
     "sign "
     "sort",
     "", kNoRounding},
    {"truncated tie_away rounded_twice_by_bf16 rounded_twice_by_f16 rounded_twice_by_f32", "remainder", "",
     "the remainder is a number of the operands' type: nothing is rounded"},
    {"truncated tie_away rounded_twice_by_f32", "bitcast-convert", "",
     "in f64 operand and result have one width only where they have one type: the bits stay"},
    {"tie_away",
     "acos acosh asin asinh atan atan2 atanh cosh cosine erf exponential exponential-minus-one log log-plus-one "
     "logistic "
     "sine sinh tan tanh",
     "", kNoTies},
    {"tie_away", "cbrt rsqrt sqrt", "", "a root that is halfway between two numbers has a power with too many digits"},
    {"rounded_twice_by_f32", "add divide multiply sqrt subtract", "",
     "f32 has more than twice the digits and two: the first rounding does not move a result across a tie"},
    {"rounded_twice_by_f16", "negate", "f8", kNoRounding},
    {"rounded_twice_by_f32 rounded_twice_by_f16",
     "acos acosh asin asinh atan atanh cbrt cosh cosine erf exponential exponential-minus-one log log-plus-one "
     "logistic "
     "rsqrt sine sinh tan tanh",
     "", "no number of the type has a value so near to a tie: all of them have been tried"},
    {"tie_away", "reduce-precision", "f32", "the result has fewer digits than the type"},
    {"truncated tie_away rounded_twice_by_bf16 rounded_twice_by_f16 rounded_twice_by_f32 saturated other_sign",
     "custom-call", "", "the targets that take several types only order elements"},
    // Integers.
    {"other_sign",
     "add and bitcast-convert count-leading-zeros multiply negate not or popcnt shift-left shift-right-arithmetic "
     "shift-right-logical subtract xor",
     "", kTwoComplement},
    {"other_sign", "convolution dot ragged-dot scaled-dot", "", "sums of products wrap: two's complement"},
    {"other_sign",
     "add-dependency all-gather all-to-all bitcast broadcast collective-broadcast collective-permute concatenate copy "
     "domain dynamic-reshape iota opt-barrier pad ragged-all-to-all reshape reverse set-dimension-size shuffle slice "
     "transpose",
     "", kMoved},
    {"other_sign", "get-dimension-size conditional", "", "sizes and numbers of branches are small"},
    {"saturated",
     "and bitcast-convert clamp compare count-leading-zeros maximum minimum not or popcnt remainder "
     "shift-right-arithmetic shift-right-logical sign sort xor",
     "", kNoOverflow},
    {"result_through", "count-leading-zeros popcnt sign get-dimension-size partition-id replica-id", "", kSmallNumbers},
    {"operands_through", "sign", "", "rounding keeps the sign of what is not too small"},
    {"upper_half_as_greatest", "count-leading-zeros", "operands_unsigned", "the highest bit stays: no zero leads"},
    {"upper_half_as_greatest", "count-leading-zeros", "operands_signed",
     "the sign and the highest bit below it stay: as many zeros lead"},
    {"upper_half_as_greatest", "sign", "",
     "a number keeps its sign, and 1 is in the upper half only where it is the greatest"},
    {"least_as_greatest", "mulhi", "result_signed",
     "the upper half of a product is at most a quarter of the range away from 0, the least integer a half"},
    {"upper_half_as_greatest least_as_greatest negative_as_zero", "get-dimension-size partition-id replica-id", "",
     kSmallNumbers},
    // Special numbers.
    {"infinity_as_largest infinity_as_nan largest_as_overflow subnormal_as_zero negative_zero_as_positive",
     "acos asin atan atan2 cosine erf logistic sign sine tanh", "result", "the function has no such value"},
    {"infinity_as_largest infinity_as_nan", "remainder", "result", "a remainder is finite or NaN"},
    {"infinity_as_largest largest_as_overflow infinity_as_nan nan_as_infinity", "acos asin atanh", "operands",
     "outside of the domain every number gives NaN"},
    {"infinity_as_nan nan_as_infinity", "cosine sine tan", "operands", "infinity and NaN both give NaN"},
    {"infinity_as_largest", "erf exponential-minus-one exponential logistic sign tanh cosh sinh", "operands",
     "the largest finite number is far enough to give the same value"},
    {"largest_as_overflow", "cosh sinh", "operands", "the largest finite number overflows in any case"},
    {"infinity_as_nan nan_as_infinity", "is-finite", "operands", "neither infinity nor NaN is finite"},
    {"nan_as_zero", "acosh", "operands", "0 is outside of the domain: NaN"},
    {"negative_zero_as_positive", "abs acos acosh cosh cosine exponential is-finite log logistic", "operands",
     "both zeros give the same value"},
    {"negative_zero_as_positive", "abs cosh exponential logistic", "result", "no value of the function is -0"},
    {"subnormal_as_zero", "acos acosh cosh cosine exponential is-finite logistic", "operands",
     "a subnormal number gives what 0 gives, rounded"},
    {"subnormal_as_zero", "round-nearest-afz round-nearest-even", "operands", "a subnormal number is rounded to 0"},
    {"subnormal_as_zero", "ceil floor round-nearest-afz round-nearest-even", "result",
     "an integer is not subnormal in any format but those whose least normal number is 1 or more"},
    {"subnormal_as_zero", "acosh cbrt cosh log rsqrt sqrt", "result", "no value of the function is so small but 0"},
    {"largest_as_overflow", "acosh asinh atanh cbrt cosh log log-plus-one sinh sqrt tan", "result",
     "the function does not have the largest finite number as a value"},
    {"infinity_as_largest infinity_as_nan largest_as_overflow nan_as_infinity nan_as_zero negative_zero_as_positive "
     "subnormal_as_zero operands_through",
     "imag", "", "the imaginary part of a real number is 0"},
    {"result_through", "imag", "", "the imaginary part of a real number is 0"},
    {"operands_through", "acos cosh exponential logistic", "bf16_f16",
     "f16 loses what is too small or too large for the result to change"},
    {"result_through", "acos acosh cosine log", "bf16_f16", "f16 has all values of the function in bf16"},
    {"nan_as_infinity nan_as_zero infinity_as_largest infinity_as_nan largest_as_overflow negative_zero_as_positive "
     "subnormal_as_zero",
     "iota", "", "counting from 0 gives none of these numbers"},
    {"infinity_as_largest infinity_as_nan largest_as_overflow", "cholesky", "result",
     "an element of a factor is no larger than the root of a finite number"},
    {"infinity_as_nan", "cholesky fft", "operands", "what is not finite gives NaN throughout"},
    {"nan_as_infinity", "cholesky fft", "operands", "what is not finite gives NaN throughout"},
    {"negative_zero_as_positive", "batch-norm-inference batch-norm-training convolution fft", "",
     "a sum that begins with 0 is never -0"},
    {"*", "rng", "", "random numbers are judged by their distribution", Why::kOpen},
    {"last_of_odd_repeats remainder_of_4_is_zero zero_after_50", "rng-get-and-update-state", "",
     "a state has two words, or three of which the last is 0"},
    {"result_through", "iota", "", "it shows from element 2^24 on", Why::kBeyond},
    // Attributes.
    {"flag_flipped ignored", "*", "constrain_layout", kPromise},
    {"flag_flipped ignored", "*", "indices_are_sorted", kPromise},
    {"flag_flipped ignored", "*", "unique_indices", kPromise},
    {"flag_flipped", "custom-call", "custom_call_has_side_effect", "an effect shows in no result"},
    {"flag_flipped ignored", "sort topk", "is_stable", "the reference's order is stable in any case, which is allowed"},
    {"word_taken_as ignored", "convolution dot ragged-dot scaled-dot", "algorithm",
     "an algorithm says how far sums may stray from the exact one, which the reference gives"},
    {"ignored", "*", "operand_precision", "a precision says how far products may stray from the exact ones"},
    {"word_taken_as ignored", "convolution", "convolution_kind", "an unset kind is the forward one"},
    {"flag_flipped ignored", "call", "is_composite", "a composite is called like any other computation"},
    {"ignored", "dot", "", "only an empty list can be left out"},
    {"ignored", "*", "output_to_operand_aliasing", "where a result is kept changes nothing in it"},
    {"*", "custom-call", "window", "the named targets do not read it"},
    {"*", "custom-call", "dim_labels", "the named targets do not read it"},
    {"ignored", "custom-call", "", "the named targets do not read it"},
    {"word_taken_as", "fusion", "kind", "the kind of a fusion says how it is compiled"},
    {"word_taken_as", "custom-call", "", "how a target is called, or what the named targets do not read"},
    {"one_more one_less taken_as_zero", "custom-call", "", "the named targets do not read it"},
    {"word_taken_as", "rng-bit-generator", "algorithm_rng_default", "the default algorithm is Philox"},
    {"word_taken_as", "rng-bit-generator", "algorithm_rng_philox_rng_default", "the default algorithm is Philox"},
    {"one_more one_less taken_as_zero", "*", "channel_id", kIdentity},
    {"one_more one_less taken_as_zero ignored", "reshape", "inferred_dimension", "the result's shape is written"},
    {"list_reversed list_turned list_sorted list_inverted first_for_all", "reduce reverse", "dimensions", kSets},
    {"list_reversed list_turned first_for_all first_dropped last_dropped first_one_more first_one_less last_one_more "
     "last_one_less ignored numbers_from_zero list_sorted list_inverted",
     "map", "dimensions", "the dimensions are always all of them"},
    {"first_one_more last_one_more first_one_less last_one_less", "gather", "collapsed_slice_dims",
     "another dimension of one element is collapsed"},
    {"group_order_reversed", "*", "replica_groups", "the groups are a set: their order has no meaning"},
    {"members_reversed members_sorted", "all-reduce all-reduce-start", "replica_groups",
     "the members of a group are a set where all have the same sum"},
    {"flag_flipped ignored", "all-gather-start", "use_global_device_ids", kSameMembers},
    {"ignored", "all-gather-start", "channel_id", kSameMembers},
    {"ignored", "ragged-all-to-all", "replica_groups", "no groups mean that all devices are one"},
    {"ignored", "reduce-window", "window", "only of scalars can it be left out, and theirs is empty"},
    {"ignored", "broadcast", "dimensions", "without dimensions a scalar is meant, which has none"},
    {"ignored", "async-done async-update", "calls", "the start says what runs"},
    {"one_more_high", "convolution pad reduce-window select-and-scatter", "",
     "what one more element at the end adds to the result is cut off"},
    {"high_ignored one_less_high", "select-and-scatter", "window",
     "the source has an element for each window: as many windows are the same ones, whatever comes after them"},
    {"stride_ignored", "select-and-scatter", "window",
     "the source has an element for each window: with another stride there are as many only where there is one"},
    {"one_more", "convolution", "feature_group_count",
     "two counts are legal only where the kernel has no input features, and a sum no term"},
    {"negative_high_ignored", "pad", "padding", "what a negative padding at the end leaves is cut off"},
    {"index_of_8_bits index_of_16_bits index_of_31_bits large_index_negative negative_index_beyond", "conditional", "",
     "a number of a branch is small, and any other one means the last branch"},
    {"upper_half_as_greatest", "conditional", "operands_signed", "any number beyond the branches means the last one"},
    // Operands and computations.
    {"operands_exchanged", "add and maximum minimum mulhi multiply or xor", "0_1", "the op is commutative"},
    {"operands_exchanged", "clamp", "0_1", "the larger of the lower bound and the operand is taken either way"},
    {"operands_exchanged", "scaled-dot", "0_2", kOwnScale},
    {"operands_exchanged", "scaled-dot", "1_3", kOwnScale},
    {"operand_taken_for", "select-and-scatter", "2_0", "scalars: the one element is chosen, whatever it is"},
    {"parameters_exchanged", "all-reduce all-reduce-start collective-reduce reduce-scatter", "",
     "the computation of a fold over devices is commutative"},
    {"parameters_exchanged", "async-done", "calls", "the start says what runs"},
    {"operand_taken_for operands_exchanged operands_reversed last_is_zero last_of_odd_repeats remainder_of_4_is_zero "
     "zero_after_50",
     "after-all send-done", "", kNoValue},
    {"operand_taken_for operands_exchanged", "add-dependency", "", kNoValue},
    {"operand_taken_as_zero", "get-dimension-size", "0", "the elements do not matter"},
    {"last_is_zero last_of_odd_repeats remainder_of_4_is_zero zero_after_50",
     "get-dimension-size partition-id replica-id", "", kOneNumber},
    {"value_of_first_device value_of_next_device", "all-gather all-gather-done all-reduce collective-broadcast", "",
     "all devices have the same value"},
};

bool HasWord(std::string_view words, std::string_view word) {
  if (words == "*") return true;
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || words[at - 1] == ' ', ends = end == words.size() || words[end] == ' ';
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace

void MarkEquivalent(Mutant& mutant) {
  const std::size_t prefix = std::min(mutant.id.size(), mutant.made_by.size() + mutant.op.size() + 2);
  const std::string_view detail = std::string_view(mutant.id).substr(prefix);
  for (const Equivalence& row : kEquivalences) {
    if (!HasWord(row.made_by, mutant.made_by) || !HasWord(row.ops, mutant.op) || !detail.starts_with(row.detail)) {
      continue;
    }
    (row.why == Why::kSame   ? mutant.equivalent
     : row.why == Why::kOpen ? mutant.open
                             : mutant.beyond_goldens) = row.sentence;
    return;
  }
}

}  // namespace assay
