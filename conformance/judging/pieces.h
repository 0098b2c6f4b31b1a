// Judges executed instructions one by one, each on its operands in the reference. The end of an asynchronous pair is
// judged together with its start.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "conformance/judging/compare.h"

namespace assay {

// Judges executed instructions in batches. Each batch is one module of unconnected instructions.
class PieceJudge {
 public:
  PieceJudge(Backend& backend, const CompareOptions& options, std::size_t devices, ModuleReport& report)
      : backend_(backend), options_(options), report_(report), devices_(devices) {}

  // An evaluation's observer. The end of an asynchronous pair takes the operands of its start: those that were
  // observed, or else the given ones.
  void Observe(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
               std::int64_t device);
  // Judges the instructions that were observed and not judged yet.
  void Flush();

 private:
  struct Piece {
    const HloInstruction* instruction;
    DeviceValues operands;  // of the devices that take part
    Literal want;
  };

  // The executions of an instruction that the devices execute together. The k-th is judged once all devices have done
  // it.
  struct Gathering {
    explicit Gathering(std::int64_t devices) : operands(devices), results(devices) {}

    PerDevice<std::vector<std::vector<Literal>>> operands;  // of each execution
    PerDevice<std::vector<Literal>> results;                // of each execution
    std::size_t judged = 0;
  };

  void ObserveOnDevice(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                       std::int64_t device);
  // Runs the next joint execution once all devices have done it.
  void RunGathered(const HloInstruction& instruction, Gathering& gathering);
  void Run(std::span<const Piece> pieces);
  Judgement JudgeAlone(const Piece& piece, const Literal& got) const;
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

// Adds a judged piece to a report, which keeps the worst judgement of each instruction.
void AddOffender(ModuleReport& report, PieceReport offender);
void AddPiece(ModuleReport& report, const HloInstruction& instruction, Judgement judgement);

// Samples found the outputs of a whole far from lawful results. Returns the reason why the value of an instruction,
// which `module` computes from `operands`, is as far; empty if it is not, or if its rule proves more than a bound of
// rounding errors does.
std::string FarFromSamples(const HloInstruction& instruction, const HloModule& module, const DeviceValues& operands,
                           const Literal& want, const Literal& got, const CompareOptions& options);

// Returns the freedoms that admit the pieces of a report, each once: "approximation, reassociation".
std::string FreedomsOfPieces(const ModuleReport& report);

}  // namespace assay
