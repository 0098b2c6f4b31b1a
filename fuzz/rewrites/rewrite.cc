#include "fuzz/rewrites/rewrite.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "fuzz/generate/values.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/op.h"

namespace assay {
using namespace generate;
namespace {

constexpr int kRewriteTries = 4;

// True for call, while and conditional, which run a computation on whole values, unlike the scalar computations of
// reduce or sort.
bool RunsWhatItCalls(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kCall
             ? !instruction.op->legality.fuses
             : instruction.op->name == "while" || instruction.op->name == "conditional";
}

std::vector<HloComputation*> ComputationsThatRun(const HloModule& module) {
  std::vector<HloComputation*> found = {module.entry};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& instruction : found[i]->instructions) {
      if (!RunsWhatItCalls(*instruction)) continue;
      for (HloComputation* called : instruction->CalledComputations()) {
        if (std::ranges::count(found, called) == 0) found.push_back(called);
      }
    }
  }
  return found;
}

// Returns the sites of a module, without instructions that an earlier rewrite left without users.
std::vector<HloInstruction*> SitesOf(const HloModule& module) {
  std::vector<HloInstruction*> sites;
  for (const HloComputation* computation : ComputationsThatRun(module)) {
    std::vector<const HloInstruction*> used = {computation->root};
    for (const auto& instruction : computation->instructions) {
      used.insert(used.end(), instruction->operands.begin(), instruction->operands.end());
    }
    std::ranges::sort(used);
    for (const auto& instruction : computation->instructions) {
      const bool is_site = instruction->shape.IsFixedArray() || RunsWhatItCalls(*instruction);
      if (is_site && std::ranges::binary_search(used, instruction.get())) sites.push_back(instruction.get());
    }
  }
  return sites;
}

// Replaces `from` by `to` in all uses that existed before, or in one of them.
void Divert(HloInstruction& from, HloInstruction& to, const std::vector<const HloInstruction*>& before,
            Random& random) {
  std::vector<HloInstruction**> uses;
  for (const auto& instruction : from.parent->instructions) {
    if (std::ranges::count(instruction->operands, &from) == 0) continue;
    if (!std::ranges::binary_search(before, instruction.get())) continue;
    for (HloInstruction*& operand : instruction->operands) {
      if (operand == &from) uses.push_back(&operand);
    }
  }
  if (from.parent->root == &from) uses.push_back(&from.parent->root);
  if (uses.empty()) return;
  if (random.OneIn(3)) {
    *random.OneOf(uses) = &to;
    return;
  }
  for (HloInstruction** use : uses) *use = &to;
}

// Returns all instructions, sorted by address.
std::vector<const HloInstruction*> InstructionsOf(const HloModule& module) {
  std::vector<const HloInstruction*> all;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) all.push_back(instruction.get());
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace

Applied Apply(Candidate& candidate, Random& random, const Rewrite& rewrite) {
  std::vector<HloInstruction*> sites = SitesOf(*candidate.module);
  random.Shuffle(sites);
  const std::vector<const HloInstruction*> before = InstructionsOf(*candidate.module);
  for (HloInstruction* at : sites) {
    Site site(candidate, *at, random);
    HloInstruction* same = rewrite.same(site);
    if (same == nullptr) continue;
    if (!(same->shape == at->shape)) same = site.Add("copy", {same}, {}, at->shape);
    if (site.has_failed()) return Applied::kFailed;
    Divert(*at, *same, before, random);
    return Applied::kYes;
  }
  return Applied::kNowhere;
}

Site::Site(Candidate& candidate, HloInstruction& at, Random& random)
    : candidate_(candidate), at_(at), random_(random) {}

HloInstruction* Site::Place(std::unique_ptr<HloInstruction> instruction) {
  auto& all = at_.parent->instructions;
  instruction->parent = at_.parent;
  const auto place = static_cast<std::ptrdiff_t>(PlaceOf(at_) + ++added_);
  return all.insert(all.begin() + place, std::move(instruction))->get();
}

HloInstruction* Site::Add(std::string_view op, std::vector<HloInstruction*> operands, std::vector<Attribute> attributes,
                          std::optional<Shape> shape) {
  auto instruction = std::make_unique<HloInstruction>();
  instruction->op = FindOp(op);
  instruction->name = op;
  instruction->operands = std::move(operands);
  instruction->attributes = std::move(attributes);
  if (shape) instruction->shape = *std::move(shape);
  HloInstruction& added = *Place(std::move(instruction));
  Result<Shape> inferred = added.op->legality.infer(added);
  if (!inferred) {
    has_failed_ = true;
    return &at_;
  }
  if (shape) return &added;
  added.shape = *std::move(inferred);
  if (added.op->RuleForLayouts() != LayoutRule::kKept || !added.shape.IsArray()) return &added;
  for (const HloInstruction* operand : added.operands) {
    if (operand->shape.IsArray() && operand->shape.rank() == added.shape.rank() && operand->shape.has_layout()) {
      added.shape.set_layout(operand->shape.layout());
    }
  }
  return &added;
}

HloInstruction* Site::Again(std::vector<HloInstruction*> operands, const Shape& shape) {
  auto instruction = std::make_unique<HloInstruction>(at_);
  instruction->operands = std::move(operands);
  instruction->shape = shape;
  instruction->control_predecessors.clear();
  return Place(std::move(instruction));
}

HloInstruction* Site::Constant(Literal literal) {
  auto instruction = MakeInstruction(OpRole::kConstant, literal.shape());
  instruction->literal = std::move(literal);
  return Place(std::move(instruction));
}

HloInstruction* Site::Scalar(PrimitiveType type, double number) { return Constant(ScalarOf(type, number)); }

HloInstruction* Site::Filled(const Shape& shape, double number) {
  HloInstruction* scalar = Scalar(shape.element_type(), number);
  return Add("broadcast", {scalar}, {{"dimensions", Int64List{}}}, shape);
}

HloInstruction* Site::Slice(HloInstruction* value, std::int64_t dimension, std::int64_t start, std::int64_t limit,
                            std::int64_t stride) {
  SliceConfig slice;
  Shape shape = value->shape;
  for (const std::int64_t size : shape.dimensions()) slice.push_back({0, size, 1});
  slice[dimension] = {start, limit, stride};
  shape.set_dimensions(dimension, (limit - start + stride - 1) / stride);
  return Add("slice", {value}, {{"slice", slice}}, shape);
}

HloInstruction& Site::Inline(const HloComputation& callee, const std::vector<HloInstruction*>& arguments) {
  HloComputation& into = *at_.parent;
  const std::size_t before = into.instructions.size();
  HloInstruction& root = InlineAt(into, PlaceOf(at_) + added_ + 1, callee, arguments);
  added_ += into.instructions.size() - before;
  return root;
}

HloInstruction& Site::Inline(std::unique_ptr<HloModule> other, const std::vector<HloInstruction*>& arguments) {
  auto& own = candidate_.module->computations;
  auto& taken = other->computations;
  const auto entry = std::ranges::find(taken, other->entry, [](const auto& one) { return one.get(); });
  const std::unique_ptr<HloComputation> inlined = std::move(*entry);
  taken.erase(entry);
  for (const auto& computation : taken) computation->module = candidate_.module.get();
  const auto caller = std::ranges::find(own, at_.parent, [](const auto& one) { return one.get(); });
  own.insert(caller, std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
  return Inline(*inlined, arguments);
}

HloComputation& Site::NewComputation(std::string_view name, const std::vector<Shape>& parameters) {
  HloModule& module = *candidate_.module;
  HloComputation& made = module.AddComputation(std::string(name));
  const auto caller = std::ranges::find(module.computations, at_.parent, [](const auto& one) { return one.get(); });
  std::rotate(caller, module.computations.end() - 1, module.computations.end());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    HloInstruction& parameter = InsertAt(made, i, OpRole::kParameter, parameters[i]);
    parameter.parameter_number = static_cast<std::int64_t>(i);
    made.root = &parameter;
  }
  return made;
}

HloComputation& Site::Outlined() {
  std::vector<Shape> shapes;
  for (const HloInstruction* operand : at_.operands) shapes.push_back(operand->shape);
  HloComputation& made = NewComputation("outlined", shapes);
  auto instruction = std::make_unique<HloInstruction>(at_);
  for (std::size_t i = 0; i < shapes.size(); ++i) instruction->operands[i] = made.instructions[i].get();
  instruction->control_predecessors.clear();
  made.root = &made.Add(std::move(instruction));
  return made;
}

bool IsRepeatable(const HloInstruction& instruction) {
  const Op& op = *instruction.op;
  return instruction.shape.IsArray() && op.role == OpRole::kOrdinary && !op.evaluation.has_side_effect &&
         !op.evaluation.depends_on_device && op.legality.done.empty() && instruction.CalledComputations().empty();
}

Int64List InverseOf(const Int64List& permutation) {
  Int64List inverse(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i) inverse[permutation[i]] = static_cast<std::int64_t>(i);
  return inverse;
}

std::vector<Rewrite> AllRewrites() {
  std::vector<Rewrite> all;
  for (const auto some : {RewritesOfPlaces(), RewritesOfNumbers(), RewritesOfInstructions(), RewritesOfCalls()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

namespace {

// The time at which legality of the whole module is checked.
enum class Looks { kAtTheEnd, kAtEachStep };

// Returns nothing if the result is illegal and legality is only checked at the end.
std::optional<Rewritten> ApplySome(const Subject& subject, Random& random, std::int64_t count,
                                   std::span<const Rewrite> rewrites, Looks looks) {
  Rewritten result = {subject, {}};
  Candidate candidate = Candidate::Of(subject);
  for (int i = 0; i < kRewriteTries * count && std::ssize(result.rewrites) < count; ++i) {
    const Rewrite rewrite = random.OneOf(rewrites);
    const Applied applied = Apply(candidate, random, rewrite);
    if (applied == Applied::kNowhere) continue;
    if (looks == Looks::kAtTheEnd) {
      if (applied == Applied::kFailed) return std::nullopt;
      result.rewrites.push_back(rewrite.name);
      continue;
    }
    std::optional<Subject> next = applied == Applied::kYes ? Finish(std::move(candidate)) : std::nullopt;
    if (next) {
      result.subject = *std::move(next);
      result.rewrites.push_back(rewrite.name);
    }
    candidate = Candidate::Of(result.subject);
  }
  if (looks == Looks::kAtEachStep || result.rewrites.empty()) return result;
  std::optional<Subject> finished = Finish(std::move(candidate));
  if (!finished) return std::nullopt;
  result.subject = *std::move(finished);
  return result;
}

}  // namespace

std::optional<Rewritten> RewriteSome(const Subject& subject, Random& random, std::int64_t count,
                                     std::span<const Rewrite> rewrites) {
  // Rewrites that are legal alone are seldom illegal together.
  const Random before = random;
  std::optional<Rewritten> result = ApplySome(subject, random, count, rewrites, Looks::kAtTheEnd);
  if (!result) {
    random = before;
    result = ApplySome(subject, random, count, rewrites, Looks::kAtEachStep);
  }
  if (result->rewrites.empty()) return std::nullopt;
  return result;
}

}  // namespace assay
