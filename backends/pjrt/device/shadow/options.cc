#include "backends/pjrt/device/shadow/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "backends/default_profile.h"
#include "backends/plugin_alias.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/number_in_text.h"

namespace assay::pjrt {
namespace {

namespace fs = std::filesystem;

constexpr double kMostSeconds = 1e9;
constexpr std::int64_t kMostBytesOfOne = std::int64_t{1} << 40;
constexpr std::int64_t kMostExecutions = 1'000'000'000;

Error Wrong(std::string_view option, std::string_view expected, std::string_view found) {
  return {ErrorCode::kUsage,
          fmt::format("ASSAY_SHADOW_OPTIONS: option {}: expected {}, found {}", option, expected, found)};
}

template <class Number>
Status ReadBounded(std::string_view option, std::string_view text, Number least, Number most, Number& number) {
  const auto read = NumberInText<Number>(text);
  if (!read || !(*read >= least && *read <= most)) {
    return Wrong(option, fmt::format("a number from {} to {}", least, most), text);
  }
  number = *read;
  return {};
}

// Reads one of two words: `no` is false, `yes` is true.
Status ReadChoice(std::string_view option, std::string_view text, std::string_view no, std::string_view yes,
                  bool& choice) {
  if (text != no && text != yes) return Wrong(option, fmt::format("{} or {}", no, yes), text);
  choice = text == yes;
  return {};
}

Status ReadShare(std::string_view text, std::int64_t& every) {
  const std::string_view number = text == "once" ? "0" : text == "all" ? "1" : text;
  const auto read = NumberInText<std::int64_t>(number);
  if (!read || *read < 0 || *read > kMostExecutions || (*read == 0 && text != "once")) {
    return Wrong("share", "once, all, or N for each N-th execution", text);
  }
  every = *read;
  return {};
}

Status ReadProfileName(std::string_view text, std::string& profile) {
  if (const Result<Profile> read = ReadProfile(std::string(text)); !read) {
    return Error{ErrorCode::kUsage, "ASSAY_SHADOW_OPTIONS: option profile: " + read.error().message};
  }
  std::error_code error;
  // The path is absolute, because the judging process may run in another folder.
  profile = fs::exists(text, error) ? fs::absolute(text, error).string() : std::string(text);
  return {};
}

Status ReadFolder(std::string_view text, std::string& folder) {
  if (text.empty()) return Wrong("folder", "a folder", "nothing");
  folder = text;
  return {};
}

struct ShadowOption {
  std::string_view name;
  std::function<Status(std::string_view value, ShadowOptions& options)> read;
};

const std::vector<ShadowOption>& AllShadowOptions() {
  static const std::vector<ShadowOption> all = {
      {"share", [](auto value, auto& options) { return ReadShare(value, options.every); }},
      {"profile", [](auto value, auto& options) { return ReadProfileName(value, options.profile); }},
      {"folder", [](auto value, auto& options) { return ReadFolder(value, options.folder); }},
      {"max_bytes",
       [](auto value, auto& options) {
         return ReadBounded<std::int64_t>("max_bytes", value, 1, kMostBytesOfOne, options.most_bytes);
       }},
      {"queue",
       [](auto value, auto& options) {
         return ReadBounded<std::int64_t>("queue", value, 1, kMostExecutions, options.queue);
       }},
      {"queue_bytes",
       [](auto value, auto& options) {
         return ReadBounded<std::int64_t>("queue_bytes", value, 1, kMostBytesOfOne, options.queue_bytes);
       }},
      {"full",
       [](auto value, auto& options) { return ReadChoice("full", value, "skip", "wait", options.waits_for_room); }},
      {"pieces",
       [](auto value, auto& options) { return ReadChoice("pieces", value, "false", "true", options.runs_pieces); }},
      {"seconds",
       [](auto value, auto& options) { return ReadBounded("seconds", value, 0.001, kMostSeconds, options.seconds); }},
      {"budget",
       [](auto value, auto& options) { return ReadBounded("budget", value, 0.001, kMostSeconds, options.budget); }},
      {"wait", [](auto value, auto& options) { return ReadBounded("wait", value, 0.0, kMostSeconds, options.wait); }},
  };
  return all;
}

std::string NamesOfOptions() {
  std::vector<std::string> names;
  for (const ShadowOption& option : AllShadowOptions()) names.emplace_back(option.name);
  return JoinText(names, ", ");
}

Status ReadOption(std::string_view setting, ShadowOptions& options) {
  const std::size_t sign = setting.find('=');
  if (sign == std::string_view::npos) {
    return Error{ErrorCode::kUsage,
                 fmt::format("ASSAY_SHADOW_OPTIONS: expected OPTION=VALUE;OPTION=VALUE, found {}", setting)};
  }
  const std::string_view name = setting.substr(0, sign);
  const auto option = std::ranges::find(AllShadowOptions(), name, &ShadowOption::name);
  if (option != AllShadowOptions().end()) return option->read(setting.substr(sign + 1), options);
  return Error{ErrorCode::kUsage,
               fmt::format("ASSAY_SHADOW_OPTIONS: unknown option {}: expected one of {}", name, NamesOfOptions())};
}

}  // namespace

Result<ShadowOptions> ShadowOptions::Read(std::string_view text) {
  ShadowOptions options;
  while (!text.empty()) {
    const std::string_view setting = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(setting.size() + 1, text.size()));
    if (!setting.empty()) ASSAY_CHECK_OK(ReadOption(setting, options));
  }
  return options;
}

std::string ShadowOptions::Share() const { return every == 0 ? "once" : every == 1 ? "all" : std::to_string(every); }

Result<ShadowedPlugin> ShadowedPlugin::Find(const std::string& name) {
  const auto wrong = [](std::string_view what) {
    return Error{ErrorCode::kUsage, fmt::format("ASSAY_SHADOW: {}", what)};
  };
  if (name.empty()) {
    return wrong("expected the plugin to shadow: FILE[:OPTION=VALUE;...], or a name in backends.json");
  }
  std::error_code error;
  std::string backend = "pjrt:" + name;
  if (!fs::exists(name.substr(0, name.find(':')), error)) {
    Result<std::string> alias = BackendOfPluginAlias(name);
    if (!alias) return wrong(fmt::format("there is no file {}: {}", name, alias.error().message));
    backend = *std::move(alias);
  }
  const std::string_view argument = std::string_view(backend).substr(sizeof "pjrt:" - 1);
  ShadowedPlugin plugin;
  plugin.file = fs::absolute(argument.substr(0, argument.find(':')), error).string();
  const std::size_t colon = argument.find(':');
  const std::string options(colon == std::string_view::npos ? "" : argument.substr(colon + 1));
  plugin.backend =
      options.empty() ? fmt::format("pjrt:{}", plugin.file) : fmt::format("pjrt:{}:{}", plugin.file, options);
  ASSAY_TRY(plugin.options, ClientOptions::Parse(options));
  if (!plugin.options.compiler_settings().empty()) {
    return wrong(fmt::format("{} is a setting of the compiler, which the program chooses: XLA_FLAGS sets it",
                             plugin.options.compiler_settings()[0].name));
  }
  return plugin;
}

}  // namespace assay::pjrt
