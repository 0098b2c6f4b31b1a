// A library call that is one product followed by steps, with scratch memory.
#pragma once

#include <span>

#include "interpreter/custom_calls/library_results.h"
#include "interpreter/custom_calls/post_ops.h"
#include "interpreter/hlo/custom_call_target.h"

namespace assay {

// The functions of a target that is one product. `read` returns the product of the call, or an error that says what is
// wrong.
template <Result<PostProcessedProduct> (*read)(const HloInstruction&)>
struct ProductCall {
  static Status Check(const HloInstruction& call) {
    ASSAY_TRY([[maybe_unused]] const PostProcessedProduct product, read(call));
    return CheckResults(call, {FirstResult(call.shape)});
  }

  static Literal Evaluate(const HloInstruction& call, std::span<Literal> operands, Evaluation&) {
    return WithScratch(call.shape, {read(call)->Value(operands, FirstResult(call.shape).element_type())});
  }

  static PropertyReport Judge(const HloInstruction& call, std::span<const Literal> operands, const Literal& want,
                              const Literal& got) {
    Properties properties;
    JudgeElements(kWithinRoundings, ResultAt(want, 0), ResultAt(got, 0),
                  read(call)->Bounds(operands, FirstResult(call.shape).element_type()), properties);
    return std::move(properties).Take();
  }
};

}  // namespace assay
