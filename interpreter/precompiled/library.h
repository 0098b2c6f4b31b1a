// The standard library, fmt and the op record, read once for all files of the library: two thirds of what compiling an
// op takes. Files include what they use all the same; -Db_pch=false compiles them without this.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
