#include "interpreter/types/per_device.h"

namespace assay {

std::vector<Literal> Flat(const DeviceValues& values) {
  std::vector<Literal> flat;
  for (const std::vector<Literal>& list : values) flat.insert(flat.end(), list.begin(), list.end());
  return flat;
}

DeviceValues ByDevice(std::int64_t device_count, std::vector<Literal> flat) {
  DeviceValues values(device_count);
  const std::size_t each = flat.size() / values.size();
  for (std::size_t i = 0; i < each * values.size(); ++i) values[i / each].push_back(std::move(flat[i]));
  return values;
}

Literal OfAllDevices(PerDevice<Literal> results) {
  if (results.size() == 1) return std::move(results.front());
  std::vector<Literal> elements;
  for (Literal& result : results) elements.push_back(std::move(result));
  return Literal::MakeTuple(std::move(elements));
}

}  // namespace assay
