// A check that several processes share, as mpirun and srun start them. They meet in the folder of the report, which all
// of them must see: each takes the next file of cases from a queue there and keeps a journal of its own. When one dies
// the others go on, and the first one does what is missing and writes the report.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "conformance/check_journal.h"
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

// Hands out numbers from 0 on, each to one rank.
class RankQueue {
 public:
  static Result<std::unique_ptr<RankQueue>> Open(const std::string& folder, const Rank& rank);
  ~RankQueue();
  RankQueue(const RankQueue&) = delete;
  RankQueue& operator=(const RankQueue&) = delete;

  Result<std::int64_t> Next();
  // For the last one who has a use for it.
  void Remove() const;

 private:
  RankQueue(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_;
};

// Waits until the other ranks have ended, well or not, and takes what their journals have. One that has not begun after
// `patience` seconds is left out: what it would have done is only not done yet.
void Gather(const std::string& folder, const Rank& rank, CheckJournal& journal, double patience);

}  // namespace assay
