// JSON and what goes with it, read once for the files of a library that read or write it. Files include what they use
// all the same; -Db_pch=false compiles them without this.
#include <nlohmann/json.hpp>

#include "backends/precompiled/backend.h"
