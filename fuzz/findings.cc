#include "fuzz/findings.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/judging/computation_values.h"
#include "conformance/reports/shell_word.h"
#include "conformance/running/digest.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

using nlohmann::json;

constexpr std::string_view kFinding = "finding.json", kRuns = "runs.json", kLearnt = "learnt";
constexpr std::string_view kInNames = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
// Longer names are not more informative.
constexpr std::size_t kMostOps = 6, kLongest = 120;

constexpr std::string_view kBefore = "/before";

// Returns the command that shows that a backend's results for two equivalent modules differ.
std::string CommandOfPair(const std::string& folder, const Finding& finding) {
  const auto run = [&](const std::string& of) {
    return fmt::format("<(assay run {} --backend {} --inputs {}{} --full-output)", ShellWord(of + "/module.hlo"),
                       ShellWord(finding.backend), ShellWord(of + "/inputs.json"),
                       DeviceOptionsText(finding.replicas, finding.partitions));
  };
  return fmt::format("diff {} {}", run(folder + std::string(kBefore)), run(folder));
}

std::string OpWithType(const HloInstruction& instruction) {
  const Shape& shape = instruction.shape;
  if (!shape.IsArray()) return std::string(instruction.op->name);
  return fmt::format("{}.{}", instruction.op->name, PrimitiveTypeName(shape.element_type()));
}

Finding FromJson(const json& from) {
  Finding finding;
  from.at("verdict").get_to(finding.verdict);
  from.at("reason").get_to(finding.reason);
  from.at("backend").get_to(finding.backend);
  from.at("version").get_to(finding.version);
  from.at("profile").get_to(finding.profile);
  from.at("pass").get_to(finding.pass);
  from.at("source").get_to(finding.source);
  from.at("seed").get_to(finding.seed);
  from.at("number").get_to(finding.number);
  finding.draw = from.value("draw", std::int64_t{0});
  from.at("instructions").get_to(finding.instructions);
  finding.replicas = from.value("replicas", std::int64_t{0});
  finding.partitions = from.value("partitions", std::int64_t{0});
  return finding;
}

// A lock on a folder of findings that excludes other processes while the object lives.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : path_(folder + "/.lock"), descriptor_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    is_held_ = descriptor_ >= 0 && flock(descriptor_, LOCK_EX) == 0;
    if (!is_held_) error_ = errno;
  }
  ~FolderLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  Status Check() const {
    if (is_held_) return {};
    return Error{ErrorCode::kIo, fmt::format("{}: cannot be locked: {}", path_, std::strerror(error_))};
  }

 private:
  std::string path_;
  int descriptor_;
  bool is_held_;
  int error_ = 0;
};

// Copies the files of a finding, the one that makes it a finding last: a copy that ends early is none. Links are left
// out, because they may lead anywhere.
Status CopyFinding(const std::string& from, const std::string& to) {
  namespace fs = std::filesystem;
  constexpr auto kOptions =
      fs::copy_options::recursive | fs::copy_options::overwrite_existing | fs::copy_options::skip_symlinks;
  std::error_code error;
  fs::create_directories(to, error);
  for (auto entry = fs::directory_iterator(from, error); !error && entry != fs::end(entry); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name == kFinding) continue;
    fs::copy(entry->path(), fs::path(to) / name, kOptions, error);
    if (error) break;
  }
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", to, error.message())};
  return {};
}

// Returns nothing if there is no such file.
Result<std::optional<json>> ReadJson(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::optional<json>();
  ASSAY_TRY(const std::string text, ReadFile(path));
  Result<json> parsed = ParseJson(text);
  if (!parsed) return Error{ErrorCode::kInput, fmt::format("{}: {}", path, parsed.error().message)};
  return std::optional(*std::move(parsed));
}

}  // namespace

std::string Finding::Origin() const {
  if (number == kNotDrawn) return source;
  const std::string of_draw = draw == 0 ? "" : fmt::format("draw {} of ", draw);
  return fmt::format("{}program {} of seed {} ({})", of_draw, number, seed, source);
}

json ToJson(const Finding& finding) {
  return {{"signature", finding.signature}, {"verdict", finding.verdict},
          {"reason", finding.reason},       {"backend", finding.backend},
          {"version", finding.version},     {"profile", finding.profile},
          {"pass", finding.pass},           {"source", finding.source},
          {"seed", finding.seed},           {"number", finding.number},
          {"draw", finding.draw},           {"instructions", finding.instructions},
          {"replicas", finding.replicas},   {"partitions", finding.partitions}};
}

std::string SignatureOf(const Failure& failure, const Subject& reduced, const std::string& pass) {
  std::set<std::string> ops, others;
  for (const auto& computation : reduced.module->computations) {
    for (const auto& instruction : computation->instructions) {
      (DoesWork(*instruction) ? ops : others).insert(OpWithType(*instruction));
    }
  }
  // If the module has only parameters and constants, these identify the failure.
  if (ops.empty()) ops = std::move(others);
  std::vector<std::string> named(ops.begin(), ops.end());
  if (named.size() > kMostOps) named.resize(kMostOps);
  std::string signature = fmt::format("{}-{}", VerdictName(failure.verdict), JoinText(named, "-"));
  if (!pass.empty()) signature += "-by-" + pass;
  // The name of a pass comes from the peer, and the signature is the name of a folder.
  std::ranges::replace_if(
      signature, [](char c) { return kInNames.find(c) == std::string_view::npos; }, '_');
  return signature.substr(0, kLongest);
}

FindingsFolder FindingsFolder::At(const std::string& path) {
  FindingsFolder folder;
  folder.path_ = path;
  return folder;
}

Result<FindingsFolder> FindingsFolder::Open(const std::string& path) {
  ASSAY_CHECK_OK(PrepareFolder(path));
  return At(path);
}

std::vector<std::string> FindingsFolder::CommandsFor(const Finding& finding) const {
  const std::string folder = fmt::format("{}/{}", path_, finding.signature);
  std::error_code error;
  if (std::filesystem::exists(folder + std::string(kBefore), error)) return {CommandOfPair(folder, finding)};
  return {CommandOf({folder, finding.backend, finding.profile, {}, finding.replicas, finding.partitions}),
          fmt::format("assay repro {} --backend {} --inputs {}{}{} --out {}", ShellWord(ProgramIn(folder)),
                      ShellWord(finding.backend), ShellWord(folder + "/inputs.json"),
                      DeviceOptionsText(finding.replicas, finding.partitions),
                      finding.profile.empty() ? "" : " --profile " + ShellWord(finding.profile),
                      ShellWord(folder + "/repro"))};
}

bool FindingsFolder::HasRuns() const {
  std::error_code error;
  return std::filesystem::exists(fmt::format("{}/{}", path_, kRuns), error);
}

bool FindingsFolder::Has(const std::string& signature) const {
  std::error_code error;
  return std::filesystem::exists(fmt::format("{}/{}/{}", path_, signature, kFinding), error);
}

Result<bool> FindingsFolder::Add(const Finding& finding, const Subject& reduced, const std::optional<Subject>& before) {
  const FolderLock lock(path_);
  ASSAY_CHECK_OK(lock.Check());
  if (Has(finding.signature)) return false;
  const std::string folder = fmt::format("{}/{}", path_, finding.signature);
  ASSAY_CHECK_OK(
      WriteFailingModule({folder, finding.backend, finding.profile, {}, 0, 0, finding.takes_stablehlo}, reduced));
  if (before) {
    const std::string other = folder + std::string(kBefore);
    ASSAY_CHECK_OK(WriteFailingModule({other, finding.backend, finding.profile, {}}, *before));
    for (const std::string& place : {folder, other}) {
      ASSAY_CHECK_OK(WriteFileAtomically(place + "/command.txt", CommandOfPair(folder, finding) + "\n"));
    }
  }
  ASSAY_CHECK_OK(WriteFileAtomically(fmt::format("{}/{}", folder, kFinding), JsonText(ToJson(finding), 2) + "\n"));
  return true;
}

Result<std::int64_t> FindingsFolder::CopyNew(const std::vector<Finding>& findings, const FindingsFolder& other) {
  const FolderLock lock(path_);
  ASSAY_CHECK_OK(lock.Check());
  std::int64_t copied = 0;
  for (const Finding& finding : findings) {
    if (Has(finding.signature)) continue;
    const std::string from = fmt::format("{}/{}", other.path_, finding.signature);
    const std::string to = fmt::format("{}/{}", path_, finding.signature);
    ASSAY_CHECK_OK(CopyFinding(from, to));
    // The command names the folder.
    ASSAY_CHECK_OK(WriteFileAtomically(to + "/command.txt", CommandsFor(finding)[0] + "\n"));
    ASSAY_TRY(const std::string text, ReadFile(fmt::format("{}/{}", from, kFinding)));
    ASSAY_CHECK_OK(WriteFileAtomically(fmt::format("{}/{}", to, kFinding), text));
    ++copied;
  }
  return copied;
}

Result<std::int64_t> FindingsFolder::Absorb(const FindingsFolder& other) {
  ASSAY_TRY(const std::vector<Finding> findings, other.Read());
  ASSAY_TRY(const auto others, other.Runs());
  ASSAY_TRY(const std::int64_t copied, CopyNew(findings, other));
  std::vector<std::string> taken;
  ASSAY_CHECK_OK(ChangeRuns([&](std::map<std::string, RunState>& runs) {
    for (const auto& [name, run] : others) {
      if (run.next <= runs[name].next) continue;
      runs[name] = run;
      taken.push_back(name);
    }
  }));
  for (const std::string& name : taken) {
    const std::int64_t next = others.at(name).next;
    ASSAY_TRY(const json learnt, other.LearntOf(name, next));
    if (!learnt.is_null()) ASSAY_CHECK_OK(WriteLearnt(name, next, learnt));
  }
  return copied;
}

Result<std::vector<Finding>> FindingsFolder::Read() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path_, error)) {
    names.push_back(entry.path().filename().string());
  }
  if (error) return Error{ErrorCode::kIo, fmt::format("{}: {}", path_, error.message())};
  std::ranges::sort(names);
  std::vector<Finding> findings;
  for (const std::string& name : names) {
    const std::string file = fmt::format("{}/{}/{}", path_, name, kFinding);
    ASSAY_TRY(const std::optional<json> found, ReadJson(file));
    if (!found) continue;
    try {
      findings.push_back(FromJson(*found));
      // The signature in the file is not trusted: commands and pages contain paths made of it.
      findings.back().signature = name;
    } catch (const json::exception& bad) {
      return Error{ErrorCode::kInput, fmt::format("{}: no finding: {}", file, bad.what())};
    }
  }
  return findings;
}

Result<std::map<std::string, RunState>> FindingsFolder::Runs() const {
  const std::string path = fmt::format("{}/{}", path_, kRuns);
  ASSAY_TRY(const std::optional<json> file, ReadJson(path));
  std::map<std::string, RunState> runs;
  if (!file) return runs;
  try {
    for (const auto& [name, run] : file->items()) {
      runs[name] = {run.at("next").get<std::int64_t>(), FuzzCountFromJson(run.at("count"))};
    }
  } catch (const json::exception& bad) {
    return Error{ErrorCode::kInput, fmt::format("{}: no runs of assay fuzz: {}", path, bad.what())};
  }
  return runs;
}

Result<RunState> FindingsFolder::StateOf(const std::string& run) const {
  ASSAY_TRY(const auto runs, Runs());
  const auto found = runs.find(run);
  return found == runs.end() ? RunState() : found->second;
}

std::string FindingsFolder::LearntFile(const std::string& run) const {
  Digest digest;
  digest.Add(run);
  return fmt::format("{}/{}/{:016x}.json", path_, kLearnt, digest.value());
}

Result<json> FindingsFolder::LearntOf(const std::string& run, std::int64_t next) const {
  ASSAY_TRY(const std::optional<json> file, ReadJson(LearntFile(run)));
  const bool is_it =
      file && file->is_object() && file->value("run", json()) == run && file->value("next", json()) == next;
  return is_it ? file->value("learnt", json()) : json();
}

Status FindingsFolder::WriteLearnt(const std::string& run, std::int64_t next, const json& learnt) {
  ASSAY_CHECK_OK(PrepareFolder(fmt::format("{}/{}", path_, kLearnt)));
  return WriteFileAtomically(LearntFile(run), JsonText({{"run", run}, {"next", next}, {"learnt", learnt}}) + "\n");
}

Status FindingsFolder::ChangeRuns(const std::function<void(std::map<std::string, RunState>&)>& change) {
  const FolderLock lock(path_);
  ASSAY_CHECK_OK(lock.Check());
  ASSAY_TRY(auto runs, Runs());
  change(runs);
  json file = json::object();
  for (const auto& [name, one] : runs) file[name] = {{"next", one.next}, {"count", ToJson(one.count)}};
  return WriteFileAtomically(fmt::format("{}/{}", path_, kRuns), JsonText(file, 1) + "\n");
}

Status FindingsFolder::WriteState(const std::string& run, const RunState& state) {
  return ChangeRuns([&](std::map<std::string, RunState>& runs) { runs[run] = state; });
}

}  // namespace assay
