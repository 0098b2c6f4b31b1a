#include "conformance/ranks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

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
  if (text == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, code] = std::from_chars(text, end, number);
  return code == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

// A name of a file is made of it.
std::string Word(const char* variable) {
  const char* const text = std::getenv(variable);
  std::string word = text == nullptr ? "" : text;
  for (char& c : word) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return word;
}

Error FailedFor(const std::string& path) { return {ErrorCode::kIo, fmt::format("{}: {}", path, std::strerror(errno))}; }

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

Result<std::unique_ptr<RankQueue>> RankQueue::Open(const std::string& folder, const Rank& rank) {
  std::string path = fmt::format("{}/queue.{}", folder, rank.job);
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return FailedFor(path);
  return std::unique_ptr<RankQueue>(new RankQueue(std::move(path), descriptor));
}

RankQueue::~RankQueue() { close(descriptor_); }

Result<std::int64_t> RankQueue::Next() {
  if (flock(descriptor_, LOCK_EX) != 0) return FailedFor(path_);
  std::int64_t next = 0;
  const ssize_t known = pread(descriptor_, &next, sizeof(next), 0);
  const std::int64_t after = next + 1;
  const bool is_kept = known >= 0 && pwrite(descriptor_, &after, sizeof(after), 0) == sizeof(after);
  Result<std::int64_t> number = is_kept ? Result<std::int64_t>(next) : FailedFor(path_);
  flock(descriptor_, LOCK_UN);
  return number;
}

void RankQueue::Remove() const { unlink(path_.c_str()); }

void Gather(const std::string& folder, const Rank& rank, CheckJournal& journal, double patience) {
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t other = 0; other < rank.count; ++other) {
    if (other == rank.number) continue;
    const std::string path = fmt::format("{}/{}", folder, Rank::JournalName(other));
    for (;;) {
      const CheckJournal::Absorbed absorbed = journal.Absorb(path);
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
      const bool is_lost = absorbed == CheckJournal::Absorbed::kNone && waited.count() > patience;
      if (absorbed == CheckJournal::Absorbed::kDone || is_lost) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
}

}  // namespace assay
