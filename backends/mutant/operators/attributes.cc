#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "backends/mutant/operators/operators.h"

namespace assay {
namespace {

// Removes the attribute, so that its default applies.
MutantList::Rewrite Ignore(const AttributeSpec& spec) {
  return [name = spec.name](HloInstruction& instruction) {
    return std::erase_if(instruction.attributes, [&](const Attribute& a) { return a.name == name; }) > 0;
  };
}

void AddFlag(MutantList& mutants, const AttributeSpec& spec) {
  mutants.AddEdit("flag_flipped", spec.name, fmt::format("{} means the opposite", spec.name),
                  [name = spec.name](HloInstruction& instruction) {
                    instruction.Set(name, !instruction.Bool(name));
                    return true;
                  });
}

const std::vector<Variant<std::int64_t>> kNumbers = {
    {"one_more", " is one more", [](std::int64_t& n) { ++n; }},
    {"one_less", " is one less", [](std::int64_t& n) { n = std::max<std::int64_t>(n - 1, 0); }},
    {"taken_as_zero", " is taken as 0", [](std::int64_t& n) { n = 0; }},
};

const std::vector<Variant<double>> kReals = {
    {"taken_as_zero", " is taken as 0", [](double& x) { x = 0; }},
    {"halved", " is half as large", [](double& x) { x /= 2; }},
};

void AddWords(MutantList& mutants, const AttributeSpec& spec) {
  for (const std::string_view from : spec.enumerators) {
    for (const std::string_view to : spec.enumerators) {
      if (from == to) continue;
      mutants.AddEdit("word_taken_as", fmt::format("{}_{}_{}", spec.name, from, to),
                      fmt::format("{}={} is taken as {}", spec.name, from, to),
                      Change<std::string>(spec, [from, to](std::string& word) {
                        if (word == from) word = to;
                      }));
    }
  }
}

bool IsPermutation(const Int64List& list) {
  Int64List sorted = list;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

void Invert(Int64List& list) {
  if (!IsPermutation(list)) return;
  const Int64List permutation = list;
  for (std::size_t i = 0; i < permutation.size(); ++i) list[permutation[i]] = static_cast<std::int64_t>(i);
}

const std::vector<Variant<Int64List>> kLists = {
    {"list_sorted", " is sorted", [](Int64List& list) { std::ranges::sort(list); }},
    {"list_reversed", " is reversed", Reverse},
    {"list_turned", " begins with its second number", Turn},
    {"list_inverted", " is taken for the inverse permutation", Invert},
    {"first_dropped", " lacks its first number", IfAny<[](auto& list) { list.erase(list.begin()); }>},
    {"last_dropped", " lacks its last number", IfAny<[](auto& list) { list.pop_back(); }>},
    {"first_one_more", " has one more as its first number", IfAny<[](auto& list) { ++list.front(); }>},
    {"last_one_more", " has one more as its last number", IfAny<[](auto& list) { ++list.back(); }>},
    {"first_one_less", " has one less as its first number", IfAny<[](auto& list) { --list.front(); }>},
    {"last_one_less", " has one less as its last number", IfAny<[](auto& list) { --list.back(); }>},
    {"numbers_from_zero", " counts from 0", [](Int64List& list) { std::iota(list.begin(), list.end(), 0); }},
    {"first_for_all", " has its first number in all places",
     IfAny<[](auto& list) { std::ranges::fill(list, list.front()); }>},
};

using Pairs = std::vector<Int64List>;

const std::vector<Variant<Pairs>> kPairLists = {
    {"pairs_turned_round", " go the other way",
     [](Pairs& pairs) {
       for (Int64List& pair : pairs) std::ranges::reverse(pair);
     }},
    {"last_dropped", " lacks its last pair", IfAny<[](auto& pairs) { pairs.pop_back(); }>},
    {"first_dropped", " lacks its first pair", IfAny<[](auto& pairs) { pairs.erase(pairs.begin()); }>},
    {"sources_sorted", " have their sources in order",
     [](Pairs& pairs) {
       if (std::ranges::any_of(pairs, &Int64List::empty)) return;
       Int64List sources;
       for (const Int64List& pair : pairs) sources.push_back(pair.front());
       std::ranges::sort(sources);
       for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].front() = sources[i];
     }},
};

}  // namespace

void AddAttributeMutants(MutantList& mutants) {
  for (const AttributeSpec& spec : mutants.op().syntax.attributes) {
    if (!spec.required) mutants.AddEdit("ignored", spec.name, fmt::format("{} is ignored", spec.name), Ignore(spec));
    switch (spec.kind) {
      case AttributeKind::kBool:
        AddFlag(mutants, spec);
        break;
      case AttributeKind::kInt64:
        AddVariants(mutants, spec, kNumbers);
        break;
      case AttributeKind::kFloat:
        AddVariants(mutants, spec, kReals);
        break;
      case AttributeKind::kEnum:
        AddWords(mutants, spec);
        break;
      case AttributeKind::kInt64List:
        AddVariants(mutants, spec, kLists);
        break;
      case AttributeKind::kInt64ListList:
        AddVariants(mutants, spec, kPairLists);
        break;
      default:
        break;
    }
  }
}

}  // namespace assay
