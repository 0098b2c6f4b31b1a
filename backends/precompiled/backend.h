// What backends include, read once for all of them. Files include what they use all the same; -Db_pch=false compiles
// them without this.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "backends/backend.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/op.h"
