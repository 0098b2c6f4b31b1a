#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/backend.h"
#include "backends/json_text.h"
#include "backends/lawful/lawful.h"
#include "backends/process.h"
#include "backends/reference.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProcessPrefix = "process:";
constexpr std::string_view kLawful = "lawful";

// backends.json of the working directory or of a folder above the executable: the repository that built it.
std::optional<fs::path> FindAliasFile() {
  std::error_code error;
  std::vector<fs::path> starts = {fs::current_path(error), fs::read_symlink("/proc/self/exe", error).parent_path()};
  for (fs::path folder : starts) {
    for (; !folder.empty(); folder = folder.parent_path()) {
      if (fs::exists(folder / "backends.json", error)) return folder / "backends.json";
      if (folder == folder.root_path()) break;
    }
  }
  return std::nullopt;
}

// lawful[:PROFILE[:SEED]], the profile one of those built in.
Result<std::unique_ptr<Backend>> OpenLawful(std::string_view name) {
  std::string_view profile = "xla", seed = "0";
  if (name.size() > kLawful.size()) profile = name.substr(kLawful.size() + 1);
  if (const std::size_t colon = profile.find(':'); colon != std::string_view::npos) {
    seed = profile.substr(colon + 1);
    profile = profile.substr(0, colon);
  }
  const std::vector<std::string_view> known = BuiltInProfileNames();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), number);
  if (std::ranges::count(known, profile) == 0 || error != std::errc() || end != seed.data() + seed.size()) {
    return Error{ErrorCode::kUsage, fmt::format("{}: expected lawful[:PROFILE[:SEED]], the profile one of {}, the seed "
                                                "a number",
                                                name, fmt::join(known, ", "))};
  }
  return std::unique_ptr<Backend>(std::make_unique<LawfulBackend>(BuiltInProfile(profile), number));
}

}  // namespace

Result<std::unique_ptr<Backend>> OpenBackend(std::string_view name, double timeout_seconds) {
  if (name == "reference") return std::unique_ptr<Backend>(std::make_unique<ReferenceBackend>());
  if (name == kLawful || name.starts_with(std::string(kLawful) + ":")) return OpenLawful(name);
  if (name.starts_with(kProcessPrefix)) {
    return ProcessBackend::Open({"/bin/sh", "-c", std::string(name.substr(kProcessPrefix.size()))}, "",
                                timeout_seconds);
  }
  const std::optional<fs::path> file = FindAliasFile();
  if (!file) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("unknown backend {}: expected reference, lawful[:PROFILE[:SEED]], process:COMMAND, or an alias of "
                    "backends.json, which was not found",
                    name)};
  }
  std::ifstream stream(*file);
  const Result<nlohmann::json> parsed = ParseJson(std::string{std::istreambuf_iterator<char>(stream), {}});
  if (!parsed || !parsed->is_object()) {
    return Error{ErrorCode::kUsage,
                 fmt::format("{}: {}", file->string(), parsed ? "expected an object" : parsed.error().message)};
  }
  const nlohmann::json& aliases = *parsed;
  const auto alias = aliases.find(std::string(name));
  if (alias == aliases.end() || !alias->is_object()) {
    std::string known = "reference, lawful[:PROFILE[:SEED]], process:COMMAND";
    for (const auto& [key, value] : aliases.items()) {
      if (value.is_object()) known += ", " + key;
    }
    return Error{ErrorCode::kUsage, fmt::format("unknown backend {}: expected one of {}", name, known)};
  }
  const nlohmann::json command = alias->value("command", nlohmann::json());
  const bool is_command = command.is_array() && !command.empty() &&
                          std::ranges::all_of(command, [](const nlohmann::json& word) { return word.is_string(); });
  if (!is_command) {
    return Error{ErrorCode::kUsage,
                 fmt::format("{}: the command of {} must be a list of words, the program and its arguments, found {}",
                             file->string(), name, JsonText(command))};
  }
  return ProcessBackend::Open(command.get<std::vector<std::string>>(), file->parent_path().string(), timeout_seconds);
}

}  // namespace assay
