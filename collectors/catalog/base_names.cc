#include "collectors/catalog/base_names.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "collectors/base/ascii.h"
#include "collectors/wire/text.h"

namespace winperf {
namespace {

struct BaseName {
  std::uint32_t index;
  std::string_view text;
};

constexpr BaseName kBaseNames[] = {
#define NAME(index, text) {index, text},
#include "collectors/catalog/base_names.inc"
#undef NAME
};
static_assert(std::ranges::is_sorted(kBaseNames, {}, &BaseName::index));

// System, Memory, Process, PhysicalDisk, LogicalDisk, Processor, Network Interface.
constexpr std::array<std::uint32_t, 7> kProbes{2, 4, 230, 234, 236, 238, 510};
constexpr std::size_t kEnoughOthers = 2;

}  // namespace

std::string_view base_name(std::uint32_t index) {
  const auto found = std::ranges::lower_bound(kBaseNames, index, {}, &BaseName::index);
  return found != std::end(kBaseNames) && found->index == index ? found->text : std::string_view();
}

std::vector<ForeignName> foreign_names(const NameLookup& names) {
  std::vector<ForeignName> others;
  for (const std::uint32_t index : kProbes) {
    const std::string_view text = names(index);
    if (!text.empty() && !equal_names(text, base_name(index)))
      others.push_back({.index = index, .text = std::string(text), .english = base_name(index)});
  }
  return others.size() < kEnoughOthers ? std::vector<ForeignName>() : others;
}

NameTable english_names_for(const NameLookup& names) {
  std::vector<std::byte> bytes;
  for (const auto& [index, text] : kBaseNames) {
    if (names(index).empty()) continue;
    append_utf16le(bytes, std::to_string(index));
    append_utf16le(bytes, text);
  }
  bytes.resize(bytes.size() + sizeof(char16_t));
  return NameTable::parse(bytes);
}

}  // namespace winperf
