#include "conformance/sweeps/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "conformance/judging/compiled_module.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/hlo/suggest.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// ENTRY e { a = TYPE[n] parameter(0) ... ROOT r = OP(a, ...) }
Result<std::unique_ptr<HloModule>> ModuleOf(const Op& op, PrimitiveType type, std::int64_t elements) {
  std::string parameters, operands;
  for (int i = 0; i < SweepOperands(op); ++i) {
    parameters += fmt::format("  p{} = {}[{}] parameter({})\n", i, PrimitiveTypeName(type), elements, i);
    operands += fmt::format("{}p{}", i > 0 ? ", " : "", i);
  }
  ASSAY_TRY(std::unique_ptr<HloModule> module,
            ParseHloModule(fmt::format("HloModule sweep\n\nENTRY entry {{\n{}  ROOT result = {}({})\n}}\n", parameters,
                                       op.name, operands)));
  const std::vector<Error> errors = FindIllegal(*module);
  if (!errors.empty()) return errors[0];
  return module;
}

// Measures one piece after another with one backend.
class Worker {
 public:
  Worker(const Op& op, const SweepInputs& inputs, const Profile& profile, Backend& backend)
      : op_(op), inputs_(inputs), profile_(profile), backend_(backend) {}

  Result<ErrorSurvey> Measure(std::int64_t first, std::int64_t count) {
    return WithoutThrowing([&] { return MeasureOrThrow(first, count); });
  }
  // True if there is no result because the backend failed.
  bool has_backend_failed() const { return has_backend_failed_; }

 private:
  Result<CompiledModule*> ModuleFor(std::int64_t count) {
    auto found = modules_.find(count);
    if (found == modules_.end()) {
      ASSAY_TRY(std::unique_ptr<HloModule> module, ModuleOf(op_, inputs_.type(), count));
      found = modules_.emplace(count, CompiledModule(backend_, std::move(module))).first;
    }
    return &found->second;
  }

  Result<ErrorSurvey> MeasureOrThrow(std::int64_t first, std::int64_t count) {
    ASSAY_TRY(CompiledModule* const compiled, ModuleFor(count));
    const HloModule& module = compiled->module();
    const std::vector<Literal> operands = inputs_.Make(first, count);
    Result<PerDevice<Literal>> answer = compiled->Run({operands});
    has_backend_failed_ = !answer;
    ASSAY_TRY(const PerDevice<Literal> got, std::move(answer));
    ASSAY_TRY(const Literal want, Evaluate(module, operands));
    Literal flushed = want;
    std::vector<Literal> flushed_operands;
    for (const Literal& operand : operands) flushed_operands.push_back(WithSubnormalsFlushed(operand));
    const auto unchanged = [](const Literal& a, const Literal& b) { return a.BitwiseEqual(b); };
    if (!want.BitwiseEqual(got[0]) && !std::ranges::equal(operands, flushed_operands, unchanged)) {
      ASSAY_TRY(flushed, Evaluate(module, std::move(flushed_operands)));
    }
    ErrorSurvey survey(want.element_type());
    survey.Add(*module.entry->root, operands, want, flushed, got[0], first, profile_);
    return survey;
  }

  const Op& op_;
  const SweepInputs& inputs_;
  const Profile& profile_;
  Backend& backend_;
  bool has_backend_failed_ = false;
  std::map<std::int64_t, CompiledModule> modules_;  // by the number of elements
};

}  // namespace

Error UnknownOperation(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Op* op : AllOps()) names.push_back(op->name);
  return {ErrorCode::kUsage, fmt::format("unknown operation {}{}", name, Suggest(name, names))};
}

int SweepOperands(const Op& op) { return op.legality.arity.max; }

Status CheckSweepable(const Op& op, PrimitiveType type) {
  const auto no = [&](std::string_view why) {
    return Error{ErrorCode::kUnsupported, fmt::format("{} {}: {}", op.name, PrimitiveTypeName(type), why)};
  };
  if (op.evaluation.kernel == nullptr || op.role != OpRole::kOrdinary) return no("not an element-wise operation");
  if (op.legality.arity.min != op.legality.arity.max || op.legality.arity.max < 1 || op.legality.arity.max > 2) {
    return no("only operations of one or two operands can be measured");
  }
  const bool is_complex = IsComplexType(type);
  if ((!is_complex && !IsFloatingPointType(type)) || !op.legality.types.contains(type)) {
    return no("not a float type of the operation");
  }
  const Acceptance acceptance = is_complex ? AcceptanceOf(op).RuleForComplex() : AcceptanceOf(op).rule;
  if (acceptance != Acceptance::kExact && acceptance != Acceptance::kUlp) {
    return no("its results are not judged by a distance");
  }
  const auto module = ModuleOf(op, type, 1);
  if (!module) return no(module.error().message);
  const PrimitiveType result = (*module)->entry->root->shape.element_type();
  if (result != type && result != ComplexComponentType(type)) return no("its results are of another type");
  return {};
}

PrimitiveType SweepResultType(const Op& op, PrimitiveType type) {
  return (*ModuleOf(op, type, 1))->entry->root->shape.element_type();
}

std::optional<SweepEnd> RunSweep(const Op& op, const SweepInputs& inputs, const SweepRange& range,
                                 const Profile& profile, BackendPool& pool, SweepProgress& progress,
                                 const std::function<Status(const SweepProgress&)>& save) {
  std::vector<Worker> workers;
  for (int i = 0; i < pool.size(); ++i) workers.emplace_back(op, inputs, profile, pool.backend(i));
  std::vector<std::int64_t> pieces;
  for (std::int64_t piece = 0; piece < range.pieces(); ++piece) {
    if (!progress.done.contains(piece)) pieces.push_back(piece);
  }
  std::mutex mutex;
  std::optional<SweepEnd> end;
  pool.ForEach(static_cast<std::int64_t>(pieces.size()), [&](int i, std::int64_t item) {
    const std::int64_t first = range.first + pieces[item] * range.piece;
    const auto survey = workers[i].Measure(first, std::min(range.piece, range.first + range.count - first));
    const std::lock_guard lock(mutex);
    if (end) return false;
    if (!survey) {
      end = {survey.error(), workers[i].has_backend_failed()};
      return false;
    }
    progress.survey.Merge(*survey);
    progress.done.insert(pieces[item]);
    if (const Status saved = save(progress); !saved) end = {saved.error(), /*is_of_backend=*/false};
    return !end;
  });
  return end;
}

}  // namespace assay
