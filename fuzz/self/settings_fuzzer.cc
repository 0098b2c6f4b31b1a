// Other files that users write by hand: profiles in JSON, filters of cases, golden files.
#include "conformance/cases/case_filter.h"
#include "conformance/cases/golden.h"
#include "fuzz/self/target.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

void ReadProfile(std::string_view text) {
  const Result<Profile> profile = Profile::Parse(text, "profile.json");
  if (!profile) return;
  profile->AllowsAnything();
  Require(profile->AllowanceOf("sqrt", F32).ulp >= 0, "an allowance is a distance");
}

void ReadFilter(const std::string& text) {
  const Result<CaseFilter> filter = CaseFilter::Parse(text);
  if (filter) filter->Keeps({.name = "add/f32/ties", .op = "add", .tags = "f32 level1", .path = "", .types = {}});
}

void ReadGolden(const std::string& text) {
  const Result<GoldenFile> file = ParseGoldenFile("golden/add/f32.hlo", text);
  if (!file) return;
  for (const GoldenCase& golden : file->cases) {
    const auto module =
        golden.refused.empty() ? ReadGoldenModule(*file, golden.entry) : ReadRefusedModule(*file, golden);
    if (!module) break;
  }
}

}  // namespace
}  // namespace assay

ASSAY_FUZZ_TARGET(settings) {
  const SmallLimits limits;
  ReadProfile(text);
  ReadFilter(std::string(text));
  ReadGolden(std::string(text));
}
