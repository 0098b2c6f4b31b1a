// Values of a running module: each array is on the host, on the device, or on both.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "backends/cuda/device/device.h"
#include "interpreter/types/literal.h"

namespace assay::cuda {

// An array, or a tuple of values. Copies share the elements.
class Value {
 public:
  Value() = default;
  static Value OnHost(Literal literal);
  static Value OnDevice(const Shape& shape, std::shared_ptr<Buffer> buffer);
  static Value Tuple(std::vector<Value> elements);

  const Shape& shape() const { return shape_; }
  std::vector<Value>& elements() { return elements_; }

  // Returns the same elements with another shape of the same size.
  Value WithShape(const Shape& shape) const;

  // Copies the missing arrays to the host. The literal has the value's shape.
  Result<Literal> ToHost(const Device& device) const;
  // Like ToHost, but copies again, because the device may have changed the elements since.
  Result<Literal> Read(const Device& device) const;
  // Copies an array to the device if it is not there. Returns null if it has no elements.
  Result<std::shared_ptr<Buffer>> ToDevice(Device& device) const;
  // True if this value alone holds the array's memory on the device, apart from `others` known holders of its buffer.
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
