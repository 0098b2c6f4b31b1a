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

// One T for each device, in the order of the flattened ids: replica * num_partitions + partition. A list, or a span of
// operands, does not convert into it, nor it into one of them.
template <class T>
class PerDevice {
  // Not contiguous, as those of a vector are: a span would be made of these silently.
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

  // The value of the next device.
  void push_back(T value) { values_.push_back(std::move(value)); }

 private:
  std::vector<T> values_;
};

// The arguments of a module, or the operands of an instruction.
using DeviceValues = PerDevice<std::vector<Literal>>;

// An instruction that devices execute together is judged, and written down, as one: its operands are those of all
// devices, one list after the other; its result is the tuple of theirs where there are several.
std::vector<Literal> Flat(const DeviceValues& values);
DeviceValues ByDevice(std::int64_t device_count, std::vector<Literal> flat);  // as many for each
Literal OfAllDevices(PerDevice<Literal> results);

}  // namespace assay
