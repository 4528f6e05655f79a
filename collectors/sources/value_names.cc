#include "collectors/sources/value_names.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "collectors/base/decimal.h"
#include "collectors/base/hex.h"

namespace winperf {
namespace {

constexpr std::uint16_t kPrimaryMask = 0x03FF;
constexpr std::uint16_t kChinese = 0x04;
constexpr std::uint16_t kPortuguese = 0x16;

bool needs_full_id(std::uint16_t language_id) {
  const std::uint16_t primary = language_id & kPrimaryMask;
  return (primary == kChinese || primary == kPortuguese) && language_id != primary;
}

std::uint16_t table_id(std::uint16_t language_id) {
  return needs_full_id(language_id) ? language_id
                                    : static_cast<std::uint16_t>(language_id & kPrimaryMask);
}

}  // namespace

std::optional<std::vector<ObjectIndex>> indices_in(std::string_view value_name) {
  std::vector<ObjectIndex> objects;
  while (!value_name.empty()) {
    const std::size_t end = std::min(value_name.find(' '), value_name.size());
    const auto index = whole_decimal<std::uint32_t>(value_name.substr(0, end));
    if (!index) return std::nullopt;
    objects.push_back(ObjectIndex{*index});
    value_name.remove_prefix(std::min(end + 1, value_name.size()));
  }
  if (objects.empty()) return std::nullopt;
  return objects;
}

std::string index_list(std::span<const ObjectIndex> objects) {
  std::string list;
  for (auto object = objects.begin(); object != objects.end(); ++object) {
    if (std::find(objects.begin(), object, *object) != object) continue;
    if (!list.empty()) list += ' ';
    list += std::to_string(value_of(*object));
  }
  return list;
}

std::string_view listing_value_name(const ListingScope& scope) {
  if (!scope.metadata) {
    if (scope.costly) return "Costly";
    return scope.v1_only ? "OLD_Global" : "Global";
  }
  if (scope.costly) return scope.v1_only ? "OLD_MetadataCostly" : "MetadataCostly";
  return scope.v1_only ? "OLD_MetadataGlobal" : "MetadataGlobal";
}

std::optional<std::uint16_t> parse_language_id(std::string_view text) {
  constexpr std::size_t kMaxDigits = 8;
  constexpr int kBase = 16;
  std::uint16_t id = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, id, kBase);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == end && text.size() <= kMaxDigits;
  return is_number && id != 0 ? std::optional(id) : std::nullopt;
}

std::vector<std::string> text_table_keys(std::uint16_t language_id) {
  const std::uint16_t id = table_id(language_id);
  std::vector<std::string> keys{upper_hex(id, 3)};
  if (needs_full_id(language_id)) keys.push_back(upper_hex(id, 4));
  return keys;
}

std::vector<std::string> text_value_names(TextTable table, std::uint16_t language_id) {
  std::vector<std::string> names = text_table_keys(language_id);
  for (std::string& name : names)
    name.insert(0, table == TextTable::kCounter ? "Counter " : "Help ");
  return names;
}

std::string text_file_name(TextTable table, std::uint16_t language_id) {
  const char* kind = table == TextTable::kCounter ? "c" : "h";
  const std::uint16_t id = table_id(language_id);
  if (needs_full_id(language_id)) return std::string("prf") + kind + upper_hex(id, 4) + ".dat";
  return std::string("perf") + kind + upper_hex(id, 3) + ".dat";
}

}  // namespace winperf
