// The benchmarks of `tools/dev bench`. Each reads the arguments after its name, prints what it measures and returns an
// exit code: 2 for wrong arguments.
#pragma once

#include <span>
#include <string_view>

namespace assay {

using BenchArguments = std::span<const std::string_view>;

// Counts false accusations among lawful noise for each profile, and runs each mutant on the corpus and on random
// instructions. Returns 1 if there is a false accusation or a missed mutant.
int BenchAcceptance(BenchArguments arguments);

// Judges programs as compilers change them, and faults: tables of the verdicts, and of the smallest size at which each
// fault is noticed. Returns 1 if a lawful program is FAIL or SUSPECT.
int BenchCompiledPrograms(BenchArguments arguments);

// `bench device [BYTES [ROWS]]` prints a line of JSON for tools/bench/modules.py: the device's name, the bytes a second
// that a copy of BYTES (2^30) reads and writes, and the operations a second of a product of bf16 matrices with ROWS
// (8192) rows, null without cuBLASLt. Returns 3 and prints the reason in one line if there is no device.
int BenchDevice(BenchArguments arguments);

// Counts the programs that a core draws, verifies, evaluates and compares in a second of its time, on the reference and
// on simd, and prints their coverage. With --mutants: a table that says whether fuzzing finds each handwritten mutant
// (or those named) within a time on two cores. Returns 1 if one is not found.
int BenchFuzz(BenchArguments arguments);

// [OP...]: times drawn instructions of each op (by default of all ops with a kernel) alternately under the definition
// and under the kernel. Prints the median ratio and its range over the draws. Returns 1 for an op without a kernel.
int BenchKernels(BenchArguments arguments);

// Runs the corpus on the mutants that operators make. Returns 1 if a mutant survives.
int BenchMutants(BenchArguments arguments);

// Times the element-wise functions of the named ops and element types, or of all, beside other libraries. Without
// arguments it also measures the sweeps of `assay exhaust`.
int BenchNumerics(BenchArguments arguments);

// Counts false accusations among random programs for each profile, for chains of float operations and for any programs,
// and, on a hundredth as many programs, which planted miscompilations are found. Returns 1 if there is a false
// accusation.
int BenchPrograms(BenchArguments arguments);

// FILE...: prints a line for each, for tools/bench/reading.py: the median, least and most seconds of reading it to a
// module of HLO, and its instructions. A file is HLO text (.hlo), StableHLO text (.mlir) or bytecode (.mlirbc), or an
// HloModuleProto (.pb).
int BenchReading(BenchArguments arguments);

// [MUTANT...]: reduces a random module of about 200 instructions for each mutant (by default for a sample) that
// such a module shows. Returns 1 if the median reduction ends with 8 instructions or more, or takes more than a minute.
int BenchReduce(BenchArguments arguments);

// FILE...: time the sets of the profile xla, or the backend simd, beside the reference on modules of HLO text; the seed
// of their arguments is 1.
int BenchSets(BenchArguments files);
int BenchSimd(BenchArguments files);

// Runs one module on a backend of assay for tools/bench/modules.py, once for each line of input. `arguments` are a
// backend or "roof" (work.h), a file of HLO text and a folder. The first process writes the inputs into the folder:
// inputs.json, a list of shapes, and the bytes of each in a file N.bin. Then prints two lines: the backend's name with
// its version, or the part of the roof that is slower, and the seconds of compilation. Replies to a line "N" of
// standard input with the mean seconds of N runs, to "memory" with the peak memory of the process in bytes, and to
// "bytes" and "operations" with those of the module.
int ServeModule(BenchArguments arguments);

}  // namespace assay
