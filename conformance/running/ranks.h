// A check that several processes share, as mpirun and srun start them. They meet in the folder of the report, which all
// of them must see: each takes the next file of cases from a queue there and keeps a journal of its own. When one dies
// the others go on, and the first one does what is missing and writes the report.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "conformance/running/backend_pool.h"
#include "conformance/running/check_journal.h"
#include "conformance/running/outcome.h"
#include "interpreter/types/result.h"

namespace assay {

struct Rank {
  std::int64_t number = 0;
  std::int64_t count = 1;
  std::string job;  // one start of all ranks; no other has it

  // As Open MPI, MPICH and Slurm tell a process; kUsage where none of them does.
  static Result<Rank> FromEnvironment();
  // "journal.2.jsonl"
  static std::string JournalName(std::int64_t number);
};

// What any rank has found in an earlier run.
void PeekAtOthers(const std::string& folder, CheckJournal& journal);

// Runs files as the queue hands them out, those that the journal has left out, and puts what comes of them into the
// journal, until there are no more. The first rank then waits until the others have ended, well or not, and takes what
// their journals have; one that has not begun after a minute is left out: what it would have done is only not done yet.
// `on_begin` is told how many files have been begun by all ranks, and which one is next, one call at a time.
Status RunShare(const std::string& folder, const Rank& rank, BackendPool& pool, const CaseOptions& options,
                std::span<const CaseFile> files, CheckJournal& journal,
                const std::function<void(std::size_t begun, const std::string& path)>& on_begin);

}  // namespace assay
