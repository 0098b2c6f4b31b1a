#include "fuzz/measure/surviving_mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "conformance/judging/compare.h"
#include "conformance/judging/instruction_values.h"
#include "fuzz/generate/instructions.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"

namespace assay {
using namespace generate;
namespace {

constexpr std::int64_t kSizes[] = {8, 24, 80};
constexpr std::int64_t kManyElements = 4096;
constexpr std::int64_t kKept = 4;  // elements of an element-wise case

std::optional<JudgedCase> Judged(std::shared_ptr<const HloModule> module, DeviceValues arguments) {
  Result<InstructionValues> root = EvaluateRoot(*module, arguments, {});
  if (!root) return std::nullopt;
  return JudgedCase{"", std::move(module), std::move(arguments), Flat(root->operands), std::move(root->want)};
}

bool AreArrays(const std::vector<Literal>& values) {
  return std::ranges::all_of(values, [](const Literal& value) { return value.shape().IsArray(); });
}

// Draws a case; values from the host and tuples cannot be arguments of a golden.
std::optional<JudgedCase> Drawn(Random& random, const Op& op, const DrawConstraints& constraints) {
  Result<DrawnInstruction> drawn = TryDrawInstruction(random, op, constraints);
  if (!drawn || !std::ranges::all_of(drawn->from_host, &std::vector<Literal>::empty)) return std::nullopt;
  if (!std::ranges::all_of(drawn->operands, AreArrays)) return std::nullopt;
  return Judged(std::move(drawn->module), std::move(drawn->operands));
}

// Returns the same instruction on vectors of `elements` elements; nothing if that is illegal.
std::shared_ptr<HloModule> OnVectors(const HloModule& module, std::int64_t elements) {
  auto resized = std::shared_ptr<HloModule>(CloneModule(module));
  const auto resize = [&](Shape& shape) {
    if (shape.rank() > 0) shape = ShapeUtil::MakeShape(shape.element_type(), {elements});
  };
  for (const auto& instruction : resized->entry->instructions) resize(instruction->shape);
  for (Shape& shape : resized->entry_parameter_layouts) resize(shape);
  resize(resized->entry_result_layout);
  return VerifyHloModule(*resized) ? resized : nullptr;
}

bool IsElementwise(const HloModule& module) {
  const HloInstruction& root = *module.entry->root;
  return root.op->evaluation.kernel != nullptr && root.shape.IsArray() && root.shape.rank() > 0 &&
         !root.shape.IsDynamic() && module.device_count() == 1 &&
         std::ssize(module.entry->instructions) == std::ssize(root.operands) + 1;
}

// Returns an instruction of one operand on every number of its type, for floats and unsigned integers of at most 16
// bits.
std::optional<JudgedCase> OnAllNumbers(const JudgedCase& judged) {
  if (!IsElementwise(*judged.module) || judged.arguments[0].size() != 1) return std::nullopt;
  const PrimitiveType type = judged.arguments[0][0].element_type();
  if (IsComplexType(type) || BitWidth(type) > 16 || judged.arguments[0][0].shape().rank() == 0) return std::nullopt;
  const std::int64_t count = std::int64_t{1} << BitWidth(type), bytes = StorageBytes(type);
  const auto module = OnVectors(*judged.module, count);
  if (module == nullptr || type == PRED || IsSignedIntegralType(type)) return std::nullopt;
  Literal all(ShapeUtil::MakeShape(type, {count}));
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(all.mutable_data() + i * bytes, &i, bytes);
  return Judged(module, {{std::move(all)}});
}

std::vector<JudgedCase> ProbesOf(const Op& op, std::int64_t count, std::uint64_t seed) {
  std::vector<JudgedCase> probes;
  const auto drawable = DrawableOps();
  if (std::ranges::find(drawable, &op) == drawable.end()) return probes;
  Random random(seed);
  for (const PrimitiveType type : ArrayTypes()) {
    if (!op.legality.types.contains(type)) continue;
    bool has_all = false;
    for (std::int64_t i = 0; i < count; ++i) {
      DrawConstraints constraints;
      constraints.types = TypesOf(type);
      constraints.most_elements = op.evaluation.kernel != nullptr ? kManyElements : kSizes[i % std::size(kSizes)];
      auto judged = Drawn(random, op, constraints);
      if (!judged) continue;
      if (auto all = has_all ? std::nullopt : OnAllNumbers(*judged)) {
        has_all = true;
        probes.push_back(*std::move(all));
      }
      probes.push_back(*std::move(judged));
    }
  }
  return probes;
}

// Returns a mutant's result for a case; nothing if the mutant changes no instruction or the changed one cannot be
// evaluated.
std::optional<Literal> GotBy(const Mutant& mutant, const JudgedCase& judged) {
  std::unique_ptr<HloModule> changed = CloneModule(*judged.module);
  if (!EditModule(mutant, changed)) return std::nullopt;
  MutantBackend backend(mutant);
  const auto outputs = backend.Run(*judged.module, judged.arguments);
  if (!outputs) return std::nullopt;
  return OfAllDevices(*outputs);
}

bool Kills(const JudgedCase& judged, const Mutant& mutant, const Profile& profile) {
  const std::optional<Literal> got = GotBy(mutant, judged);
  if (!got || CompareExactly(judged.want, *got).verdict == Verdict::kExact) return false;
  const HloInstruction& root = *judged.module->entry->root;
  return IsFailure(JudgeInstruction(root, judged.root_operands, judged.want, *got, profile).verdict);
}

Literal Picked(const Literal& array, const std::vector<std::int64_t>& offsets) {
  if (array.shape().IsScalar()) return array;
  Literal picked(ShapeUtil::MakeShape(array.element_type(), {std::ssize(offsets)}));
  const std::int64_t bytes = StorageBytes(array.element_type());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    std::memcpy(picked.mutable_data() + static_cast<std::int64_t>(i) * bytes, array.data() + offsets[i] * bytes, bytes);
  }
  return picked;
}

// Reduces an element-wise instruction to the elements that a mutant changes.
std::optional<JudgedCase> Shrunk(const JudgedCase& judged, const Mutant& mutant) {
  if (!IsElementwise(*judged.module)) return std::nullopt;
  const std::optional<Literal> got = GotBy(mutant, judged);
  std::vector<std::int64_t> differing;
  const std::int64_t bytes = StorageBytes(got->element_type());
  for (std::int64_t i = 0; i < got->element_count() && std::ssize(differing) < kKept; ++i) {
    if (std::memcmp(got->data() + i * bytes, judged.want.data() + i * bytes, bytes) != 0) differing.push_back(i);
  }
  const auto module = OnVectors(*judged.module, std::ssize(differing));
  if (module == nullptr) return std::nullopt;
  DeviceValues arguments = judged.arguments;
  for (Literal& argument : arguments[0]) argument = Picked(argument, differing);
  return Judged(std::move(module), std::move(arguments));
}

// Returns the text that all modules of a file share.
std::string HeaderOf(const HloModule& module) {
  std::string header;
  if (module.replica_count > 1) header += fmt::format("_{}_replicas", module.replica_count);
  if (module.num_partitions > 1) header += fmt::format("_{}_partitions", module.num_partitions);
  return header;
}

// Moves a module's computations into another one and renames them.
void MoveInto(HloModule& target, HloModule& from, const std::string& entry_name) {
  std::size_t number = 0;
  from.entry->name = entry_name;
  for (auto& computation : from.computations) {
    if (computation.get() != from.entry) computation->name = fmt::format("{}_{}", entry_name, ++number);
    computation->module = &target;
    for (const auto& instruction : computation->instructions) instruction->annotations.erase("metadata");
    target.computations.push_back(std::move(computation));
  }
}

// Returns OPERATOR_DETAIL.
std::string NameOf(const Mutant& mutant) {
  std::string name(mutant.made_by);
  const std::size_t detail = mutant.made_by.size() + mutant.op.size() + 2;
  if (mutant.id.size() > detail) name += "_" + mutant.id.substr(detail);
  return name;
}

// Returns the elements in the form of a golden: integers, and the bits of floats.
std::string WordsOf(const Literal& array) {
  std::string text = array.shape().ToStringWithoutLayout();
  const bool is_complex = IsComplexType(array.element_type());
  const PrimitiveType type = ComplexComponentType(array.element_type());
  const std::int64_t bytes = StorageBytes(type);
  for (std::int64_t i = 0; i < (is_complex ? 2 : 1) * array.element_count(); ++i) {
    if (!IsFloatingPointType(type)) {
      text += IsUnsignedIntegralType(type) ? fmt::format(" {}", static_cast<std::uint64_t>(array.IntegerAt(i)))
                                           : fmt::format(" {}", array.IntegerAt(i));
      continue;
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, array.data() + i * bytes, bytes);
    text += fmt::format(" x{:x}", bits);
  }
  return text;
}

PrintOptions PlainText() {
  PrintOptions options = PrintOptions::Exact();
  options.percent = false;
  options.program_shape = false;
  options.operand_comments = false;
  options.metadata = false;
  return options;
}

}  // namespace

SurvivingMutants FindSurvivingMutants(std::string_view op, const std::vector<const Mutant*>& mutants,
                                      std::int64_t count, std::uint64_t seed, const Profile& profile) {
  SurvivingMutants found;
  if (mutants.empty()) return found;
  std::vector<JudgedCase> probes = ProbesOf(*FindOp(op), count, seed);
  std::ranges::stable_sort(probes, {}, [](const JudgedCase& judged) { return judged.want.element_count(); });
  for (const Mutant* mutant : mutants) {
    const auto kills = [&](const JudgedCase& judged) { return Kills(judged, *mutant, profile); };
    auto known = std::ranges::find_if(found.cases, kills);
    if (known == found.cases.end()) {
      const auto probe = std::ranges::find_if(probes, kills);
      if (probe == probes.end()) continue;
      std::optional<JudgedCase> small = Shrunk(*probe, *mutant);
      found.cases.push_back(small && kills(*small) ? *std::move(small) : *probe);
      known = found.cases.end() - 1;
    }
    found.holes.push_back({mutant, static_cast<std::size_t>(known - found.cases.begin())});
  }
  return found;
}

namespace {

struct GoldenText {
  std::unique_ptr<HloModule> module;  // of all cases
  std::string directives;
};

// Returns the module with one more case; null if it cannot contain both.
std::unique_ptr<HloModule> With(const HloModule& all, const HloModule& one, const std::string& name) {
  std::unique_ptr<HloModule> merged = CloneModule(all), added = CloneModule(one);
  MoveInto(*merged, *added, name);
  return VerifyHloModule(*merged) ? std::move(merged) : nullptr;
}

std::string DirectivesOf(const JudgedCase& judged, const std::string& name, const Mutant& mutant) {
  std::string text = fmt::format("//! case {} not so: {}\n//! entry {}\n", name, mutant.rule, name);
  for (const std::vector<Literal>& device : judged.arguments) {
    for (const Literal& argument : device) text += fmt::format("//! arg {}\n", WordsOf(argument));
  }
  return text;
}

// Returns a copy with no other computations than those of the case, under names that begin with `entry`.
std::unique_ptr<HloModule> Alone(const HloModule& module, const std::string& entry) {
  std::unique_ptr<HloModule> alone = CloneModule(module);
  alone->name.clear();
  HloModule all;
  const HloInstruction* const root = alone->entry->root;
  MoveInto(all, *alone, entry);
  alone->computations = std::move(all.computations);
  for (const auto& computation : alone->computations) {
    computation->module = alone.get();
    if (computation->root == root) alone->entry = computation.get();
  }
  return alone;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> GoldensOf(std::string_view op, const SurvivingMutants& holes,
                                                           std::string_view name) {
  std::map<std::string, std::vector<GoldenText>> by_header;
  for (std::size_t i = 0; i < holes.cases.size(); ++i) {
    const JudgedCase& judged = holes.cases[i];
    const Mutant& mutant = *std::ranges::find(holes.holes, i, &Hole::probe)->mutant;
    const std::string entry = NameOf(mutant);
    std::vector<GoldenText>& texts = by_header[HeaderOf(*judged.module)];
    std::unique_ptr<HloModule> merged;
    const auto place = std::ranges::find_if(texts, [&](const GoldenText& text) {
      merged = With(*text.module, *judged.module, entry);
      return merged != nullptr;
    });
    GoldenText& text = place == texts.end() ? texts.emplace_back() : *place;
    text.module = merged != nullptr ? std::move(merged) : Alone(*judged.module, entry);
    text.directives += DirectivesOf(judged, entry, mutant);
  }
  std::vector<std::pair<std::string, std::string>> files;
  for (auto& [header, texts] : by_header) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string file = fmt::format("{}{}{}", name, header, i == 0 ? "" : fmt::format("_{}", i + 1));
      HloModule& module = *texts[i].module;
      module.name = fmt::format("{}_{}", op, file);
      std::ranges::replace(module.name, '-', '_');
      files.emplace_back(fmt::format("{}/{}.hlo", op, file),
                         PrintHloModule(module, PlainText()) + "\n" + texts[i].directives);
    }
  }
  return files;
}

}  // namespace assay
