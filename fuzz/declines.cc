#include "fuzz/declines.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay {
namespace {

using nlohmann::json;

// The first blocks are short, to learn early. Later ones are long: there is less to learn, and learning takes longer.
constexpr std::int64_t kShortBlock = 8, kShortBlocks = 128, kLongBlock = 128;

std::int64_t StartOf(std::int64_t block) {
  return std::min(block, kShortBlocks) * kShortBlock + std::max<std::int64_t>(0, block - kShortBlocks) * kLongBlock;
}

std::int64_t BlockOf(std::int64_t program) {
  const std::int64_t in_short = kShortBlocks * kShortBlock;
  return program < in_short ? program / kShortBlock : kShortBlocks + (program - in_short) / kLongBlock;
}

std::int64_t SizeOfBlock(std::int64_t block) { return StartOf(block + 1) - StartOf(block); }

}  // namespace

std::shared_ptr<const DeclinedFeatures> DeclineLearner::Before(std::int64_t program) {
  const std::int64_t blocks = std::max<std::int64_t>(0, BlockOf(program - first_) - 1);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_stopped_ || complete() >= blocks; });
  if (complete() < blocks) return nullptr;
  return known_[static_cast<std::size_t>(blocks - known_from_)];
}

void DeclineLearner::Add(std::int64_t program, AnsweredProgram answered) {
  const std::lock_guard lock(mutex_);
  blocks_[BlockOf(program - first_)].emplace(program, std::move(answered));
  LearnFromCompleteBlocks();
}

void DeclineLearner::LearnFromCompleteBlocks() {
  for (auto block = blocks_.find(complete());
       block != blocks_.end() && std::ssize(block->second) == SizeOfBlock(block->first);
       block = blocks_.find(complete())) {
    for (const auto& [number, program] : block->second) answers_.Add(program);
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

void DeclineLearner::RecordBlocks(std::int64_t next) {
  while (first_ + StartOf(recorded_blocks_ + 1) <= next) {
    for (const auto& [number, program] : blocks_[recorded_blocks_]) recorded_.Add(program);
    blocks_.erase(recorded_blocks_++);
  }
  // A program of a block is drawn by what the blocks before the previous one have shown.
  while (known_from_ < recorded_blocks_ - 1) {
    known_.pop_front();
    ++known_from_;
  }
}

void DeclineLearner::Record(std::int64_t next) {
  const std::lock_guard lock(mutex_);
  RecordBlocks(next);
}

json DeclineLearner::StateAt(std::int64_t next) {
  const std::lock_guard lock(mutex_);
  RecordBlocks(next);
  json programs = json::array();
  if (const auto begun = blocks_.find(recorded_blocks_); begun != blocks_.end()) {
    for (const auto& [number, program] : begun->second) {
      if (number < next) programs.push_back({{"number", number}, {"program", ToJson(program)}});
    }
  }
  // Programs of the block that has begun are drawn by what the blocks before the last recorded one have shown.
  const std::int64_t before_last = std::max<std::int64_t>(0, recorded_blocks_ - 1);
  return {{"first", first_},
          {"blocks", recorded_blocks_},
          {"answers", recorded_.ToJson()},
          {"known_before", ToJson(*known_[static_cast<std::size_t>(before_last - known_from_)])},
          {"programs", std::move(programs)}};
}

std::unique_ptr<DeclineLearner> DeclineLearner::FromJson(const json& state, std::int64_t next) {
  const auto first = state.at("first").get<std::int64_t>(), blocks = state.at("blocks").get<std::int64_t>();
  const json& programs = state.at("programs");
  // A missing answer would leave its block incomplete, and later programs would wait for it.
  bool is_whole = first >= 0 && first <= next && BlockOf(next - first) == blocks &&
                  std::ssize(programs) == next - first - StartOf(blocks);
  std::int64_t number = first + StartOf(blocks);
  for (const json& program : programs) is_whole &= program.at("number").get<std::int64_t>() == number++;
  if (!is_whole) throw json::other_error::create(501, "the answers do not end before the next program", nullptr);
  auto learner = std::make_unique<DeclineLearner>(first);
  learner->answers_ = learner->recorded_ = Answers::FromJson(state.at("answers"));
  learner->recorded_blocks_ = blocks;
  if (blocks > 0) {
    learner->known_from_ = blocks - 1;
    learner->known_ = {std::make_shared<DeclinedFeatures>(DeclinedFeaturesFromJson(state.at("known_before"))),
                       std::make_shared<DeclinedFeatures>(learner->answers_.Learn())};
  }
  for (const json& program : programs) {
    learner->Add(program.at("number").get<std::int64_t>(), AnsweredProgramFromJson(program.at("program")));
  }
  return learner;
}

}  // namespace assay
