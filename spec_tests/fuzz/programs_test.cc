// Sets through programs, measured from both sides, in small.
#include "fuzz/program_accusations.h"
#include "interpreter/acceptance/profile.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

TEST_CASE("lawful noise in random programs is never accused", "[acceptance][programs]") {
  for (const std::string_view profile : BuiltInProfileNames()) {
    const ProgramCount count = CountProgramAccusations(BuiltInProfile(profile), 400, 23);
    INFO(profile << ": " << count.first_accusation);
    CHECK(count.accusations == 0);
    CHECK(count.programs > 300);
    if (profile != "exact") CHECK(count.inexact > 50);
    CHECK(count.weak < count.inexact / 2 + 5);
  }
}

}  // namespace
}  // namespace assay::testing
