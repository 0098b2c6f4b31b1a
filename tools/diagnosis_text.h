// A diagnosis as text and as JSON: diff, explain and repro print the same lines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "backends/backend.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/pairs/judge_pair.h"

namespace assay {

// Prints the verdict of a module, its worst element, the instruction to blame, the instructions that differ, and the
// smallest part that fails.
void PrintDiagnosis(const std::string& file, const BackendDescription& backend, const Diagnosis& diagnosis);

// Prints how many elements of the outputs differ, and the worst.
void PrintOutputs(const Judgement& outputs);
// Ends a line about an instruction with the number of its elements that differ, if any do.
void PrintDifference(const Judgement& judgement);

// Returns the line and the text of an instruction.
nlohmann::json InstructionToJson(const HloInstruction& instruction);

// Returns "line 5: %r = ...", followed by the instruction's metadata, which names its place in the user's source.
std::string WithOrigin(const HloInstruction& instruction);

// Returns "line 5: %r = ..." for a part that is one instruction, in the words of the whole module if it is to blame.
std::string OnlyInstructionText(const Diagnosis& diagnosis);

// Prints the verdict of a golden case, whose root alone is judged.
void PrintJudgement(const Judgement& judgement);

nlohmann::json PartToJson(const FailingPart& part);

// Prints on standard error that the search for the smallest part has failed.
void NoteSearchError(const Diagnosis& diagnosis);

// The names of the modules of a pair for the user.
struct PairNames {
  std::string before;
  std::string after;
};

// Prints the verdict, the worst element, the freedoms that admit elements, and the first pair that differs.
void PrintPair(const PairNames& names, const PairReport& pair);

nlohmann::json PairToJson(const PairNames& names, const PairReport& pair);

}  // namespace assay
