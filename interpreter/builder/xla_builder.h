// The whole interface for building computations: the builder, its operations, constants and literals. docs/builder.md
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

// Names the types in assay too. Argument-dependent lookup finds the functions, so a program that uses only assay can
// build computations, and the short names (And, Map, Select) stay out of assay.
namespace assay {

using xla::ChannelHandle;
using xla::DotDimensionNumbers;
using xla::FftType;
using xla::GatherDimensionNumbers;
using xla::Padding;
using xla::PrecisionConfig;
using xla::RaggedDotDimensionNumbers;
using xla::ReplicaGroup;
using xla::ScatterDimensionNumbers;
using xla::TriangularSolveOptions;
using xla::XlaBuilder;
using xla::XlaComputation;
using xla::XlaOp;

}  // namespace assay
