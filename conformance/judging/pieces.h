// Executed instructions judged by themselves, each on the operands that it had in the reference; the end of an
// asynchronous pair together with its start.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/compare.h"

namespace assay {

// Judges executed instructions in batches, each batch one module of unconnected instructions.
class PieceJudge {
 public:
  PieceJudge(Backend& backend, const CompareOptions& options, std::size_t devices, ModuleReport& report)
      : backend_(backend), options_(options), report_(report), devices_(devices) {}

  // As an evaluation's observer.
  void Observe(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
               std::int64_t device);
  // Judges what has been observed and not judged yet.
  void Flush();

 private:
  struct Piece {
    const HloInstruction* instruction;
    DeviceValues operands;  // of those devices that take part
    Literal want;
  };

  // What the devices do together is judged once all of them have done it as often.
  struct Gathering {
    explicit Gathering(std::int64_t devices) : operands(devices), results(devices) {}

    PerDevice<std::vector<std::vector<Literal>>> operands;  // of each execution
    PerDevice<std::vector<Literal>> results;                // of each execution
    std::size_t judged = 0;
  };

  void ObserveOnDevice(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                       std::int64_t device);
  // Runs what the devices have done together once all of them have.
  void RunGathered(const HloInstruction& instruction, Gathering& gathering);
  void Run(std::span<const Piece> pieces);
  void Record(const Piece& piece, Judgement judgement);

  Backend& backend_;
  const CompareOptions& options_;
  ModuleReport& report_;
  const std::size_t devices_;
  std::unordered_map<const HloInstruction*, std::vector<int>> executions_;  // by device
  std::map<const HloInstruction*, Gathering> gatherings_;
  std::map<std::pair<const HloInstruction*, std::int64_t>, std::vector<Literal>> started_with_;  // last, by device
  std::vector<Piece> batch_;
  std::int64_t batch_bytes_ = 0;
};

// Adds a judged piece to what a report lists: of each instruction the worst.
void AddPiece(ModuleReport& report, const HloInstruction& instruction, Judgement judgement);

}  // namespace assay
