// Options for a client of a plugin and for its compiler, as the command line has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/compiler.h"
#include "backends/pjrt/abi/types.h"
#include "backends/pjrt/program_format.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

class ClientOptions {
 public:
  // Reads "OPTION=VALUE;OPTION=VALUE"; empty: none. A value is a truth value (true, false), an integer, a number with a
  // point, a list of integers with commas, or else a string. Options that begin with "xla_" are the compiler's,
  // and "format" is the host's: hlo or mlir. The error is kUsage.
  static Result<ClientOptions> Parse(std::string_view text);

  const std::vector<CompilerSetting>& compiler_settings() const { return compiler_settings_; }
  // The format of programs. Nothing: hlo, or mlir if the plugin refuses hlo.
  std::optional<ProgramFormat> format() const { return format_; }
  // Those of the client. Valid as long as the options are, and are not moved.
  std::vector<PJRT_NamedValue> Values() const;

 private:
  struct Option {
    std::string name;
    std::string text;
    PJRT_NamedValue_Type type = PJRT_NamedValue_kString;
    std::vector<std::int64_t> integers = {};
  };

  static Option ParseOption(std::string_view name, std::string_view value);

  std::vector<Option> options_;
  std::vector<CompilerSetting> compiler_settings_;
  std::optional<ProgramFormat> format_;
};

}  // namespace assay::pjrt
