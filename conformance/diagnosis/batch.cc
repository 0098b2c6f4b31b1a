#include "conformance/diagnosis/batch.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "conformance/diagnosis/steps.h"
#include "conformance/diagnosis/subject.h"
#include "conformance/judging/instruction_values.h"
#include "conformance/judging/judge_case.h"
#include "conformance/judging/module_report.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// A dimension of a parameter that may be one of a batch; `is_of_all` if every array of the module has it.
struct CutDimension {
  int parameter = 0;
  std::int64_t dimension = 0;
  std::int64_t size = 0;
  bool is_of_all = false;
};

// Returns the module on the first or last element of a dimension; nothing if no shapes fit.
std::optional<Subject> CutTo(const Subject& whole, const CutDimension& cut, bool is_last) {
  Candidate candidate = Candidate::Of(whole);
  const auto change = [&](const HloInstruction& instruction, Shape& shape) {
    const bool is_parameter =
        instruction.op->role == OpRole::kParameter && instruction.parameter_number == cut.parameter;
    const bool has_size =
        shape.IsArray() && shape.rank() > cut.dimension && shape.dimensions(cut.dimension) == cut.size;
    if (has_size && (cut.is_of_all || is_parameter)) shape.set_dimensions(cut.dimension, 1);
  };
  if (!ChangeShapes(candidate, change, is_last)) return std::nullopt;
  return Finish(std::move(candidate));
}

// Returns the part of a whole result that has the shape of `alone`: the first or last element of the one dimension that
// is longer. Returns nothing if the shapes differ in another way.
std::optional<Literal> PartOf(const Literal& whole, const Shape& alone, bool is_last) {
  const Shape& shape = whole.shape();
  if (!alone.IsArray() || shape.rank() != alone.rank()) return std::nullopt;
  std::int64_t cut = -1;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (shape.dimensions(d) == alone.dimensions(d)) continue;
    if (cut >= 0 || alone.dimensions(d) != 1) return std::nullopt;
    cut = d;
  }
  if (cut < 0) return std::nullopt;
  return Fitted(whole, alone, is_last);
}

// Compares the results of one backend in the batch and alone.
class BatchRun {
 public:
  BatchRun(Backend& backend, Subject whole, const Profile& profile, const EvaluationLimits& limits)
      : backend_(backend), whole_(std::move(whole)), profile_(profile), limits_(limits) {}

  Result<std::vector<BatchDimension>> Find() {
    ASSAY_TRY(want_, EvaluateRoot(*whole_.module, whole_.arguments, limits_));
    std::vector<BatchDimension> found;
    if (!want_.want.shape().IsArray()) return found;
    for (const CutDimension& cut : Candidates()) {
      const auto is_same = [&](const BatchDimension& one) {
        return one.parameter == cut.parameter && one.dimension == cut.dimension;
      };
      if (std::ranges::any_of(found, is_same)) continue;
      const std::optional<Part> first = PartAlong(cut, false), last = first ? PartAlong(cut, true) : std::nullopt;
      if (!last) continue;
      ASSAY_CHECK_OK(RunWhole());
      BatchDimension dimension = {cut.parameter, cut.dimension, cut.size, true, Verdict::kExact, "", "", "", ""};
      for (const Part* part : {&*first, &*last}) Compare(*part, dimension);
      found.push_back(std::move(dimension));
    }
    return found;
  }

 private:
  // The module on one element, and the reference's values there.
  struct Part {
    Subject subject;
    InstructionValues want;
    bool is_last = false;
  };

  std::vector<CutDimension> Candidates() const {
    std::vector<CutDimension> cuts;
    std::vector<std::pair<std::int64_t, std::int64_t>> of_all;
    for (const HloInstruction* parameter : whole_.module->entry->Parameters()) {
      if (!parameter->shape.IsArray()) continue;
      for (std::int64_t d = 0; d < parameter->shape.rank(); ++d) {
        const std::int64_t size = parameter->shape.dimensions(d);
        if (size < 2) continue;
        cuts.push_back({static_cast<int>(parameter->parameter_number), d, size, false});
        if (std::ranges::count(of_all, std::pair(d, size)) > 0) continue;
        of_all.emplace_back(d, size);
        if (whole_.module->entry->Parameters().size() > 1) {
          cuts.push_back({static_cast<int>(parameter->parameter_number), d, size, true});
        }
      }
    }
    return cuts;
  }

  // Returns nothing if the reference's result alone is not that in the batch.
  std::optional<Part> PartAlong(const CutDimension& cut, bool is_last) const {
    std::optional<Subject> subject = CutTo(whole_, cut, is_last);
    if (!subject) return std::nullopt;
    Result<InstructionValues> want =
        WithoutThrowing([&] { return EvaluateRoot(*subject->module, subject->arguments, limits_); });
    if (!want) return std::nullopt;
    const std::optional<Literal> in_batch = PartOf(want_.want, want->want.shape(), is_last);
    if (!in_batch || CompareExactly(*in_batch, want->want).not_exact > 0) return std::nullopt;
    return Part{*std::move(subject), *std::move(want), is_last};
  }

  Status RunWhole() {
    if (got_) return {};
    ASSAY_TRY(PerDevice<Literal> results, backend_.Run(*whole_.module, whole_.arguments));
    got_ = std::move(results.front());
    return {};
  }

  void Compare(const Part& part, BatchDimension& dimension) {
    const Result<PerDevice<Literal>> alone = backend_.Run(*part.subject.module, part.subject.arguments);
    if (!alone) {
      const Judgement failed = JudgementOf(alone.error());
      if (failed.verdict > dimension.verdict) dimension.verdict = failed.verdict;
      dimension.is_invariant = false;
      dimension.reason = failed.reason;
      return;
    }
    const Literal in_batch = *PartOf(*got_, part.want.want.shape(), part.is_last);
    const Judgement difference = CompareExactly(in_batch, alone->front());
    if (difference.not_exact == 0) return;
    if (dimension.is_invariant) {
      dimension.is_invariant = false;
      dimension.verdict = std::max(dimension.verdict, Verdict::kLegal);
      dimension.element = difference.worst.name;
      dimension.in_batch = difference.worst.want;
      dimension.alone = difference.worst.got;
    }
    Worsen(JudgeCase(backend_, *whole_.module, whole_.arguments, want_, *got_, profile_, limits_), dimension);
    Worsen(
        JudgeCase(backend_, *part.subject.module, part.subject.arguments, part.want, alone->front(), profile_, limits_),
        dimension);
  }

  static void Worsen(const Judgement& judgement, BatchDimension& dimension) {
    if (judgement.verdict < dimension.verdict) return;
    dimension.verdict = judgement.verdict;
    dimension.reason = judgement.reason;
  }

  Backend& backend_;
  const Subject whole_;
  const Profile& profile_;
  const EvaluationLimits limits_;
  InstructionValues want_;
  std::optional<Literal> got_;
};

}  // namespace

Result<std::vector<BatchDimension>> FindBatchDimensions(Backend& backend, const HloModule& module,
                                                        const DeviceValues& arguments, const Profile& profile,
                                                        const EvaluationLimits& limits) {
  if (arguments.size() != 1) return std::vector<BatchDimension>();
  Subject whole = {CloneModule(module), arguments};
  return WithoutThrowing([&] { return BatchRun(backend, std::move(whole), profile, limits).Find(); });
}

}  // namespace assay
