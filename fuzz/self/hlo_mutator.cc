// libFuzzer's mutator for targets of HLO text: changes of bytes seldom result in a legal module. Here it changes
// numbers, types, names and lines, in one place or in all equal ones, so that shapes still agree. Every eighth text is
// a drawn module or instruction (fuzz/generate/).
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "fuzz/generate/instructions.h"
#include "fuzz/generate/modules.h"
#include "fuzz/generate/random.h"
#include "fuzz/self/target.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/ascii.h"
#include "interpreter/types/primitive_type.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace assay {
using namespace generate;
namespace {

using Tokens = std::vector<std::string>;

bool IsWordCharacter(char c) { return IsAsciiLetterOrDigit(c) || c == '_' || c == '-' || c == '.'; }

// Splits text into words, which include numbers, and single other characters.
Tokens TokensOf(std::string_view text) {
  Tokens tokens;
  while (!text.empty()) {
    const std::size_t length = std::ranges::find_if_not(text, IsWordCharacter) - text.begin();
    tokens.emplace_back(text.substr(0, std::max<std::size_t>(length, 1)));
    text.remove_prefix(tokens.back().size());
  }
  return tokens;
}

std::string Joined(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

bool IsNumberToken(const std::string& token) {
  const std::size_t sign = token.starts_with('-') ? 1 : 0;
  return token.size() > sign && IsAsciiDigit(token[sign]);
}

std::string OtherNumber(const std::string& number, Random& random) {
  const std::int64_t value = std::strtoll(number.c_str(), nullptr, 10);
  switch (random.Below(8)) {
    case 0:
      return "0";
    case 1:
      return random.OneOf({"-1", "2147483648", "9223372036854775807", "-9223372036854775808", "4611686018427387904",
                           "65536", "1e30", "nan", "inf", "-0.0", "0.5"});
    case 2:
      return std::to_string(random.Below(70));
    default:
      if (random.Flip()) return std::to_string(random.Below(6));
      return std::to_string(
          std::clamp<std::int64_t>(value, -(1 << 20), 1 << 20) == value ? value + random.Between(-1, 1) : value / 2);
  }
}

// Returns a replacement for a token.
std::string Other(const Tokens& tokens, const std::string& token, Random& random) {
  if (IsNumberToken(token)) return OtherNumber(token, random);
  if (PrimitiveTypeFromName(token)) {
    return std::string(PrimitiveTypeName(static_cast<PrimitiveType>(random.Below(std::size(kPrimitiveTypes)))));
  }
  if (FindOp(token) != nullptr) return std::string(random.OneOf(AllOps())->name);
  if (token == "true") return "false";
  if (token == "false") return "true";
  return random.OneOf(tokens);
}

void ChangeToken(Tokens& tokens, Random& random) {
  for (int i = 0; i < 20; ++i) {
    std::string& token = tokens[random.Below(static_cast<std::int64_t>(tokens.size()))];
    if (token.size() == 1 && !IsWordCharacter(token[0]) && !random.OneIn(20)) continue;
    const std::string before = token, after = Other(tokens, token, random);
    if (random.Flip()) {
      std::ranges::replace(tokens, before, after);
    } else {
      token = after;
    }
    return;
  }
}

void ChangeLines(Tokens& tokens, Random& random) {
  std::vector<std::string> lines(1);
  for (const std::string& token : tokens) {
    lines.back() += token;
    if (token == "\n") lines.emplace_back();
  }
  const auto any = [&] { return lines.begin() + random.Below(static_cast<std::int64_t>(lines.size())); };
  switch (random.Below(3)) {
    case 0:
      lines.insert(any(), std::string(*any()));
      break;
    case 1:
      lines.erase(any());
      break;
    default:
      std::iter_swap(any(), any());
  }
  tokens = TokensOf(Joined(lines));
}

std::string Drawn(Random& random) {
  if (random.Flip()) {
    return PrintHloModule(*DrawModule(random, {.least_draws = 1, .most_draws = 6, .most_elements = 16}).module,
                          PrintOptions::Exact());
  }
  return PrintHloModule(*DrawInstruction(random, *random.OneOf(DrawableOps()), {.most_elements = 16}).module,
                        PrintOptions::Exact());
}

std::string Mutated(std::string_view text, Random& random) {
  Tokens tokens = TokensOf(text);
  if (tokens.empty() || random.OneIn(8)) return Drawn(random);
  for (std::int64_t left = random.Between(1, 4); left > 0 && !tokens.empty(); --left) {
    if (random.OneIn(4)) {
      ChangeLines(tokens, random);
    } else {
      ChangeToken(tokens, random);
    }
  }
  return Joined(tokens);
}

}  // namespace
}  // namespace assay

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  assay::generate::Random random(seed);
  if (!random.OneIn(6)) {
    const std::string text = assay::Mutated({reinterpret_cast<const char*>(data), size}, random);
    if (text.size() <= max_size) {
      std::memcpy(data, text.data(), text.size());
      return text.size();
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
