#include "collectors/catalog/base_names.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "collectors/base/ascii.h"
#include "collectors/catalog/table_shelf.h"
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

void append_text(std::vector<std::byte>& bytes, std::string_view text) {
  for (const char16_t unit : to_utf16(text)) {
    bytes.push_back(static_cast<std::byte>(unit & 0xFF));
    bytes.push_back(static_cast<std::byte>(unit >> 8));
  }
  bytes.resize(bytes.size() + sizeof(char16_t));
}

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

std::shared_ptr<const NameTable> english_names_for(const NameLookup& names) {
  std::vector<std::byte> bytes;
  for (const auto& [index, text] : kBaseNames) {
    if (names(index).empty()) continue;
    append_text(bytes, std::to_string(index));
    append_text(bytes, text);
  }
  bytes.resize(bytes.size() + sizeof(char16_t));
  return table_shelf().share(NameTable::parse(bytes));
}

}  // namespace winperf
