// Checks properties of drawn values. RapidCheck draws the values and shrinks failing cases. Only property.cc includes
// its templates, which need seconds to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace assay::testing {

// Runs the property a hundred times; each run must pass.
void Holds(const std::function<void()>& property);
void Holds(const std::string& law, const std::function<void()>& property);

// The functions below are called inside a property.

// Draws a number from low to end - 1; small ones are more likely.
std::int64_t InRange(std::int64_t low, std::int64_t end);
bool Flip();
// Draws any number; small ones are more likely.
std::uint64_t AnyBits();
std::int64_t AnyInteger();

// Draws a number from 0 to count - 1, all equally likely.
std::size_t AnyPlace(std::size_t count);

template <class T>
T OneOf(const std::vector<T>& values) {
  return values[AnyPlace(values.size())];
}
template <class T>
T OneOf(std::initializer_list<T> values) {
  return OneOf(std::vector<T>(values));
}

// Discards the case if the condition is false.
void Presume(bool condition);

[[noreturn]] void Fail(const char* expression, const char* file, int line);
#define ENSURE(...)                                                               \
  do {                                                                            \
    if (!(__VA_ARGS__)) ::assay::testing::Fail(#__VA_ARGS__, __FILE__, __LINE__); \
  } while (false)

}  // namespace assay::testing
