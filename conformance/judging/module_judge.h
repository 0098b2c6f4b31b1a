// The one judge of the outputs of a module: check, diff, fuzz, explain, export and Python ask it.
#pragma once

#include "conformance/judging/compare.h"

namespace assay {

// A run of a module on a backend, and on the reference.
struct ModuleRun {
  Backend& backend;
  const HloModule& module;
  const DeviceValues& arguments;
  const Literal& want;  // the outputs of the reference, in the form of OfAllDevices
  const Literal& got;   // those of the backend
  // The operands of the root in the reference, where they are known: a result that its rule admits is lawful.
  const DeviceValues* operands_of_root = nullptr;
};

// Judges the outputs. Adds verdict, reason and findings to `report`.
Result<ModuleReport> JudgeRun(const ModuleRun& run, const CompareOptions& options, ModuleReport report);

}  // namespace assay
