// A check that several processes share, started by mpirun or srun. All of them must see the folder of the report. Each
// takes the next file of cases from a queue there and has its own journal. If one crashes, the others continue, and the
// first one does the missing files and writes the report.
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
  std::string job;  // identifies one start of all ranks

  // Reads the variables of Open MPI, MPICH and Slurm; kUsage if none of them is set.
  static Result<Rank> FromEnvironment();
  // "journal.2.jsonl"
  static std::string JournalName(std::int64_t number);
};

// Merges what all ranks have found in an earlier run.
void PeekAtOthers(const std::string& folder, CheckJournal& journal);

// Runs files in the order of the queue, except those that are in the journal, and appends their outcomes to the
// journal, until the queue is empty. The first rank then waits until the others have ended, whether they succeeded or
// not, and merges their journals. It ignores a rank that has not started after a minute: the files of that rank count
// as not done yet. `on_begin` receives the number of files that all ranks have begun and the path of the next one;
// calls are serialized.
Status RunShare(const std::string& folder, const Rank& rank, BackendPool& pool, const CaseOptions& options,
                std::span<const CaseFile> files, CheckJournal& journal,
                const std::function<void(std::size_t begun, const std::string& path)>& on_begin);

}  // namespace assay
