// The headers that most tests include, precompiled (see interpreter/precompiled/library.h).
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/builder/xla_builder.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/ops/record.h"
#include "spec_tests/catch.h"
