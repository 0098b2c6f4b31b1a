// The headers that backends share, compiled once for all of them. Each file still includes the headers that it uses;
// -Db_pch=false compiles without this one.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "backends/backend.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/op.h"
