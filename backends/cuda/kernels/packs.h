// Packs of neighboring elements that a thread reads or writes at once, so that narrow types also use whole words of
// memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/kernels/emitter.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// Returns the numbers of the parameters that a text reads element by element at an offset; nullopt if it reads a
// parameter anywhere else, except at element 0.
std::optional<std::vector<std::int64_t>> ReadInOrder(const HloComputation& fused, const std::string& text,
                                                     const std::string& offset);

// Returns the number of elements in a pack of these types: 16 bytes of the narrowest type, and at most 32 bytes of the
// widest.
std::int64_t PackSize(const std::vector<PrimitiveType>& types);

// Returns the type of a pack, such as "packed<bf16, 8>".
std::string PackType(PrimitiveType type, std::int64_t size);

// The packs of parameters. Load declares "q0" and so on, loaded from `offset`. Bind makes the emitter use their element
// "e" as the element at an index.
class Packs {
 public:
  Packs(const HloComputation& fused, std::vector<std::int64_t> parameters, std::int64_t size)
      : fused_(&fused), parameters_(std::move(parameters)), size_(size) {}

  std::int64_t size() const { return size_; }
  // Reads nothing beyond `limit`, if it is given because the last pack is incomplete.
  void Load(Body& body, const std::string& offset, std::optional<std::int64_t> limit) const;
  void Bind(ElementEmitter& emitter, const IndexText& index) const;
  // Opens the loop over "e".
  void Open(Body& body) const;

 private:
  const HloComputation* fused_;
  std::vector<std::int64_t> parameters_;
  std::int64_t size_;
};

}  // namespace assay::cuda
