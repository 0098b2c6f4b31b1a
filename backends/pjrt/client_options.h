// Options for a client of a plugin, as the command line has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/pjrt/abi/types.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

class ClientOptions {
 public:
  // Reads "OPTION=VALUE;OPTION=VALUE"; empty: none. A value is a truth value (true, false), an integer, a number with a
  // point, a list of integers with commas, or else a string. The error is kUsage.
  static Result<ClientOptions> Parse(std::string_view text);

  // Valid as long as the options are, and are not moved.
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
};

}  // namespace assay::pjrt
