// The benchmarks of `tools/dev bench`. Each reads the arguments after its name, prints what it measures and returns an
// exit code: 2 for wrong arguments.
#pragma once

#include <span>
#include <string_view>

namespace assay {

using BenchArguments = std::span<const std::string_view>;

// Counts false accusations among lawful noise for each profile. Returns 1 if there is one.
int BenchAcceptance(BenchArguments arguments);

// Judges programs as compilers change them, and faults: tables of the verdicts, and of the smallest size at which each
// fault is noticed. Returns 1 if a lawful program is FAIL or SUSPECT.
int BenchCompiledPrograms(BenchArguments arguments);

// `bench device [BYTES [ROWS]]` prints a line of JSON for tools/bench/modules.py: the device's name, the bytes a second
// that a copy of BYTES (2^30) reads and writes, and the operations a second of a product of bf16 matrices with ROWS
// (8192) rows, null without cuBLASLt. Returns 3 and prints the reason in one line if there is no device.
int BenchDevice(BenchArguments arguments);

// Runs the corpus on the mutants that operators make. Returns 1 if a mutant survives.
int BenchMutants(BenchArguments arguments);

// Counts false accusations among random programs for each profile, for chains of float operations and for any programs,
// and, on a hundredth as many programs, which planted miscompilations are found. Returns 1 if there is a false
// accusation.
int BenchPrograms(BenchArguments arguments);

// FILE...: prints a line for each, for tools/bench/reading.py: the median, least and most seconds of reading it to a
// module of HLO, and its instructions. A file is HLO text (.hlo), StableHLO text (.mlir) or bytecode (.mlirbc), or an
// HloModuleProto (.pb).
int BenchReading(BenchArguments arguments);

// Runs one module on a backend of assay for tools/bench/modules.py, once for each line of input. `arguments` are a
// backend, "roof" (work.h) or "sets", a file of HLO text and a folder. The first process writes the inputs into the
// folder: inputs.json, a list of shapes, and the bytes of each in a file N.bin. Then prints two lines: the backend's
// name with its version, or the part of the roof that is slower, and the seconds of compilation. Replies to a line "N"
// of standard input with the mean seconds of N runs, to "memory" with the peak memory of the process in bytes, and to
// "bytes" and "operations" with those of the module.
int ServeModule(BenchArguments arguments);

}  // namespace assay
