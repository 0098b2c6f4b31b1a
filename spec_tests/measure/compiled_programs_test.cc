// The judge on programs as compilers change them, and on faults: `tools/dev bench compiled-programs` takes more inputs.
#include "fuzz/measure/compiled_programs.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "spec_tests/evaluator/module.h"
#include "spec_tests/nightly.h"

namespace assay::testing {
namespace {

// Reads the rows of the repository; without ASSAY_GOLDENS it must be the working directory.
Result<std::vector<RewriteRow>> Rows() {
  const char* goldens = std::getenv("ASSAY_GOLDENS");
  const auto root = goldens == nullptr ? std::filesystem::path(".") : std::filesystem::path(goldens).parent_path();
  return ReadCompiledPrograms((root / "fuzz/measure/compiled_programs").string());
}

TEST_CASE("no result of a lawful compilation is accused, and few are weak", "[acceptance]") {
  const auto programs = Rows();
  REQUIRE(programs);
  const bool is_nightly = IsNightly("most seeds of the lawful programs");
  int row = 0, runs = 0, weak = 0;
  for (const RewriteRow& program : *programs) {
    if (program.kind != RewriteKind::kLawful) continue;
    ++row;
    for (const CompiledProgramRun& run : RunsOf(program, 5)) {
      // Seed 0 has no lawful noise.
      if (!is_nightly && run.seed != static_cast<std::uint64_t>(row % 2)) continue;
      INFO(program.place << ": " << program.name << " " << run.profile << " " << run.type << " " << run.data << " seed "
                         << run.seed);
      const auto report = JudgeCompiled(program, run);
      REQUIRE(report);
      CHECK(report->verdict <= Verdict::kWeak);
      ++runs;
      weak += report->verdict == Verdict::kWeak ? 1 : 0;
    }
  }
  CHECK(runs > 1000);
  // Ties, sums that cancel, and decisions that rounding leaves open.
  CHECK(weak < 0.05 * runs);
}

TEST_CASE("a large fault of each kind is noticed", "[acceptance]") {
  const auto programs = Rows();
  REQUIRE(programs);
  for (const RewriteRow& program : *programs) {
    if (program.kind != RewriteKind::kFaulty) continue;
    for (const CompiledProgramRun& run : RunsOf(program, 1)) {
      if (run.size != program.sizes[0] || std::ranges::count(program.missed, run.type) > 0) continue;
      INFO(program.place << ": " << program.name << " " << run.profile << " " << run.type << " " << run.data);
      const auto report = JudgeCompiled(program, run);
      REQUIRE(report);
      CHECK(IsFailure(report->verdict));
    }
  }
}

TEST_CASE("compiled takes the instructions that it does not define from given", "[acceptance]") {
  const auto rows = ReadRewrites(R"(//! source  the file says it for each row
//! lawful  xla
//! program a
//! operands x T[$E]
given { y = T[$E] negate(x)
  z = T[$E] abs(y)
  ROOT r = T[$E] add(y, z) }
compiled { z = T[$E] sign(y)
  ROOT r = T[$E] multiply(z, z) }
)",
                                 "a.hlo");
  REQUIRE(rows);
  CHECK(rows->at(0).source == "the file says it for each row");
  const auto value_of = [&](std::string_view entry) {
    return Evaluated(*ModuleOf(rows->at(0), entry, "s32", "2").value(), Values({"s32[2] {3, -4}"}));
  };
  CHECK(value_of("given").BitwiseEqual(Value("s32[2] {0, 8}")));
  CHECK(value_of("compiled").BitwiseEqual(Value("s32[2] {1, 1}")));
}

TEST_CASE("a row that cannot be used is an error that names its line", "[acceptance]") {
  const auto folder = std::filesystem::temp_directory_path() / "assay_compiled_programs";
  const auto error_of = [&](std::string_view text) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "a.hlo") << text;
    const auto programs = ReadCompiledPrograms(folder.string());
    std::filesystem::remove_all(folder);
    if (programs) {
      const auto report = JudgeCompiled(programs->at(0), RunsOf(programs->at(0), 1).at(0));
      return report ? std::string() : report.error().message;
    }
    return programs.error().message;
  };
  const auto says = [&](std::string_view text, std::string_view message) {
    INFO(error_of(text));
    CHECK(error_of(text).find(message) != std::string::npos);
  };
  says("given { }\n", "a.hlo:1: expected //! program NAME");
  says("//! program a\n//! colour red\n", "a.hlo:2: unknown key colour");
  says("//! program a\n//! source x\n", "a.hlo:1: it has no source, or no line lawful");
  says("//! program a\n//! source x\n//! lawful mine\n", "unknown profile mine");
  says("//! program a\n//! operands x\n", "a.hlo:2: expected //! operands NAME SHAPE [VALUES]; ..., found x");
  const std::string_view both = "given { ROOT a = T[] negate(x) }\ncompiled { ROOT a = T[] negate(x) }\n";
  says(fmt::format("//! source x\n//! lawful xla\n//! program a\n//! operands x T[]\n//! data odd\n{}", both),
       "a.hlo:3: unknown data odd");
  says("//! program a\n//! source x\n//! lawful xla\n", "no computation given");
  says("//! program a\n//! source x\n//! lawful xla\ngiven { a = T[] parameter(0) }\n",
       "a.hlo:1: no computation compiled");
  says("//! program a\n//! source x\n//! lawful xla\ngiven { a = T[] }\ncompiled { a = T[] parameter(0) }\n",
       "a.hlo:1: ");
}

}  // namespace
}  // namespace assay::testing
