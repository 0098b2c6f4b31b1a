#include "conformance/pairs/alignment.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <string_view>

#include "conformance/judging/judged_alone.h"
#include "conformance/judging/metrics.h"
#include "conformance/pairs/entry_bridge.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/shards.h"

namespace assay {
namespace {

// The ranks of candidates. Those of kUnrelated match only if their values are equal.
enum Rank { kSameOriginAndOp, kSameOrigin, kSameName, kSameOp, kUnrelated };
// The number of candidates with other values that are judged for an instruction, the nearest first.
constexpr int kMostJudged = 2;
// The mean difference beyond which a value is not worth judging: roundings do not move so many elements so far.
constexpr double kFarthest = 0.25;

std::string_view AnnotationOf(const HloInstruction& instruction, std::string_view name) {
  const auto found = instruction.annotations.find(name);
  return found == instruction.annotations.end() ? std::string_view() : std::string_view(found->second);
}

// Returns the op_name of the metadata with its quotes; empty if there is none.
std::string_view OpNameOf(const HloInstruction& instruction) {
  constexpr std::string_view kField = "op_name=";
  std::string_view text = AnnotationOf(instruction, "metadata");
  const std::size_t begin = text.find(kField);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + kField.size());
  std::size_t end = 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return text.substr(0, end + 1);
}

// True if metadata, the original value, or the channel say that both come from the same instruction.
bool HaveSameOrigin(const HloInstruction& before, const HloInstruction& after) {
  const std::string_view name = OpNameOf(before), origin = AnnotationOf(after, "origin");
  if (!name.empty() && name == OpNameOf(after)) return true;
  if (!origin.empty() && origin == AnnotationOf(before, "origin")) return true;
  if (!origin.empty() && origin.find('"' + before.name + '"') != std::string_view::npos) return true;
  const bool have_channels = before.op == after.op && before.op->FindAttribute("channel_id") != nullptr;
  return have_channels && before.Has("channel_id") && before.Int64("channel_id") == after.Int64("channel_id");
}

// True for a name that a compiler has made of the op and a number, as `broadcast.8`: another module may have the same
// one for another instruction.
bool HasGeneratedName(const HloInstruction& instruction) {
  std::string stem = instruction.name.substr(0, instruction.name.find_last_not_of("0123456789") + 1);
  if (stem.ends_with('.') || stem.ends_with('_')) stem.pop_back();
  std::ranges::replace(stem, '_', '-');
  return stem == instruction.op->name;
}

Rank RankOfOrigin(const HloInstruction& before, const HloInstruction& after) {
  const bool is_same_op = before.op == after.op;
  if (HaveSameOrigin(before, after)) return is_same_op ? kSameOriginAndOp : kSameOrigin;
  if (before.name == after.name) return kSameName;
  return is_same_op && OpNameOf(before).empty() ? kSameOp : kUnrelated;
}

bool DevicesAgree(const PerDevice<Literal>& values) {
  return std::ranges::all_of(values, [&](const Literal& value) { return value.BitwiseEqual(values.front()); });
}

// Returns the whole array of an instruction whose value is sharded as BEFORE's annotation says.
std::optional<Literal> WholeOf(const HloInstruction& before, const Sharding& sharding,
                               const PerDevice<Literal>& shards) {
  if (sharding.tiles.tile.size() != shards.size()) return std::nullopt;
  const Shape shape = ShardShape(before.shape, sharding.tiles);
  const auto fits = [&](const Literal& shard) { return ShapeUtil::Compatible(shard.shape(), shape); };
  if (!std::ranges::all_of(shards, fits)) return std::nullopt;
  return Gather(before.shape, sharding, shards).front().whole;
}

// Adds the instructions that compute arrays of a result.
void AddResults(const HloInstruction& instruction, const Literal& value,
                std::unordered_map<const HloInstruction*, Literal>& results) {
  if (instruction.op->role == OpRole::kTuple) {
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      AddResults(*instruction.operands[i], value.elements()[i], results);
    }
  } else {
    results.emplace(&instruction, value);
  }
}

}  // namespace

Alignment::Alignment(const HloModule& before, const ProgramValues& after, const PerDevice<Literal>& results,
                     const Profile& profile)
    : before_(before), after_(after), profile_(profile) {
  for (const auto& computation : before.computations) {
    for (const auto& instruction : computation->instructions) {
      const auto [found, is_new] = by_name_.try_emplace(instruction->name, instruction.get());
      if (!is_new) found->second = nullptr;
    }
  }
  for (const Literal& of_device : results) {
    std::unordered_map<const HloInstruction*, Literal> by_instruction;
    AddResults(*before.entry->root, of_device, by_instruction);
    results_.push_back(std::move(by_instruction));
  }
}

std::vector<Alignment::Candidate> Alignment::CandidatesFor(const HloInstruction& before, std::int64_t device) const {
  const bool has_one_device = before_.device_count() == 1;
  std::vector<Candidate> candidates;
  for (const ExecutedValue& executed : after_.WithShape(before.shape)) {
    if (has_one_device && !DevicesAgree(executed.of_devices)) continue;
    const Literal& value = executed.of_devices[device];
    // A device may not have executed it.
    if (!ShapeUtil::Compatible(value.shape(), before.shape)) continue;
    candidates.push_back({executed.instruction, value, RankOfOrigin(before, *executed.instruction)});
  }
  if (has_one_device && after_.device_count() > 1) AddShards(before, candidates);
  std::ranges::stable_sort(candidates, {}, &Candidate::rank);
  return candidates;
}

void Alignment::AddShards(const HloInstruction& before, std::vector<Candidate>& candidates) const {
  const std::string_view text = AnnotationOf(before, "sharding");
  if (text.empty() || !before.shape.IsFixedArray()) return;
  const Result<Sharding> sharding = ReadSharding(text, before.shape.rank());
  if (!sharding || sharding->tiles.tile.empty()) return;
  for (const ExecutedValue& executed : after_.WithShape(ShardShape(before.shape, sharding->tiles))) {
    const Rank rank = RankOfOrigin(before, *executed.instruction);
    if (rank > kSameName) continue;
    std::optional<Literal> whole = WholeOf(before, *sharding, executed.of_devices);
    if (whole) candidates.push_back({executed.instruction, *std::move(whole), rank});
  }
}

bool Alignment::BelongsToOther(const HloInstruction& before, const HloInstruction& after) const {
  const auto named = by_name_.find(after.name);
  if (before.name == after.name || named == by_name_.end() || named->second == nullptr) return false;
  const HloInstruction& other = *named->second;
  return &other != &before && RankOfOrigin(other, after) == kSameOriginAndOp;
}

bool Alignment::HaveCommonOperands(const HloInstruction& after, std::span<const Literal> operands,
                                   std::int64_t device) const {
  const auto is_common = [&](const HloInstruction* operand) {
    if (operand->op->role == OpRole::kParameter) return true;  // its value is not known here
    const auto is_literal = [&](const Literal& value) { return value.BitwiseEqual(*operand->literal); };
    if (operand->literal) return std::ranges::any_of(operands, is_literal);
    return std::ranges::any_of(after_.WithShape(operand->shape), [&](const ExecutedValue& executed) {
      const auto is_value = [&](const Literal& value) { return value.BitwiseEqual(executed.of_devices[device]); };
      return executed.instruction == operand && std::ranges::any_of(operands, is_value);
    });
  };
  const auto common = std::ranges::count_if(after.operands, is_common);
  return 2 * common > std::ssize(after.operands) || (after.operands.empty() && operands.empty());
}

InstructionPair Alignment::Pair(const HloInstruction& before, std::span<const Literal> operands, Literal& result,
                                std::int64_t device, double farthest) const {
  std::vector<Candidate> candidates = CandidatesFor(before, device);
  // The value of a collective has operands on other devices, which are not here.
  const bool is_judged =
      IsJudgedAlone(before) && (before_.device_count() == 1 || !before.op->evaluation.depends_on_device);
  for (const Candidate& candidate : candidates) {
    if (candidate.value.BitwiseEqual(result)) return {&before, candidate.instruction, {}};
  }
  std::erase_if(candidates, [](const Candidate& candidate) { return candidate.rank == kUnrelated; });
  for (Candidate& candidate : candidates) candidate.distance = MeanDifference(result, candidate.value);
  std::ranges::stable_sort(candidates, {}, &Candidate::distance);
  InstructionPair pair = {&before, nullptr, {}};
  int judged = 0;
  for (const Candidate& candidate : candidates) {
    if (candidate.distance > farthest || judged++ == kMostJudged) break;
    Judgement judgement = CompareExactly(result, candidate.value);
    if (judgement.verdict != Verdict::kExact && is_judged) {
      judgement = JudgeInstruction(before, operands, result, candidate.value, profile_);
    }
    if (judgement.verdict <= Verdict::kSpecGap) {
      result = candidate.value;
      return {&before, candidate.instruction, std::move(judgement)};
    }
    const bool is_evidence =
        candidate.rank < kSameName
            ? !BelongsToOther(before, *candidate.instruction)
            : !HasGeneratedName(before) || HaveCommonOperands(*candidate.instruction, operands, device);
    if (pair.after == nullptr && candidate.rank <= kSameName && is_evidence) {
      pair = {&before, candidate.instruction, std::move(judgement)};
    }
  }
  return pair;
}

EvaluationDisturbance Alignment::CollectPairs() {
  pairs_.clear();
  places_.clear();
  return [this](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result, DeviceId id) {
    if (result.promise() != nullptr) return;
    const std::int64_t device = FlattenedId(id, before_.num_partitions);
    InstructionPair pair = Pair(instruction, operands, result, device, std::numeric_limits<double>::infinity());
    const auto [place, is_new] = places_.try_emplace(&instruction, pairs_.size());
    if (is_new) {
      pairs_.push_back(std::move(pair));
    } else if (pairs_[place->second].is_matched()) {
      pairs_[place->second] = std::move(pair);
    }
  };
}

EvaluationDisturbance Alignment::ReplaceValues() const {
  return [this](const HloInstruction& instruction, std::span<const Literal> operands, Literal& result, DeviceId id) {
    const auto named = by_name_.find(instruction.name);
    if (named == by_name_.end() || named->second == nullptr || result.promise() != nullptr) return;
    const HloInstruction& before = *named->second;
    if (before.op != instruction.op || !ShapeUtil::Compatible(before.shape, instruction.shape)) return;
    const std::int64_t device = FlattenedId(id, before_.num_partitions);
    const auto known = results_[device].find(&before);
    if (known != results_[device].end()) {
      result = known->second;
    } else {
      Pair(before, operands, result, device, kFarthest);
    }
  };
}

std::optional<InstructionPair> Alignment::FirstDivergence() const {
  std::set<std::size_t> unmatched;  // places of pairs that lead to the result through pairs without a match alone
  std::set<const HloInstruction*> seen;
  std::vector<const HloInstruction*> pending = {before_.entry->root};
  while (!pending.empty()) {
    const HloInstruction* instruction = pending.back();
    pending.pop_back();
    if (!seen.insert(instruction).second) continue;
    const auto place = places_.find(instruction);
    if (place != places_.end()) {
      if (pairs_[place->second].is_matched()) continue;
      unmatched.insert(place->second);
    }
    pending.insert(pending.end(), instruction->operands.begin(), instruction->operands.end());
    for (const HloComputation* called : instruction->CalledComputations()) pending.push_back(called->root);
  }
  for (const std::size_t place : unmatched) {
    // A tuple says less than the results of which it is made.
    if (pairs_[place].before->op->role == OpRole::kTuple) continue;
    if (pairs_[place].after != nullptr) return pairs_[place];
  }
  return std::nullopt;
}

namespace {

constexpr std::int64_t kMostBytesKept = std::int64_t{1} << 30;
constexpr std::size_t kMostExecutionsKept = 4;

}  // namespace

EvaluationObserver ProgramValues::Observer(std::int64_t num_partitions) {
  return [this, num_partitions](const HloInstruction& instruction, std::span<const Literal>, const Literal& result,
                                DeviceId id) {
    if (result.promise() != nullptr) return;
    const std::int64_t device = FlattenedId(id, num_partitions);
    std::vector<ExecutedValue>& values = by_shape_[instruction.shape.ToStringWithoutLayout()];
    const auto [found, is_new] = executions_.try_emplace(&instruction);
    Executions& executions = found->second;
    if (is_new) executions.counts = PerDevice<std::size_t>(device_count_, 0);
    const std::size_t number = executions.counts[device]++;
    if (number >= kMostExecutionsKept || bytes_ > kMostBytesKept) return;
    bytes_ += result.total_byte_size();
    if (number == executions.places.size()) {
      executions.places.push_back(values.size());
      values.push_back({&instruction, PerDevice<Literal>(device_count_)});
    }
    values[executions.places[number]].of_devices[device] = result;
  };
}

const std::vector<ExecutedValue>& ProgramValues::WithShape(const Shape& shape) const {
  static const std::vector<ExecutedValue> none;
  const auto found = by_shape_.find(shape.ToStringWithoutLayout());
  return found == by_shape_.end() ? none : found->second;
}

}  // namespace assay
