// Everything that builds computations: the builder, its operations, constants and literals. docs/builder.md
#pragma once

#include "interpreter/builder/builder.h"
#include "interpreter/builder/constants.h"
#include "interpreter/builder/elementwise.h"
#include "interpreter/builder/literal_util.h"
#include "interpreter/builder/xla_computation.h"
