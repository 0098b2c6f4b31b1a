// A library call that is one product followed by steps, with scratch memory.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/hlo/custom_call_target.h"

namespace assay {

// The functions of a target that is one product. `read` returns the product of the call, or an error that says what is
// wrong.
template <Result<PostProcessedProduct> (*read)(const HloInstruction&)>
struct ProductCall {
  static CustomCallTarget Target(std::vector<std::string_view> names, std::string_view meaning) {
    return {.names = std::move(names), .meaning = meaning, .check = Check, .evaluate = Evaluate, .properties = Judge};
  }

  static Status Check(const HloInstruction& call) {
    ASSAY_TRY(const PostProcessedProduct product, read(call));
    std::vector<Shape> results = {FirstResult(call.shape)};
    for (const EarlierResult& earlier : product.earlier) {
      results.push_back(earlier.is_largest ? ShapeUtil::MakeScalarShape(F32) : results[0]);
    }
    return CheckResults(call, results);
  }

  static Literal Evaluate(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
    const PostProcessedProduct product = *read(call);
    const PrimitiveType type = FirstResult(call.shape).element_type();
    std::vector<Literal> results = {product.Value(operands, type)};
    for (const auto& [steps, is_largest] : product.earlier) {
      results.push_back(is_largest ? GreatestMagnitude(product.Value(operands, F32, steps))
                                   : product.Value(operands, type, steps));
    }
    return WithScratch(call.shape, std::move(results));
  }

  static PropertyReport Judge(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                              const Literal& got) {
    const PostProcessedProduct product = *read(call);
    const PrimitiveType type = FirstResult(call.shape).element_type();
    Properties properties;
    JudgeElements(kWithinRoundings, ResultAt(want, 0), ResultAt(got, 0), product.Bounds(operands, type), properties);
    for (std::size_t i = 0; i < product.earlier.size(); ++i) {
      const auto& [steps, is_largest] = product.earlier[i];
      JudgeElements(is_largest ? kLargestWithinRoundings : kEarlierWithinRoundings, ResultAt(want, i + 1),
                    ResultAt(got, i + 1),
                    is_largest ? Largest(product.Bounds(operands, F32, steps)) : product.Bounds(operands, type, steps),
                    properties);
    }
    return std::move(properties).Take();
  }
};

}  // namespace assay
