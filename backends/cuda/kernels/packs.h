// Neighbouring elements that a thread reads or writes at a time, so that narrow types take whole words of memory too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/cuda/kernels/emitter.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// The parameters of a computation that a text reads element by element at an offset, by their numbers; nothing where
// it reads a parameter anywhere else, but for element 0.
std::optional<std::vector<std::int64_t>> ReadInOrder(const HloComputation& fused, const std::string& text,
                                                     const std::string& offset);

// How many elements of each of these types make a pack: 16 bytes of the narrowest, and no more than 32 of the widest.
std::int64_t PackSize(const std::vector<PrimitiveType>& types);

// "packed<bf16, 8>"
std::string PackType(PrimitiveType type, std::int64_t size);

// The packs of parameters: declares "q0" and so on, loaded from where `offset` is; then has the emitter take their
// element "e" for what lies at an index.
class Packs {
 public:
  Packs(const HloComputation& fused, std::vector<std::int64_t> parameters, std::int64_t size)
      : fused_(&fused), parameters_(std::move(parameters)), size_(size) {}

  std::int64_t size() const { return size_; }
  // Nothing behind `limit` is read, if there is such a number and packs may go beyond it.
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
