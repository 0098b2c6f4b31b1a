#include <algorithm>
#include <unordered_set>

#include "diagnosis/steps.h"
#include "diagnosis/values.h"

namespace assay {
namespace {

// Places in the entry.
using Kept = std::vector<std::size_t>;

bool IsGiven(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kParameter || instruction.op->role == OpRole::kConstant;
}

// Returns the subject with only these instructions and their operands.
std::optional<Subject> KeepOnly(const Subject& subject, const EntryValues& values, const Kept& kept) {
  Candidate candidate = Candidate::Of(subject);
  HloComputation& entry = *candidate.module->entry;
  const auto& originals = subject.module->entry->instructions;
  std::vector<HloInstruction*> instructions;
  for (const auto& instruction : entry.instructions) instructions.push_back(instruction.get());
  std::vector<char> is_kept(instructions.size(), 0);
  for (const std::size_t place : kept) is_kept[place] = 1;

  std::unordered_set<const HloInstruction*> needed;
  for (const std::size_t place : kept) {
    needed.insert(instructions[place]->operands.begin(), instructions[place]->operands.end());
  }
  std::vector<HloInstruction*> outputs;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    HloInstruction& instruction = *instructions[i];
    if (is_kept[i] != 0 && !needed.contains(&instruction)) outputs.push_back(&instruction);
    if (is_kept[i] != 0 || IsGiven(instruction) || !needed.contains(&instruction)) continue;
    const auto value = values.find(originals[i].get());
    if (value == values.end()) return std::nullopt;
    ReplaceUses(instruction, candidate.AddParameter(instruction.shape, value->second));
  }
  if (outputs.size() == 1) {
    entry.root = outputs[0];
  } else {
    std::vector<Shape> shapes;
    for (const HloInstruction* output : outputs) shapes.push_back(output->shape);
    entry.root = &InsertAt(entry, entry.instructions.size(), OpRole::kTuple,
                           ShapeUtil::MakeTupleShape(std::move(shapes)), outputs);
  }
  // An instruction with a side effect would otherwise remain for that alone.
  std::unordered_set<const HloInstruction*> goes;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (is_kept[i] == 0 && !IsGiven(*instructions[i])) goes.insert(instructions[i]);
  }
  for (const auto& instruction : entry.instructions) {
    std::erase_if(instruction->control_predecessors, [&](const auto* before) { return goes.contains(before); });
  }
  std::erase_if(entry.instructions, [&](const auto& instruction) { return goes.contains(instruction.get()); });
  return Finish(std::move(candidate));
}

Kept Without(const Kept& kept, std::size_t begin, std::size_t end) {
  Kept rest(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(begin));
  rest.insert(rest.end(), kept.begin() + static_cast<std::ptrdiff_t>(end), kept.end());
  return rest;
}

// Returns the place, and those of the earlier parts of an asynchronous operation: its start and its done only exist
// together.
Kept OperationEndedAt(const HloComputation& entry, std::size_t place) {
  Kept operation = {place};
  const HloInstruction* last = entry.instructions[place].get();
  while (!last->operands.empty()) {
    const HloInstruction* before = last->operands[0];
    const bool is_begun = !before->op->legality.done.empty() || before->op->role == OpRole::kAsyncUpdate;
    if (!is_begun) break;
    operation.push_back(PlaceOf(*before));
    last = before;
  }
  return operation;
}

}  // namespace

bool CutEntry(Search& search, Subject& subject, const EvaluationLimits& limits) {
  const Result<EntryValues> values = ValuesOfEntry(subject, limits);
  if (!values) return false;
  const Subject whole = subject;
  Kept kept;
  for (std::size_t i = 0; i < whole.module->entry->instructions.size(); ++i) {
    if (!IsGiven(*whole.module->entry->instructions[i])) kept.push_back(i);
  }
  bool has_cut = false;
  for (std::size_t chunk = std::max<std::size_t>(kept.size() / 2, 1); chunk > 0 && kept.size() > 1; chunk /= 2) {
    // From the end: a removed output is nobody's operand.
    std::size_t end = kept.size();
    while (end > 0) {
      const std::size_t count = (end + chunk - 1) / chunk;
      const auto begin_of = [&](std::size_t end_of_chunk) { return end_of_chunk > chunk ? end_of_chunk - chunk : 0; };
      const auto found = search.First(count, [&](std::size_t i) -> std::optional<Subject> {
        const std::size_t chunk_end = end - i * chunk;
        if (chunk_end - begin_of(chunk_end) == kept.size()) return std::nullopt;
        return KeepOnly(whole, *values, Without(kept, begin_of(chunk_end), chunk_end));
      });
      if (!found) break;
      subject = found->subject;
      has_cut = true;
      const std::size_t chunk_end = end - found->number * chunk;
      kept = Without(kept, begin_of(chunk_end), chunk_end);
      end = begin_of(chunk_end);
    }
  }
  const auto without_operation = [&](std::size_t i) {
    const Kept operation = OperationEndedAt(*whole.module->entry, kept[kept.size() - 1 - i]);
    Kept rest = kept;
    std::erase_if(rest, [&](std::size_t place) { return std::ranges::count(operation, place) > 0; });
    return rest.size() + 1 < kept.size() ? rest : Kept();
  };
  while (const auto found = search.First(kept.size(), [&](std::size_t i) -> std::optional<Subject> {
    const Kept rest = without_operation(i);
    if (rest.empty()) return std::nullopt;
    return KeepOnly(whole, *values, rest);
  })) {
    subject = found->subject;
    has_cut = true;
    kept = without_operation(found->number);
  }
  return has_cut;
}

}  // namespace assay
