// What drawing an instruction takes, read once for all files of the library (see interpreter/precompiled/library.h).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string>
#include <utility>

#include "generate/attributes.h"
#include "generate/draft.h"
#include "generate/windows.h"
#include "interpreter/builder/add_instruction.h"
#include "interpreter/types/index_util.h"
