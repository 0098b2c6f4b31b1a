// What commands include, read once for all of them. Files include what they use all the same; -Db_pch=false
// compiles them without this.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "conformance/outcome.h"
#include "tools/command_line.h"
