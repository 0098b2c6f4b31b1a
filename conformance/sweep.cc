#include "conformance/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "conformance/compiled_module.h"
#include "interpreter/acceptance/elements.h"
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

// Works on one piece after the other with one backend.
class Worker {
 public:
  Worker(const Op& op, const SweepInputs& inputs, const Profile& profile, Backend& backend)
      : op_(op), inputs_(inputs), profile_(profile), backend_(backend) {}

  Result<ErrorSurvey> Measure(std::int64_t first, std::int64_t count) {
    return WithoutThrowing([&] { return MeasureOrThrow(first, count); });
  }
  // Whether it is the backend's fault that there was no result.
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
    Result<std::vector<Literal>> answer = compiled->Run({operands});
    has_backend_failed_ = !answer;
    ASSAY_TRY(const std::vector<Literal> got, std::move(answer));
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

int SweepOperands(const Op& op) { return op.arity.max; }

Status CheckSweepable(const Op& op, PrimitiveType type) {
  const auto no = [&](std::string_view why) {
    return Error{ErrorCode::kUnsupported, fmt::format("{} {}: {}", op.name, PrimitiveTypeName(type), why)};
  };
  if (op.kernel == nullptr || op.role != OpRole::kOrdinary) return no("not an element-wise operation");
  if (op.arity.min != op.arity.max || op.arity.max < 1 || op.arity.max > 2) {
    return no("only operations of one or two operands can be measured");
  }
  const bool is_complex = IsComplexType(type);
  if ((!is_complex && !IsFloatingPointType(type)) || !op.types.contains(type)) {
    return no("not a float type of the operation");
  }
  const Acceptance acceptance = is_complex ? op.RuleForComplex() : op.acceptance;
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
                                 const Profile& profile, std::span<const std::unique_ptr<Backend>> backends,
                                 SweepProgress& progress, const std::function<Status(const SweepProgress&)>& save) {
  std::mutex mutex;
  std::int64_t next = 0;
  std::optional<SweepEnd> end;
  // The next piece to do; none when all are given out or something has failed.
  const auto take = [&]() -> std::optional<std::int64_t> {
    const std::lock_guard lock(mutex);
    while (next < range.pieces() && progress.done.contains(next)) ++next;
    if (next >= range.pieces() || end) return std::nullopt;
    return next++;
  };
  const auto finish = [&](std::int64_t piece, const Result<ErrorSurvey>& survey, bool has_backend_failed) {
    const std::lock_guard lock(mutex);
    if (end) return;
    if (!survey) {
      end = {survey.error(), has_backend_failed};
      return;
    }
    progress.survey.Merge(*survey);
    progress.done.insert(piece);
    if (const Status saved = save(progress); !saved) end = {saved.error(), /*is_of_backend=*/false};
  };
  const auto work = [&](Backend& backend) {
    const DefaultFloatEnvironment environment;
    Worker worker(op, inputs, profile, backend);
    while (const std::optional<std::int64_t> piece = take()) {
      const std::int64_t first = range.first + *piece * range.piece;
      const auto survey = worker.Measure(first, std::min(range.piece, range.first + range.count - first));
      finish(*piece, survey, worker.has_backend_failed());
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < backends.size(); ++i) threads.emplace_back(work, std::ref(*backends[i]));
  work(*backends[0]);
  threads.clear();
  return end;
}

}  // namespace assay
