#include "conformance/running/ranks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "interpreter/types/ascii.h"
#include "interpreter/types/number_in_text.h"

namespace assay {
namespace {

struct Names {
  const char* number;
  const char* count;
  const char* job;
};
constexpr Names kStarters[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE"},
    {"PMI_RANK", "PMI_SIZE", "PMI_KVS"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_ID"},
};

std::optional<std::int64_t> NumberOf(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::nullopt : NumberInText<std::int64_t>(text);
}

// Returns a variable of the environment, in characters that are safe in a file name.
std::string Word(const char* variable) {
  const char* const text = std::getenv(variable);
  std::string word = text == nullptr ? "" : text;
  for (char& c : word) {
    if (!IsAsciiLetterOrDigit(c)) c = '_';
  }
  return word;
}

Error FailedFor(const std::string& path) { return {ErrorCode::kIo, fmt::format("{}: {}", path, std::strerror(errno))}; }

// Hands out numbers from 0 on, each to one rank.
class RankQueue {
 public:
  static Result<std::unique_ptr<RankQueue>> Open(const std::string& folder, const Rank& rank) {
    std::string path = fmt::format("{}/queue.{}", folder, rank.job);
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) return FailedFor(path);
    return std::unique_ptr<RankQueue>(new RankQueue(std::move(path), descriptor));
  }
  ~RankQueue() { close(descriptor_); }
  RankQueue(const RankQueue&) = delete;
  RankQueue& operator=(const RankQueue&) = delete;

  Result<std::int64_t> Next() {
    if (flock(descriptor_, LOCK_EX) != 0) return FailedFor(path_);
    std::int64_t next = 0;
    const ssize_t known = pread(descriptor_, &next, sizeof(next), 0);
    const std::int64_t after = next + 1;
    const bool is_kept = known >= 0 && pwrite(descriptor_, &after, sizeof(after), 0) == sizeof(after);
    Result<std::int64_t> number = is_kept ? Result<std::int64_t>(next) : FailedFor(path_);
    flock(descriptor_, LOCK_UN);
    return number;
  }
  // Called when no rank uses the queue any more.
  void Remove() const { unlink(path_.c_str()); }

 private:
  RankQueue(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_;
};

void Gather(const std::string& folder, const Rank& rank, CheckJournal& journal) {
  constexpr double kPatience = 60;  // seconds
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t other = 0; other < rank.count; ++other) {
    if (other == rank.number) continue;
    const std::string path = fmt::format("{}/{}", folder, Rank::JournalName(other));
    for (;;) {
      const CheckJournal::Absorbed absorbed = journal.Absorb(path);
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
      const bool is_lost = absorbed == CheckJournal::Absorbed::kNone && waited.count() > kPatience;
      if (absorbed == CheckJournal::Absorbed::kDone || is_lost) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
}

}  // namespace

Result<Rank> Rank::FromEnvironment() {
  for (const Names& names : kStarters) {
    const auto number = NumberOf(names.number), count = NumberOf(names.count);
    if (!number || !count || *number < 0 || *number >= *count) continue;
    return Rank{*number, *count, Word("SLURM_JOB_ID") + Word(names.job)};
  }
  return Error{ErrorCode::kUsage, "--mpi: neither mpirun nor srun has started this process"};
}

std::string Rank::JournalName(std::int64_t number) { return fmt::format("journal.{}.jsonl", number); }

void PeekAtOthers(const std::string& folder, CheckJournal& journal) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with("journal.")) journal.Peek(entry.path().string());
  }
}

Status RunShare(const std::string& folder, const Rank& rank, BackendPool& pool, const CaseOptions& options,
                std::span<const CaseFile> files, CheckJournal& journal,
                const std::function<void(std::size_t, const std::string&)>& on_begin) {
  ASSAY_TRY(const std::unique_ptr<RankQueue> queue, RankQueue::Open(folder, rank));
  std::mutex mutex;  // guards the queue, the journal and `done`
  Status done;
  pool.ForEach(std::ssize(files), [&](int worker, std::int64_t) {
    std::unique_lock lock(mutex);
    const Result<std::int64_t> number = done ? queue->Next() : done.error();
    if (!number) done = number.error();
    if (!number || *number >= std::ssize(files)) return false;
    const CaseFile& file = files[static_cast<std::size_t>(*number)];
    on_begin(static_cast<std::size_t>(*number) + 1, file.path);
    if (journal.Find(file.path) != nullptr) return true;
    lock.unlock();
    std::vector<Outcome> outcomes;
    RunCaseFile(pool.backend(worker), file, options, [&](Outcome outcome) { outcomes.push_back(std::move(outcome)); });
    lock.lock();
    if (const Status kept = journal.Append(file.path, outcomes); !kept) done = kept;
    return done.has_value();
  });
  ASSAY_CHECK_OK(done);
  if (rank.number > 0) return {};
  Gather(folder, rank, journal);
  queue->Remove();
  return {};
}

}  // namespace assay
