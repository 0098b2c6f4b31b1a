// Properties that hold for whatever is drawn. RapidCheck draws, and makes a failing case smaller; its templates, which
// take seconds to compile, are seen by property.cc alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace assay::testing {

// Runs the property a hundred times, and checks that each of them passes.
void Holds(const std::function<void()>& property);
void Holds(const std::string& law, const std::function<void()>& property);

// What follows is for the inside of a property.

// Any number from low to end - 1, sooner small ones.
std::int64_t InRange(std::int64_t low, std::int64_t end);
bool Flip();
// Any number, sooner small ones.
std::uint64_t AnyBits();
std::int64_t AnyInteger();

// Any number from 0 to count - 1, each as soon as another.
std::size_t AnyPlace(std::size_t count);

template <class T>
T OneOf(const std::vector<T>& values) {
  return values[AnyPlace(values.size())];
}
template <class T>
T OneOf(std::initializer_list<T> values) {
  return OneOf(std::vector<T>(values));
}

// The case does not count if what the property presumes is false.
void Presume(bool condition);

[[noreturn]] void Fail(const char* expression, const char* file, int line);
#define ENSURE(...)                                                               \
  do {                                                                            \
    if (!(__VA_ARGS__)) ::assay::testing::Fail(#__VA_ARGS__, __FILE__, __LINE__); \
  } while (false)

}  // namespace assay::testing
