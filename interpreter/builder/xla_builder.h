// Everything that builds computations: the builder, its operations, constants and literals. docs/builder.md
#pragma once

#include "interpreter/builder/builder.h"
#include "interpreter/builder/collectives.h"
#include "interpreter/builder/constants.h"
#include "interpreter/builder/control.h"
#include "interpreter/builder/data_movement.h"
#include "interpreter/builder/dimension_numbers.h"
#include "interpreter/builder/elementwise.h"
#include "interpreter/builder/folds.h"
#include "interpreter/builder/literal_util.h"
#include "interpreter/builder/padding.h"
#include "interpreter/builder/products.h"
#include "interpreter/builder/random.h"
#include "interpreter/builder/xla_computation.h"
