#include "backends/pjrt/device/shadow/judge.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "backends/process/child_starter.h"
#include "backends/process/values.h"
#include "interpreter/types/thread.h"

namespace assay::pjrt {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr double kSecondsOfStart = 60;
// The seconds that a request may take for files and pipes, beyond the limits of the reference and of judging.
constexpr double kGrace = 60;
constexpr std::size_t kLongestReply = std::size_t{1} << 28;

// Returns assay's program: ASSAY_PROGRAM, the one beside this library in a wheel or in a build, or the one on the path.
std::string AssayProgram() {
  if (const char* const named = std::getenv("ASSAY_PROGRAM"); named != nullptr && *named != 0) return named;
  Dl_info library = {};
  if (dladdr(reinterpret_cast<void*>(&AssayProgram), &library) != 0) {
    const fs::path folder = fs::path(library.dli_fname).parent_path();
    std::error_code error;
    for (const char* place : {"../bin/assay", "../tools/assay"}) {
      if (fs::exists(folder / place, error)) return (folder / place).string();
    }
  }
  return "assay";
}

std::string CurrentFolder() {
  std::error_code error;
  return fs::current_path(error).string();
}

json ValuesOf(const DeviceValues& values, TemporaryFolder& files) {
  const ArrayWriter write = [&](const Literal& array) { return files.Write(array); };
  json devices = json::array();
  for (const std::vector<Literal>& of_device : values) {
    json& list = devices.emplace_back(json::array());
    for (const Literal& value : of_device) list.push_back(ValueJson(value, write));
  }
  return devices;
}

}  // namespace

ShadowJudge::ShadowJudge(ShadowOptions options, std::string backend, int journal)
    : options_(std::move(options)),
      backend_(std::move(backend)),
      process_(getpid()),
      journal_(journal),
      directory_(CurrentFolder()) {}

Result<ShadowJudge*> ShadowJudge::Start(ShadowOptions options, std::string backend) {
  ASSAY_CHECK_OK(PrepareFolder(options.folder));
  const std::string path = fmt::format("{}/{}", options.folder, kJournal);
  const int journal = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (journal < 0) {
    return Error{ErrorCode::kIo, fmt::format("the journal {} cannot be written: {}", path, std::strerror(errno))};
  }
  auto* const judge = new ShadowJudge(std::move(options), std::move(backend), journal);
  ASSAY_CHECK_OK(judge->Connect());
  if (!StartDetachedThread([judge] { judge->Work(); })) {
    return Error{ErrorCode::kLimit, "cannot start the judging thread: the system has no thread left"};
  }
  return judge;
}

bool ShadowJudge::IsHere() const { return getpid() == process_; }

Status ShadowJudge::Connect() {
  if (child_) return {};
  const Deadline deadline(kSecondsOfStart);
  std::error_code error;
  const std::string files = fs::temp_directory_path(error).string();
  ASSAY_TRY(ChildProcess child,
            ChildProcess::Start({AssayProgram(), "serve", "--judge", "--files", files}, directory_));
  ASSAY_CHECK_OK(child.WriteLine(JsonText({{"hello", 1}, {"versions", {1, 2}}}), deadline));
  ASSAY_TRY(const std::string hello, child.ReadLine(deadline, kLongestReply));
  const Result<json> read = ParseJson(hello);
  if (!read || !read->is_object() || read->value("judges", json()) != true) {
    return Error{
        ErrorCode::kBackend,
        fmt::format("{} must be assay of this version: expected a hello with \"judges\": true", AssayProgram())};
  }
  child_.emplace(std::move(child));
  return {};
}

void ShadowJudge::Begin(const std::string& plugin, const std::string& version) {
  version_ = version;
  has_begun_ = true;
  const std::string profile = options_.profile.empty() ? "of the plugin" : options_.profile;
  Write({{"run", {{"plugin", plugin}, {"version", version}, {"profile", profile}, {"share", options_.Share()}}}});
}

void ShadowJudge::Add(ShadowedExecution execution) {
  std::unique_lock lock(mutex_);
  // An empty queue takes an execution of any size.
  const auto has_room = [&] {
    const bool fits = queue_.empty() || queued_bytes_ + execution.bytes <= options_.queue_bytes;
    return (std::ssize(queue_) < options_.queue && fits) || is_finished_;
  };
  if (options_.waits_for_room) changed_.wait(lock, has_room);
  if (has_room() && !is_finished_) {
    queued_bytes_ += execution.bytes;
    queue_.push_back(std::move(execution));
  } else {
    ++without_room_[execution.program->name];
  }
  changed_.notify_all();
}

void ShadowJudge::Skip(const ShadowedProgram& program, std::int64_t number, const std::string& reason) {
  Write({{"program", program.name}, {"execution", number}, {"not_judged", reason}});
}

void ShadowJudge::Work() {
  while (true) {
    ShadowedExecution execution;
    {
      std::unique_lock lock(mutex_);
      is_judging_ = false;
      changed_.notify_all();
      changed_.wait(lock, [&] { return !queue_.empty(); });
      execution = std::move(queue_.front());
      queue_.pop_front();
      queued_bytes_ -= execution.bytes;
      is_judging_ = true;
    }
    changed_.notify_all();
    try {
      JudgeNow(execution);
    } catch (const std::exception& error) {
      Skip(*execution.program, execution.number, error.what());
    }
  }
}

void ShadowJudge::JudgeNow(ShadowedExecution& execution) {
  const auto start = std::chrono::steady_clock::now();
  const Result<json> reply = Ask(execution);
  if (!reply) {
    // The next execution starts a new process.
    child_.reset();
    return Skip(*execution.program, execution.number, "the judging process: " + reply.error().message);
  }
  if (!reply->contains("report")) {
    return Skip(*execution.program, execution.number, reply->value("message", "no answer"));
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const json& report = reply->at("report");
  json line = {{"program", report.value("name", execution.program->name)},
               {"execution", execution.number},
               {"verdict", report.at("verdict")},
               {"reason", report.at("reason")},
               {"seconds", seconds.count()},
               {"report", report}};
  if (reply->contains("finding")) line["finding"] = reply->at("finding");
  Write(line);
}

Result<json> ShadowJudge::Ask(ShadowedExecution& execution) {
  ASSAY_CHECK_OK(Connect());
  TemporaryFolder files;
  if (files.path().empty() || sources_.path().empty()) {
    return Error{ErrorCode::kIo, "no folder can be made for the arrays"};
  }
  if (execution.program->file.empty()) {
    const std::string file = fmt::format("{}/{}", sources_.path(), files_++);
    ASSAY_CHECK_OK(WriteFileAtomically(file, execution.program->source));
    execution.program->file = file;
  }
  // The reference runs first, then the sets and the pieces.
  const Deadline deadline(2 * options_.seconds + 2 * options_.budget + kGrace);
  child_->ForgetErrorText();
  ASSAY_CHECK_OK(child_->WriteLine(JsonText(RequestFor(execution, files)), deadline));
  ASSAY_TRY(const std::string line, child_->ReadLine(deadline, kLongestReply));
  ASSAY_TRY(json reply, ParseJson(line));
  if (reply.is_object() && reply.value("id", json()) == requests_) return reply;
  return Error{ErrorCode::kBackend, fmt::format("expected the reply to request {}", requests_)};
}

json ShadowJudge::RequestFor(ShadowedExecution& execution, TemporaryFolder& files) {
  json request = {{"id", ++requests_},
                  {"judge_execution", execution.program->file},
                  {"inputs", ValuesOf(execution.inputs, files)},
                  {"outputs", ValuesOf(execution.outputs, files)},
                  {"folder", files.path()},
                  {"limits", {{"seconds", 2 * options_.seconds + options_.budget}}},
                  {"backend", backend_},
                  {"runs_pieces", options_.runs_pieces},
                  {"version", version_},
                  {"profile", options_.profile},
                  {"budget", options_.budget},
                  {"timeout", options_.seconds},
                  {"findings", options_.folder},
                  {"execution", execution.number}};
  const EntryShardings& shardings = execution.program->shardings;
  if (shardings.parameters) request["parameter_shardings"] = *shardings.parameters;
  if (shardings.results) request["result_shardings"] = *shardings.results;
  return request;
}

void ShadowJudge::Write(const json& line) {
  const std::string text = JsonText(line) + "\n";
  const std::lock_guard lock(journal_mutex_);
  (void)tally_.Take(line);
  // A line is written by one call, because several programs may append to the same journal.
  if (write(journal_, text.data(), text.size()) != std::ssize(text)) {
    static bool is_told = false;
    if (!std::exchange(is_told, true)) {
      fmt::print(stderr, "assay: the journal in {} cannot be written: {}\n", options_.folder, std::strerror(errno));
    }
  }
}

void ShadowJudge::SkipRest() {
  std::deque<ShadowedExecution> rest;
  std::map<std::string, std::int64_t> without_room;
  {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
    rest.swap(queue_);
    queued_bytes_ = 0;
    without_room.swap(without_room_);
  }
  changed_.notify_all();
  for (const ShadowedExecution& execution : rest) {
    Skip(*execution.program, execution.number, "the program ended, and the option wait allows no more time");
  }
  for (const auto& [program, times] : without_room) {
    Write({{"program", program}, {"execution", 0}, {"not_judged", "the queue was full"}, {"times", times}});
  }
}

void ShadowJudge::Finish() {
  if (!IsHere()) return;
  if (has_begun_) FinishJournal();
  EndAllChildrenForGood();
  TemporaryFolder::RemoveAllForGood();
}

void ShadowJudge::FinishJournal() {
  {
    std::unique_lock lock(mutex_);
    const std::chrono::duration<double> longest(options_.wait);
    changed_.wait_for(lock, longest, [&] { return queue_.empty() && !is_judging_; });
  }
  SkipRest();
  Write({{"programs", programs_.load()}, {"executions", executions_.load()}});
  const std::lock_guard lock(journal_mutex_);
  fmt::print(stderr, "{}", tally_.Text());
}

}  // namespace assay::pjrt
