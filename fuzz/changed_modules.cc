#include "fuzz/changed_modules.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "conformance/cases/golden.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/module_file.h"
#include "diagnosis/shapes.h"
#include "diagnosis/steps.h"
#include "generate/attributes.h"
#include "generate/values.h"
#include "interpreter/hlo/fill.h"
#include "interpreter/hlo/op.h"

namespace assay {
using namespace generate;
namespace {

constexpr int kChangeTries = 6;
constexpr std::uint64_t kInputSeed = 1;

using Change = bool (*)(Candidate& candidate, Random& random);

HloInstruction& AnyOf(const HloComputation& computation, Random& random) {
  return *computation.instructions[static_cast<std::size_t>(random.Below(std::ssize(computation.instructions)))];
}

HloInstruction& AnyInstruction(Candidate& candidate, Random& random) {
  const auto& all = candidate.module->computations;
  return AnyOf(*all[static_cast<std::size_t>(random.Below(std::ssize(all)))], random);
}

// True if the instruction may be a loop counter. Counters are not changed: most changed loops never end.
bool MayCount(const HloInstruction& instruction) {
  const bool is_real = instruction.shape.IsArray() && IsFloatingPointType(instruction.shape.element_type());
  return instruction.parent != instruction.parent->module->entry && !is_real;
}

bool IsPlainElementWise(const Op& op) {
  return op.evaluation.kernel != nullptr && op.syntax.shape_is_inferable &&
         std::ranges::none_of(op.syntax.attributes, &AttributeSpec::required);
}

bool OtherOp(Candidate& candidate, Random& random) {
  HloInstruction& changed = AnyInstruction(candidate, random);
  if (!IsPlainElementWise(*changed.op) || MayCount(changed)) return false;
  std::vector<const Op*> others;
  for (const Op* op : AllOps()) {
    if (op != changed.op && IsPlainElementWise(*op) && op->legality.arity.min == std::ssize(changed.operands)) {
      others.push_back(op);
    }
  }
  if (others.empty()) return false;
  changed.op = random.OneOf(others);
  changed.attributes.clear();
  changed.result_accuracy.reset();
  const Result<Shape> shape = changed.op->legality.infer(changed);
  return shape && ShapeUtil::Compatible(*shape, changed.shape);
}

bool OtherOperand(Candidate& candidate, Random& random) {
  HloInstruction& changed = AnyInstruction(candidate, random);
  if (changed.operands.empty() || MayCount(changed)) return false;
  HloInstruction*& operand = changed.operands[static_cast<std::size_t>(random.Below(std::ssize(changed.operands)))];
  std::vector<HloInstruction*> others;
  for (const auto& instruction : changed.parent->instructions) {
    if (instruction.get() == &changed) break;
    if (instruction.get() != operand && instruction->shape == operand->shape) others.push_back(instruction.get());
  }
  if (others.empty()) return false;
  operand = random.OneOf(others);
  return true;
}

bool OtherAttribute(Candidate& candidate, Random& random) {
  HloInstruction& changed = AnyInstruction(candidate, random);
  if (changed.op->syntax.attributes.size() == 0 || MayCount(changed)) return false;
  const auto number = static_cast<std::size_t>(random.Below(std::ssize(changed.op->syntax.attributes)));
  const AttributeSpec& spec = changed.op->syntax.attributes[number];
  if (spec.kind != AttributeKind::kBool && spec.kind != AttributeKind::kEnum) return false;
  AttributeValue other = DrawAttributeValue(random, spec);
  if (std::holds_alternative<std::monostate>(other)) return false;
  changed.Set(spec.name, std::move(other));
  return InferShapesAfter(*candidate.module, changed);
}

// Replaces the values of an argument or constant. Only floats are replaced: integers may be indices or counters.
bool OtherValues(Candidate& candidate, Random& random) {
  std::vector<HloInstruction*> sources;
  for (const auto& instruction : candidate.module->entry->instructions) {
    const bool is_source = instruction->op->role == OpRole::kParameter || instruction->literal;
    if (!is_source || !instruction->shape.IsArray()) continue;
    if (IsFloatingPointType(instruction->shape.element_type())) sources.push_back(instruction.get());
  }
  if (sources.empty()) return false;
  HloInstruction& source = *random.OneOf(sources);
  const EdgeClass edge_class = random.OneOf(AllEdgeClasses());
  if (source.literal) {
    source.literal = DrawValue(random, source.shape, edge_class);
    return true;
  }
  for (std::size_t device = 0; device < candidate.arguments.size(); ++device) {
    candidate.ArgumentOf(source, device) = DrawValue(random, source.shape, edge_class);
  }
  return true;
}

// Makes an inner value the result: its users disappear, and fusion changes.
bool OtherRoot(Candidate& candidate, Random& random) {
  HloComputation& entry = *candidate.module->entry;
  HloInstruction& root = AnyOf(entry, random);
  if (!root.shape.IsArray() || root.op->role == OpRole::kParameter || &root == entry.root) return false;
  entry.root = &root;
  return true;
}

constexpr Change kChanges[] = {OtherOp, OtherOp, OtherOperand, OtherAttribute, OtherValues, OtherValues, OtherRoot};
// The edits of reduction also produce variants of any module.
constexpr std::vector<Edit> (*kEdits[])(const Subject&, const EvaluationLimits&) = {SizeEdits, TypeEdits,
                                                                                    AttributeEdits, OperandEdits};

std::optional<Subject> ChangeOnce(const Subject& subject, Random& random) {
  Candidate candidate = Candidate::Of(subject);
  if (random.OneIn(3)) {
    const std::vector<Edit> edits = random.OneOf(kEdits)(subject, {});
    if (edits.empty() || !random.OneOf(edits)(candidate)) return std::nullopt;
  } else if (!random.OneOf(kChanges)(candidate, random)) {
    return std::nullopt;
  }
  return Finish(std::move(candidate));
}

Result<NamedSubject> ReadSubject(const std::string& path) {
  ASSAY_TRY(const ModuleFile file, ReadModuleFile(path));
  ASSAY_TRY(std::unique_ptr<HloModule> module, ParseModuleFile(file.file_name, file.text));
  FillElidedConstants(*module, 0);
  InputOptions from_file;
  from_file.recorded = file.inputs;
  from_file.recorded_file = file.inputs_file;
  from_file.seed = kInputSeed;
  ASSAY_TRY(Inputs inputs, ReadInputs(*module, from_file));
  return NamedSubject{ModuleNameOf(path), {std::move(module), std::move(inputs.per_device)}};
}

}  // namespace

Result<std::vector<NamedSubject>> ReadSubjects(const std::string& path) {
  std::error_code error;
  std::vector<std::string> files = {path};
  if (std::filesystem::is_directory(path, error)) {
    ASSAY_TRY(files, FindModuleFiles(path));
    for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
      const std::string own = (entry.path() / "module.hlo").string();
      if (IsProgramOfItsOwn(own)) files.push_back(own);
    }
    std::ranges::sort(files);
    if (files.empty()) return Error{ErrorCode::kInput, path + ": no module in this folder"};
  }
  std::vector<NamedSubject> subjects;
  for (const std::string& file : files) {
    ASSAY_TRY(NamedSubject subject, ReadSubject(file));
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

Subject ChangeSome(const Subject& subject, Random& random, std::int64_t count) {
  Subject changed = subject;
  for (std::int64_t i = 0; i < kChangeTries * count && count > 0; ++i) {
    std::optional<Subject> next = ChangeOnce(changed, random);
    if (!next) continue;
    changed = *std::move(next);
    --count;
  }
  return changed;
}

}  // namespace assay
