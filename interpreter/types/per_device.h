// One value for each device of a module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// One T for each device, in the order of flattened ids: replica * num_partitions + partition. Has no conversion from or
// to a list, or a span of operands.
template <class T>
class PerDevice {
  // Not a contiguous iterator, so that no span is made of the values silently.
  template <class Element>
  class Iterator {
   public:
    using value_type = std::remove_const_t<Element>;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(Element* at) : at_(at) {}
    Element& operator*() const { return *at_; }
    Element* operator->() const { return at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    Element* at_ = nullptr;
  };

 public:
  PerDevice() = default;
  explicit PerDevice(std::int64_t device_count) : values_(static_cast<std::size_t>(device_count)) {}
  PerDevice(std::int64_t device_count, const T& of_each) : values_(static_cast<std::size_t>(device_count), of_each) {}
  PerDevice(std::initializer_list<T> values) : values_(values) {}

  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }

  T& operator[](std::int64_t device) { return values_[static_cast<std::size_t>(device)]; }
  const T& operator[](std::int64_t device) const { return values_[static_cast<std::size_t>(device)]; }
  T& front() { return values_.front(); }
  const T& front() const { return values_.front(); }

  auto begin() { return Iterator<T>(values_.data()); }
  auto begin() const { return Iterator<const T>(values_.data()); }
  auto end() { return Iterator<T>(values_.data() + values_.size()); }
  auto end() const { return Iterator<const T>(values_.data() + values_.size()); }

  // Appends the value of the next device.
  void push_back(T value) { values_.push_back(std::move(value)); }

 private:
  std::vector<T> values_;
};

// The arguments of a module, or the operands of an instruction, on each device.
using DeviceValues = PerDevice<std::vector<Literal>>;

// Conversions for judging and recording an instruction that several devices execute together as if it were one. Its
// operands are those of all devices, one list after the other; its result is the tuple of their results, or the one
// result for one device.
std::vector<Literal> Flat(const DeviceValues& values);
DeviceValues ByDevice(std::int64_t device_count, std::vector<Literal> flat);  // the same number for each device
Literal OfAllDevices(PerDevice<Literal> results);

}  // namespace assay
