#include "conformance/running/check_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/running/check_run.h"

namespace assay {
namespace {

using nlohmann::json;

Error Unwritable(const std::string& path) {
  return {ErrorCode::kIo, fmt::format("{} cannot be written: {}", path, std::strerror(errno))};
}

json ToLine(const std::string& file, const std::vector<Outcome>& outcomes) {
  json line = {{"file", file}, {"cases", json::array()}, {"models", json::array()}};
  for (const Outcome& outcome : outcomes) line[outcome.is_model() ? "models" : "cases"].push_back(outcome.ToJson());
  return line;
}

std::vector<Outcome> FromLine(const json& line) {
  std::vector<Outcome> outcomes;
  for (const json& entry : line.at("cases")) outcomes.push_back(Outcome::FromJson(entry, /*is_model=*/false));
  for (const json& entry : line.at("models")) outcomes.push_back(Outcome::FromJson(entry, /*is_model=*/true));
  return outcomes;
}

// Returns the length of the complete lines. The last line is incomplete if the run was killed while writing it.
std::size_t EndOfLines(std::string_view text) { return text.find_last_of('\n') + 1; }

}  // namespace

Result<std::unique_ptr<CheckJournal>> CheckJournal::Open(const std::string& folder, const json& run, bool resume,
                                                         const std::string& name, const std::string& job) {
  const std::string path = fmt::format("{}/{}", folder, name);
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) return Unwritable(path);
  std::unique_ptr<CheckJournal> journal(new CheckJournal(path, descriptor, run, job));
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorCode::kUsage, fmt::format("{}: another check writes its report there", folder)};
  }
  ASSAY_CHECK_OK(resume ? journal->Read() : journal->Begin());
  if (!job.empty()) ASSAY_CHECK_OK(journal->AppendLine({{"job", job}}));
  return journal;
}

CheckJournal::~CheckJournal() { close(descriptor_); }

Status CheckJournal::Begin() {
  if (ftruncate(descriptor_, 0) != 0) return Unwritable(path_);
  return AppendLine(run_);
}

Status CheckJournal::Read() {
  ASSAY_TRY(const std::string text, ReadFile(path_));
  const std::size_t end = EndOfLines(text);
  if (end == 0) return Begin();
  if (end < text.size() && ftruncate(descriptor_, static_cast<off_t>(end)) != 0) return Unwritable(path_);
  ASSAY_TRY(Contents contents, Parse(path_, text));
  found_ = std::move(contents.found);
  flips_ = std::move(contents.flips);
  return {};
}

Result<CheckJournal::Contents> CheckJournal::Parse(const std::string& path, std::string_view text) const {
  Contents contents;
  const std::size_t end = EndOfLines(text);
  int number = 0;
  for (std::size_t start = 0; start < end;) {
    const std::size_t stop = text.find('\n', start);
    const Result<json> line = ParseJson(text.substr(start, stop - start));
    const auto bad = [&](std::string_view what) {
      return Error{ErrorCode::kInput,
                   fmt::format("{}:{}: {}; without --resume the check begins anew", path, number, what)};
    };
    start = stop + 1;
    if (++number == 1) {
      const std::string difference = line ? DifferenceOfRuns(*line, run_) : line.error().message;
      if (difference.empty()) continue;
      Error other = bad("the journal is of another run: " + difference);
      other.code = ErrorCode::kUsage;
      return other;
    }
    if (!line) return bad(line.error().message);
    try {
      if (line->contains("job")) {
        line->at("job").get_to(contents.job);
      } else if (line->contains("flips")) {
        contents.flips[line->at("case").get<std::string>()] = Flips::FromJson(line->at("flips"));
      } else {
        contents.found[line->at("file").get<std::string>()] = FromLine(*line);
      }
    } catch (const json::exception& error) {
      return bad(error.what());
    }
  }
  return contents;
}

CheckJournal::Absorbed CheckJournal::Absorb(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Absorbed::kNone;
  const bool has_ended = flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  close(descriptor);
  const Result<std::string> text = ReadFile(path);
  Result<Contents> contents = text ? Parse(path, *text) : text.error();
  if (!contents || contents->job != job_) return Absorbed::kNone;
  if (!has_ended) return Absorbed::kBusy;
  found_.merge(contents->found);
  return Absorbed::kDone;
}

void CheckJournal::Peek(const std::string& path) {
  const Result<std::string> text = ReadFile(path);
  Result<Contents> contents = text ? Parse(path, *text) : text.error();
  if (contents) found_.merge(contents->found);
}

const std::vector<Outcome>* CheckJournal::Find(const std::string& file) const {
  const auto found = found_.find(file);
  return found == found_.end() ? nullptr : &found->second;
}

Status CheckJournal::Append(const std::string& file, const std::vector<Outcome>& outcomes) {
  ASSAY_CHECK_OK(AppendLine(ToLine(file, outcomes)));
  // The first rank reports from `found_`, which must also have its own share.
  if (!job_.empty()) found_[file] = outcomes;
  return {};
}

Status CheckJournal::AppendFlips(const std::string& name, const Flips& flips) {
  return AppendLine({{"case", name}, {"flips", flips.ToJson()}});
}

Status CheckJournal::AppendLine(const json& line) {
  const std::string text = JsonText(line) + "\n";
  const off_t before = lseek(descriptor_, 0, SEEK_END);
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(descriptor_, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const Error error = Unwritable(path_);
      // Half a line in the middle would break the journal.
      if (done > 0 && ftruncate(descriptor_, before) != 0) return Unwritable(path_);
      return error;
    }
    done += static_cast<std::size_t>(n);
  }
  return {};
}

}  // namespace assay
