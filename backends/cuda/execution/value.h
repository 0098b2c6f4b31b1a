// Values while a module runs: each array is on the host, on the device, or on both.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "backends/cuda/device/device.h"
#include "interpreter/types/literal.h"

namespace assay::cuda {

// An array, or a tuple of values. Copies share the elements, wherever they are.
class Value {
 public:
  Value() = default;
  static Value OnHost(Literal literal);
  static Value OnDevice(const Shape& shape, std::shared_ptr<Buffer> buffer);
  static Value Tuple(std::vector<Value> elements);

  const Shape& shape() const { return shape_; }
  std::vector<Value>& elements() { return elements_; }

  // The same elements under another shape of the same size.
  Value WithShape(const Shape& shape) const;

  // Brings what is missing. The literal has the value's shape.
  Result<Literal> ToHost(const Device& device) const;
  // The same of elements that the device may have changed since the last time.
  Result<Literal> Read(const Device& device) const;
  // Of an array. Null where it has no elements.
  Result<std::shared_ptr<Buffer>> ToDevice(Device& device) const;
  // Whether nobody else has this array's memory on the device, but for `others` holders of its buffer that the caller
  // knows of.
  bool IsAlone(int others) const;

 private:
  struct Array {
    std::optional<Literal> literal;
    std::shared_ptr<Buffer> buffer;
  };

  Shape shape_;
  std::shared_ptr<Array> array_;  // null for a tuple
  std::vector<Value> elements_;
};

}  // namespace assay::cuda
