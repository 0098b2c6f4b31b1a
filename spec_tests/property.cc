#include "spec_tests/property.h"

#include <rapidcheck.h>

#include <cstdlib>

#include "spec_tests/catch.h"

namespace assay::testing {

void Holds(const std::function<void()>& property) { CHECK(rc::check(property)); }

void Holds(const std::string& law, const std::function<void()>& property) { CHECK(rc::check(law, property)); }

std::int64_t InRange(std::int64_t low, std::int64_t end) { return *rc::gen::inRange(low, end); }

std::size_t AnyPlace(std::size_t count) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, count));
}

bool Flip() { return *rc::gen::arbitrary<bool>(); }

std::uint64_t AnyBits() { return *rc::gen::arbitrary<std::uint64_t>(); }

std::int64_t AnyInteger() { return *rc::gen::arbitrary<std::int64_t>(); }

void Presume(bool condition) { RC_PRE(condition); }

void Fail(const char* expression, const char* file, int line) {
  RC_FAIL(std::string(file) + ":" + std::to_string(line) + ": " + expression);
  std::abort();  // RC_FAIL throws
}

}  // namespace assay::testing
