#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/backend.h"
#include "backends/data_folder.h"
#include "backends/default_profile.h"
#include "backends/files.h"
#include "backends/json/json_text.h"
#include "backends/kind.h"
#include "backends/plugin_alias.h"
#include "backends/process/process.h"
#include "backends/program.h"
#include "backends/timed_backend.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/replace_all.h"

namespace assay {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> Forms() {
  std::vector<std::string> forms;
  for (const BackendKind* kind : AllBackendKinds()) forms.emplace_back(kind->form);
  return forms;
}

// An entry of backends.json, and the folder that its command runs in.
struct Alias {
  std::string folder;
  nlohmann::json entry;
};

// A placeholder in the name of an entry that serves many names: "xla-cpu@VERSION" serves xla-cpu@0.4.30, "pjrt:FILE"
// serves pjrt:plugin.so.
struct Placeholder {
  char mark;
  std::string_view word;
};
constexpr Placeholder kPlaceholders[] = {{'@', "VERSION"}, {':', "FILE"}};

// Returns the placeholder that matches the end of a name; null if none does. A version cannot contain a path.
const Placeholder* PlaceholderIn(std::string_view name) {
  const auto of_version = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.'; };
  for (const Placeholder& placeholder : kPlaceholders) {
    const std::size_t at = name.find(placeholder.mark);
    if (at == std::string_view::npos || at + 1 == name.size()) continue;
    if (placeholder.mark == '@' && !std::ranges::all_of(name.substr(at + 1), of_version)) return nullptr;
    return &placeholder;
  }
  return nullptr;
}

// Returns the entry with each occurrence of the placeholder replaced by the value.
nlohmann::json Filled(const nlohmann::json& entry, const Placeholder& placeholder, const std::string& value) {
  if (entry.is_string()) return ReplaceAll(entry.get<std::string>(), placeholder.word, value);
  nlohmann::json filled = entry;
  if (!entry.is_structured()) return filled;  // iterating over a number yields the number itself
  for (nlohmann::json& part : filled) part = Filled(part, placeholder, value);
  return filled;
}

// Reads a JSON object that maps names to entries.
Result<nlohmann::json> ReadAliases(const fs::path& file) {
  std::ifstream stream(file);
  const Result<nlohmann::json> aliases = ParseJson(std::string{std::istreambuf_iterator<char>(stream), {}});
  if (aliases && aliases->is_object()) return aliases;
  return Error{ErrorCode::kUsage,
               fmt::format("{}: {}", file.string(), aliases ? "expected an object" : aliases.error().message)};
}

// Fails with kUsage unless the entry has a command, or a plugin.
Status CheckEntry(const fs::path& file, const nlohmann::json& entry, std::string_view name) {
  const auto wrong = [&](std::string_view field, std::string_view expected, const nlohmann::json& found) {
    return Error{ErrorCode::kUsage, fmt::format("{}: the {} of {} must be {}, found {}", file.string(), field, name,
                                                expected, JsonText(found))};
  };
  if (entry.contains("profile") && !entry["profile"].is_string()) {
    return wrong("profile", "a name or a file", entry["profile"]);
  }
  if (entry.contains("plugin")) {
    if (!entry["plugin"].is_string()) return wrong("plugin", "a file", entry["plugin"]);
    const nlohmann::json options = entry.value("options", nlohmann::json(""));
    return options.is_string() ? Status() : wrong("options", "a text OPTION=VALUE;...", options);
  }
  const nlohmann::json command = entry.value("command", nlohmann::json());
  const bool is_command = command.is_array() && !command.empty() &&
                          std::ranges::all_of(command, [](const nlohmann::json& word) { return word.is_string(); });
  return is_command ? Status() : wrong("command", "a list of words, the program and its arguments", command);
}

// Returns the entry of the name in one file; nullopt if it has none. Fails with kUsage for an invalid entry.
Result<std::optional<Alias>> AliasIn(const fs::path& file, const nlohmann::json& aliases, std::string_view name) {
  auto alias = aliases.find(std::string(name));
  const Placeholder* const placeholder = alias == aliases.end() ? PlaceholderIn(name) : nullptr;
  const std::size_t mark = placeholder == nullptr ? name.size() : name.find(placeholder->mark);
  if (placeholder != nullptr) alias = aliases.find(fmt::format("{}{}", name.substr(0, mark + 1), placeholder->word));
  if (alias == aliases.end() || !alias->is_object()) return std::optional<Alias>();
  ASSAY_CHECK_OK(CheckEntry(file, *alias, name));
  const std::string folder = file.parent_path().string();
  if (placeholder == nullptr) return std::optional(Alias{folder, *alias});
  std::string value(name.substr(mark + 1));
  // The path becomes absolute because the command runs in another folder than the user.
  std::error_code error;
  if (fs::exists(value, error)) value = fs::absolute(value, error).string();
  return std::optional(Alias{folder, Filled(*alias, *placeholder, value)});
}

enum class AliasesOf { kBackends, kPlugins };

// Returns the entry of the nearest file that has the name. The other names of files further away stay visible. Fails
// with kUsage if no file has the name, or if a file before it is invalid; the message then has the possible names,
// those of plugins alone if the caller takes nothing else.
Result<Alias> FindAlias(std::string_view name, AliasesOf kind = AliasesOf::kBackends) {
  const bool takes_all = kind == AliasesOf::kBackends;
  std::vector<std::string> known = takes_all ? Forms() : std::vector<std::string>();
  const auto unknown = [&](std::string_view further) {
    return Error{ErrorCode::kUsage, fmt::format("unknown {} {}: expected one of {}{}", takes_all ? "backend" : "plugin",
                                                name, JoinText(known, ", "), further)};
  };
  const std::vector<fs::path> files = FindAllData("backends.json");
  if (files.empty()) return unknown(", or an alias of backends.json, which was not found");
  for (const fs::path& file : files) {
    ASSAY_TRY(const nlohmann::json aliases, ReadAliases(file));
    ASSAY_TRY(std::optional<Alias> alias, AliasIn(file, aliases, name));
    if (alias) return *std::move(alias);
    for (const auto& [key, value] : aliases.items()) {
      const bool is_possible = value.is_object() && (takes_all || value.contains("plugin"));
      if (is_possible && std::ranges::find(known, key) == known.end()) known.push_back(key);
    }
  }
  return unknown("");
}

// Fails with kBackend if the file of the program or plugin does not exist and the entry says what installs it.
Status FindProgram(std::string_view name, const Alias& alias) {
  const bool is_plugin = alias.entry.contains("plugin");
  const auto program = (is_plugin ? alias.entry["plugin"] : alias.entry["command"][0]).get<std::string>();
  const nlohmann::json install = alias.entry.value("install", nlohmann::json());
  std::error_code error;
  if (!install.is_string() || (!is_plugin && program.find('/') == std::string::npos)) return {};
  if (fs::exists(fs::path(alias.folder) / program, error)) return {};
  return Error{ErrorCode::kBackend, fmt::format("{} is not installed: {} is not there; {} installs it", name, program,
                                                install.get<std::string>())};
}

// Returns the backend of an entry with a plugin, pjrt:FILE:OPTIONS; nullopt for an entry with a command.
std::optional<std::string> BackendOfPlugin(const Alias& alias) {
  if (!alias.entry.contains("plugin")) return std::nullopt;
  const fs::path file = fs::path(alias.folder) / alias.entry["plugin"].get<std::string>();
  return fmt::format("pjrt:{}:{}", file.string(), alias.entry.value("options", ""));
}

// Returns the kind of a backend by its name; null for an alias.
const BackendKind* KindOf(std::string_view name) {
  const std::span kinds = AllBackendKinds();
  const auto kind = std::ranges::find(kinds, name.substr(0, name.find(':')), &BackendKind::name);
  return kind == kinds.end() ? nullptr : *kind;
}

std::optional<std::string_view> ArgumentOf(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? std::nullopt : std::optional(name.substr(colon + 1));
}

Result<std::unique_ptr<Backend>> OpenUntimed(std::string_view name, double timeout_seconds) {
  if (const BackendKind* kind = KindOf(name)) return kind->open(ArgumentOf(name), timeout_seconds);
  ASSAY_TRY(const Alias alias, FindAlias(name));
  ASSAY_CHECK_OK(FindProgram(name, alias));
  if (const std::optional<std::string> of_plugin = BackendOfPlugin(alias)) {
    const BackendKind* const kind = KindOf(*of_plugin);
    if (kind != nullptr) return kind->open(ArgumentOf(*of_plugin), timeout_seconds);
    return Error{ErrorCode::kUsage, fmt::format("{}: this program opens no plugins; assay does", name)};
  }
  Result<std::unique_ptr<Backend>> backend =
      ProcessBackend::Open(alias.entry["command"].get<std::vector<std::string>>(), alias.folder, timeout_seconds);
  const nlohmann::json install = alias.entry.value("install", nlohmann::json());
  if (!backend && install.is_string()) {
    backend.error().message += fmt::format("\nnote: {} installs what {} needs", install.get<std::string>(), name);
  }
  return backend;
}

}  // namespace

Result<Profile> ReadProfile(const std::string& name_or_file) {
  const std::vector<std::string_view> names = BuiltInProfileNames();
  if (std::ranges::count(names, name_or_file) > 0) return BuiltInProfile(name_or_file);
  const Result<std::string> text = ReadFile(name_or_file);
  if (text) return Profile::Parse(*text, name_or_file);
  return Error{ErrorCode::kUsage,
               fmt::format("{}; the built-in profiles are {}", text.error().message, JoinText(names, ", "))};
}

std::string DefaultProfile(std::string_view backend) {
  if (const BackendKind* kind = KindOf(backend)) {
    const std::string_view argument = ArgumentOf(backend).value_or("");
    const bool is_named = kind->names_profile && !argument.empty();
    return std::string(is_named ? argument.substr(0, argument.rfind(':')) : kind->profile);
  }
  const std::string standard(BackendKind().profile);
  // OpenBackend reports the errors of an alias.
  const Result<Alias> alias = FindAlias(backend);
  return alias ? alias->entry.value("profile", standard) : standard;
}

Result<BackendProgram> ProgramOf(std::string_view backend) {
  if (const BackendKind* kind = KindOf(backend)) {
    if (kind != &backend_process)
      return BackendProgram{{"assay", "serve", "--backend", std::string(backend)}, "", false};
    return BackendProgram{{"/bin/sh", "-c", std::string(backend.substr(backend.find(':') + 1))}, "", false};
  }
  ASSAY_TRY(const Alias alias, FindAlias(backend));
  if (const std::optional<std::string> of_plugin = BackendOfPlugin(alias)) {
    return BackendProgram{{"assay", "serve", "--backend", *of_plugin}, "", false};
  }
  return BackendProgram{alias.entry["command"].get<std::vector<std::string>>(), alias.folder,
                        alias.entry.value("repro", nlohmann::json()) == "jaxlib"};
}

Result<std::string> BackendOfPluginAlias(std::string_view name) {
  ASSAY_TRY(const Alias alias, FindAlias(name, AliasesOf::kPlugins));
  ASSAY_CHECK_OK(FindProgram(name, alias));
  if (std::optional<std::string> backend = BackendOfPlugin(alias)) return *std::move(backend);
  return Error{ErrorCode::kUsage, fmt::format("{} is not a PJRT plugin: backends.json gives it a command", name)};
}

Result<std::unique_ptr<Backend>> OpenBackend(std::string_view name, double timeout_seconds) {
  ASSAY_TRY(std::unique_ptr<Backend> backend, OpenUntimed(name, timeout_seconds));
  return TimedBackend(std::move(backend), timeout_seconds);
}

}  // namespace assay
