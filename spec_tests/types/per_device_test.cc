#include "interpreter/types/per_device.h"

#include <concepts>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

#include "spec_tests/catch.h"

namespace assay {
namespace {

// A list of operands and a list by device do not convert to each other.
static_assert(!std::convertible_to<std::vector<Literal>, PerDevice<Literal>>);
static_assert(!std::convertible_to<PerDevice<Literal>, std::vector<Literal>>);
static_assert(!std::convertible_to<PerDevice<Literal>, std::span<const Literal>>);
static_assert(!std::convertible_to<PerDevice<Literal>&, std::span<Literal>>);
static_assert(!std::convertible_to<std::vector<std::vector<Literal>>, DeviceValues>);
static_assert(!std::convertible_to<PerDevice<Literal>, DeviceValues>);
static_assert(!std::convertible_to<std::int64_t, DeviceValues>);
static_assert(std::forward_iterator<decltype(DeviceValues().begin())>);

Literal Number(std::int32_t number) {
  Literal literal(ShapeUtil::MakeScalarShape(S32));
  literal.Set<std::int32_t>({}, number);
  return literal;
}

std::vector<std::int32_t> NumbersOf(const auto& literals) {
  std::vector<std::int32_t> numbers;
  for (const Literal& literal : literals) numbers.push_back(literal.Get<std::int32_t>({}));
  return numbers;
}

TEST_CASE("a PerDevice has a value for each device, in their order") {
  PerDevice<Literal> values = {Number(1), Number(2)};
  values.push_back(Number(3));
  CHECK(values.size() == 3);
  CHECK(NumbersOf(values) == std::vector<std::int32_t>{1, 2, 3});
  values[1] = Number(5);
  CHECK(values[1].Get<std::int32_t>({}) == 5);
  CHECK(values.front().Get<std::int32_t>({}) == 1);
  CHECK(NumbersOf(PerDevice<Literal>(2, Number(7))) == std::vector<std::int32_t>{7, 7});
  CHECK(DeviceValues(4).size() == 4);
  CHECK(DeviceValues(4)[3].empty());
  CHECK(DeviceValues().empty());
}

TEST_CASE("lists by device become one list, device by device, and lists again") {
  const DeviceValues values = {{Number(1), Number(2)}, {Number(3), Number(4)}};
  const std::vector<Literal> flat = Flat(values);
  CHECK(NumbersOf(flat) == std::vector<std::int32_t>{1, 2, 3, 4});
  const DeviceValues again = ByDevice(2, flat);
  REQUIRE(again.size() == 2);
  CHECK(NumbersOf(again[0]) == std::vector<std::int32_t>{1, 2});
  CHECK(NumbersOf(again[1]) == std::vector<std::int32_t>{3, 4});
}

TEST_CASE("the results of several devices are a tuple, that of one is itself") {
  CHECK(OfAllDevices({Number(1)}).Get<std::int32_t>({}) == 1);
  CHECK(NumbersOf(OfAllDevices({Number(1), Number(2)}).elements()) == std::vector<std::int32_t>{1, 2});
}

}  // namespace
}  // namespace assay
