#include "fuzz/declines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <ranges>
#include <string_view>

#include "fuzz/coverage.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// The least number of declined programs with a feature for each accepted one, if the feature explains programs.
constexpr std::int64_t kDeclinedForAccepted = 5;
// The least number of programs of a reason that share a feature, and the largest probability that they do by chance.
constexpr std::int64_t kLeast = 2;
constexpr double kChance = 0.01;
// The least number of accepted programs after which an op in none of them is suspect.
constexpr std::int64_t kAcceptedForSuspicion = 100;
// The number of kept programs of one reason, and the number of characters that distinguish reasons: later characters
// name values and shapes.
constexpr std::size_t kMostOfReason = 512, kReason = 36;
// The first blocks are short, to learn early. Later ones are long, so that threads rarely wait for each other.
constexpr std::int64_t kShortBlock = 16, kShortBlocks = 8, kLongBlock = 128;

std::int64_t StartOf(std::int64_t block) {
  return std::min(block, kShortBlocks) * kShortBlock + std::max<std::int64_t>(0, block - kShortBlocks) * kLongBlock;
}

std::int64_t BlockOf(std::int64_t program) {
  const std::int64_t in_short = kShortBlocks * kShortBlock;
  return program < in_short ? program / kShortBlock : kShortBlocks + (program - in_short) / kLongBlock;
}

// Returns the beginning of a reason without its numbers and signs.
std::string KindOf(std::string_view reason) {
  std::string kind;
  for (const char c : reason.substr(0, kReason)) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == ' ' || c == '.' || c == '-' || c == '_') kind += c;
  }
  return kind;
}

bool HasOneValueTwice(const HloInstruction& instruction) {
  const std::set<const HloInstruction*> distinct(instruction.operands.begin(), instruction.operands.end());
  return std::ssize(distinct) < std::ssize(instruction.operands);
}

void AddTypes(const Shape& shape, const Op& op, std::set<std::string>& features) {
  for (const Shape& element : shape.tuple_shapes()) AddTypes(element, op, features);
  if (!shape.IsArray()) return;
  const std::string_view type = PrimitiveTypeName(shape.element_type());
  features.insert(fmt::format("type {}", type));
  features.insert(fmt::format("{} to {}", op.name, type));
  if (!LayoutUtil::IsMonotonicWithDim0Major(shape.layout())) features.insert("other layout");
}

}  // namespace

std::vector<std::string> FeaturesOf(const HloModule& module) {
  Coverage coverage;
  coverage.Add(module);
  std::set<std::string> features = coverage.types;
  features.insert(coverage.attributes.begin(), coverage.attributes.end());
  for (const std::string& cell : coverage.attributes) {  // "pad f32 padding negative", and without the type
    const std::size_t type = cell.find(' ');
    features.insert(cell.substr(0, type) + cell.substr(cell.find(' ', type + 1)));
  }
  for (const auto& computation : module.computations) {
    const bool is_called = computation.get() != module.entry;
    for (const auto& instruction : computation->instructions) {
      const Op& op = *instruction->op;
      features.emplace(op.name);
      if (HasOneValueTwice(*instruction)) features.insert(fmt::format("{} of one value", op.name));
      if (is_called) features.insert(fmt::format("called {}", op.name));
      AddTypes(instruction->shape, op, features);
    }
  }
  if (module.device_count() > 1) features.emplace("several devices");
  return {features.begin(), features.end()};
}

bool DeclinedFeatures::HasOneOf(const std::vector<std::string>& features) const {
  return std::ranges::any_of(features, [&](const std::string& feature) { return names.contains(feature); });
}

Answers::Ids Answers::IdsOf(const std::vector<std::string>& features) {
  Ids ids;
  for (const std::string& feature : features) {
    const auto [at, is_new] = ids_.emplace(feature, names_.size());
    if (is_new) {
      names_.push_back(feature);
      accepted_.push_back(0);
      rejected_.push_back(0);
    }
    ids.push_back(at->second);
  }
  return ids;
}

void Answers::Add(const AnsweredProgram& program) {
  if (program.answer == Answer::kNone) return;
  Ids ids = IdsOf(program.features);
  if (program.answer == Answer::kAccepted) {
    ++accepted_programs_;
    for (const std::size_t id : ids) ++accepted_[id];
    return;
  }
  for (const std::size_t id : ids) ++rejected_[id];
  std::vector<Ids>& alike = declined_[KindOf(program.reason)];
  if (alike.size() == kMostOfReason) alike.erase(alike.begin());
  alike.push_back(std::move(ids));
}

DeclinedFeatures Answers::Learn() const {
  std::vector<const std::vector<Ids>*> reasons;
  for (const auto& [reason, programs] : declined_) reasons.push_back(&programs);
  std::ranges::stable_sort(reasons, std::greater(), [](const auto* programs) { return programs->size(); });
  std::set<std::size_t> learnt;
  for (const std::vector<Ids>* programs : reasons) {
    std::vector<const Ids*> unexplained;
    for (const Ids& ids : *programs) {
      if (std::ranges::none_of(ids, [&](std::size_t id) { return learnt.contains(id); })) unexplained.push_back(&ids);
    }
    LearnFrom(std::move(unexplained), learnt);
  }
  if (accepted_programs_ >= kAcceptedForSuspicion) {
    for (const std::vector<Ids>* programs : reasons) {
      for (const Ids& ids : *programs) Suspect(ids, learnt);
    }
  }
  DeclinedFeatures features;
  for (const std::size_t id : learnt) features.names.insert(names_[id]);
  return features;
}

void Answers::Suspect(const Ids& declined, std::set<std::size_t>& learnt) const {
  if (std::ranges::any_of(declined, [&](std::size_t id) { return learnt.contains(id); })) return;
  std::optional<std::size_t> suspect;
  for (const std::size_t id : declined) {
    const bool is_op = names_[id].find(' ') == std::string::npos;
    if (!is_op || accepted_[id] > 0) continue;
    if (suspect) return;
    suspect = id;
  }
  if (suspect) learnt.insert(*suspect);
}

void Answers::LearnFrom(std::vector<const Ids*> unexplained, std::set<std::size_t>& learnt) const {
  std::map<std::size_t, std::int64_t> shared;  // the unexplained programs that have the feature, by id
  for (const Ids* ids : unexplained) {
    for (const std::size_t id : *ids) ++shared[id];
  }
  while (!unexplained.empty()) {
    const auto count = static_cast<double>(unexplained.size());
    const double by_chance = count / (count + static_cast<double>(accepted_programs_));
    std::optional<std::size_t> best;
    for (const auto& [id, number] : shared) {
      const bool explains = number >= kLeast && accepted_[id] * kDeclinedForAccepted <= rejected_[id] &&
                            static_cast<double>(number) * std::log(by_chance) < std::log(kChance);
      const bool is_better =
          !best || number > shared.at(*best) || (number == shared.at(*best) && IsMoreGeneral(id, *best));
      if (explains && is_better) best = id;
    }
    if (!best) return;
    learnt.insert(*best);
    std::erase_if(unexplained, [&](const Ids* ids) {
      if (std::ranges::find(*ids, *best) == ids->end()) return false;
      for (const std::size_t id : *ids) --shared[id];
      return true;
    });
  }
}

std::shared_ptr<const DeclinedFeatures> DeclineLearner::Before(std::int64_t program) {
  const auto blocks = static_cast<std::size_t>(std::max<std::int64_t>(0, BlockOf(program) - 1));
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_stopped_ || known_.size() > blocks; });
  return known_[std::min(blocks, known_.size() - 1)];
}

void DeclineLearner::Add(std::int64_t program, AnsweredProgram answered) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace(program, std::move(answered));
  for (;;) {
    const std::int64_t block = std::ssize(known_) - 1, end = StartOf(block + 1);
    const auto after = waiting_.lower_bound(end);
    const bool is_complete = std::distance(waiting_.begin(), after) == end - StartOf(block);
    if (!is_complete) return;
    for (const auto& [number, one] : std::ranges::subrange(waiting_.begin(), after)) answers_.Add(one);
    waiting_.erase(waiting_.begin(), after);
    known_.push_back(std::make_shared<DeclinedFeatures>(answers_.Learn()));
    changed_.notify_all();
  }
}

void DeclineLearner::Stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
}

DeclinedFeatures DeclineLearner::Known() {
  const std::lock_guard lock(mutex_);
  return *known_.back();
}

}  // namespace assay
