#include <algorithm>
#include <unordered_set>

#include "conformance/diagnosis/steps.h"
#include "interpreter/hlo/make_instruction.h"

namespace assay {
namespace {

// Places in the entry.
using Kept = std::vector<std::size_t>;

bool IsGiven(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kParameter || instruction.op->role == OpRole::kConstant;
}

// Makes the outputs the root of the entry: the only one, or a new tuple.
void SetRoot(HloComputation& entry, const std::vector<HloInstruction*>& outputs) {
  if (outputs.size() == 1) {
    entry.root = outputs[0];
    return;
  }
  entry.root = &entry.Add(MakeTupleOf(outputs));
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
  SetRoot(entry, outputs);
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

// The search for the instructions of an entry that are needed. Every cut is a part of the whole subject.
class EntryCut {
 public:
  EntryCut(Search& search, Subject& subject, EntryValues values)
      : search_(search), subject_(subject), whole_(subject), values_(std::move(values)) {
    for (std::size_t i = 0; i < whole_.module->entry->instructions.size(); ++i) {
      if (!IsGiven(*whole_.module->entry->instructions[i])) kept_.push_back(i);
    }
  }

  // Cuts off half of the instructions, then smaller and smaller chunks.
  void CutChunks();
  // Cuts off single operations.
  void CutOperations();

  bool has_cut() const { return has_cut_; }

 private:
  // Returns the kept places without the i-th last operation; none if it is the only one.
  Kept WithoutOperation(std::size_t i) const;
  void Accept(Subject subject, Kept kept) {
    subject_ = std::move(subject);
    kept_ = std::move(kept);
    has_cut_ = true;
  }

  Search& search_;
  Subject& subject_;
  const Subject whole_;
  const EntryValues values_;
  Kept kept_;
  bool has_cut_ = false;
};

void EntryCut::CutChunks() {
  for (std::size_t chunk = std::max<std::size_t>(kept_.size() / 2, 1); chunk > 0 && kept_.size() > 1; chunk /= 2) {
    // From the end: a removed output is nobody's operand.
    std::size_t end = kept_.size();
    while (end > 0) {
      const std::size_t count = (end + chunk - 1) / chunk;
      const auto begin_of = [&](std::size_t end_of_chunk) { return end_of_chunk > chunk ? end_of_chunk - chunk : 0; };
      const auto found = search_.First(count, [&](std::size_t i) -> std::optional<Subject> {
        const std::size_t chunk_end = end - i * chunk;
        if (chunk_end - begin_of(chunk_end) == kept_.size()) return std::nullopt;
        return KeepOnly(whole_, values_, Without(kept_, begin_of(chunk_end), chunk_end));
      });
      if (!found) break;
      const std::size_t chunk_end = end - found->number * chunk;
      Accept(found->subject, Without(kept_, begin_of(chunk_end), chunk_end));
      end = begin_of(chunk_end);
    }
  }
}

Kept EntryCut::WithoutOperation(std::size_t i) const {
  const Kept operation = OperationEndedAt(*whole_.module->entry, kept_[kept_.size() - 1 - i]);
  Kept rest = kept_;
  std::erase_if(rest, [&](std::size_t place) { return std::ranges::count(operation, place) > 0; });
  return rest.size() + 1 < kept_.size() ? rest : Kept();
}

void EntryCut::CutOperations() {
  while (const auto found = search_.First(kept_.size(), [&](std::size_t i) -> std::optional<Subject> {
    const Kept rest = WithoutOperation(i);
    if (rest.empty()) return std::nullopt;
    return KeepOnly(whole_, values_, rest);
  })) {
    Accept(found->subject, WithoutOperation(found->number));
  }
}

}  // namespace

std::optional<Subject> PartWithOnly(const Subject& subject, const HloInstruction& instruction,
                                    const EvaluationLimits& limits) {
  const Result<EntryValues> values = ValuesOfEntry(subject, limits);
  if (!values) return std::nullopt;
  return KeepOnly(subject, *values, OperationEndedAt(*subject.module->entry, PlaceOf(instruction)));
}

bool CutEntry(Search& search, Subject& subject, const EvaluationLimits& limits) {
  Result<EntryValues> values = ValuesOfEntry(subject, limits);
  if (!values) return false;
  EntryCut cut(search, subject, *std::move(values));
  cut.CutChunks();
  cut.CutOperations();
  return cut.has_cut();
}

}  // namespace assay
