#include "backends/simd/simd.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "backends/kind.h"
#include "backends/reference/reference.h"
#include "backends/simd/elementwise.h"
#include "backends/simd/factorizations.h"
#include "backends/simd/functions.h"
#include "backends/simd/fuse.h"
#include "backends/simd/gather_rows.h"
#include "backends/simd/kernels.h"
#include "backends/simd/libraries.h"
#include "backends/simd/loops/loops.h"
#include "backends/simd/permute.h"
#include "backends/simd/products.h"
#include "backends/simd/quantized.h"
#include "backends/simd/reduce.h"
#include "backends/simd/reduce_window.h"
#include "backends/simd/scatter.h"
#include "backends/simd/selection.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/kernels/kernels.h"

namespace assay::simd {
namespace {

constexpr const Family* kFamilies[] = {&kArithmetic,   &kConversions,     &kFunctions, &kDot,    &kConvolution,
                                       &kReduce,       &kTranspose,       &kFft,       &kSort,   &kFusion,
                                       &kCholesky,     &kTriangularSolve, &kCompare,   &kSelect, &kScatter,
                                       &kReduceWindow, &kLoops,           &kGather};

struct Records {
  std::deque<Op> ops;
  OpOverrides overrides;
  std::vector<std::string_view> names;

  Records() {
    for (const Family* family : kFamilies) {
      for (const std::string_view name : family->ops) {
        const Op* const right = FindOp(name);
        Op& op = ops.emplace_back(WithKernel(*right));
        op.evaluation.kernel = family->kernel;
        if (family->evaluate != nullptr) op.evaluation.evaluate = family->evaluate;
        op.evaluation.prepare = family->prepare;
        overrides[right] = &op;
        names.push_back(right->name);
      }
    }
    std::ranges::sort(names);
  }
};

const Records& AllRecords() {
  static const Records records;
  return records;
}

}  // namespace

const std::vector<std::string_view>& AcceleratedOps() { return AllRecords().names; }
const OpOverrides& Overrides() { return AllRecords().overrides; }

}  // namespace assay::simd

namespace assay {
namespace {

// The reference with these bodies, on modules whose element-wise instructions are fused.
class SimdBackend final : public Backend {
 public:
  const BackendDescription& description() const override { return evaluator_.description(); }

  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override {
    if (!simd::MayFuse(module)) return evaluator_.Compile(module);
    std::unique_ptr<HloModule> fused = CloneModule(module);
    simd::FuseDequantizedProducts(*fused);
    simd::Fuse(*fused);
    return evaluator_.Compile(std::move(fused));
  }

 private:
  ReferenceBackend evaluator_{"simd", simd::Overrides(),
                              std::vector<std::string>(simd::AcceleratedOps().begin(), simd::AcceleratedOps().end())};
};

}  // namespace

const BackendKind backend_simd = {
    .name = "simd",
    .form = "simd",
    .profile = "simd",
    .open = [](std::optional<std::string_view> argument, double) -> Result<std::unique_ptr<Backend>> {
      if (argument) return Error{ErrorCode::kUsage, "the backend simd takes nothing behind a colon"};
      return std::unique_ptr<Backend>(std::make_unique<SimdBackend>());
    },
};

}  // namespace assay
