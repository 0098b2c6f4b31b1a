// What commands include, read once for all of them. Files include what they use all the same; -Db_pch=false
// compiles them without this.
#include "backends/precompiled/json.h"
#include "conformance/running/outcome.h"
#include "tools/command_line.h"
