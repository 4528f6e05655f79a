// The value names that HKEY_PERFORMANCE_DATA takes, and the names of the text tables.
// Source: Learn, "Using the Registry Functions to Consume Counter Data" and "Retrieving Counter
// Names and Help Text"; docs/registry-path.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/ids.h"
#include "collectors/sources/source.h"

namespace winperf {

// "238 2": the objects in the order given, each once. The text is empty if there is no object; it
// must not be queried then, since the system reads an empty name as "Global".
[[nodiscard]] std::string index_list(std::span<const ObjectIndex> objects);

// The objects of such a list; nothing if the value name is no list.
[[nodiscard]] std::optional<std::vector<ObjectIndex>> indices_in(std::string_view value_name);

// The scope of a listing of the machine's objects.
struct ListingScope {
  bool metadata = false;  // definitions without instances: only if supports_metadata() is true
  bool v1_only = false;   // without the V2 providers, whose data is costly to translate
  bool costly = false;    // the objects that are expensive to collect, instead of the others
};

// "Global", "OLD_MetadataCostly", ... There is no "OLD_Costly": "Costly" covers both.
std::string_view listing_value_name(const ListingScope& scope);

// A Windows language id (LANGID). The name tables use only the primary language of it, except for
// Chinese and Portuguese, where they use the full id.
inline constexpr std::uint16_t kEnglishLanguageId = 0x0009;

// As the registry has it in HKLM\SYSTEM\CurrentControlSet\Control\Nls\Language: "0407", without
// "0x". Nothing if it is invalid.
[[nodiscard]] std::optional<std::uint16_t> parse_language_id(std::string_view text);

// The key of a language below Perflib, "007", in each spelling that is in use: for a full id "416"
// and "0416".
[[nodiscard]] std::vector<std::string> text_table_keys(std::uint16_t language_id);

// "Counter 007"; for a full id both spellings that are in use, "Counter 416" and "Counter 0416".
[[nodiscard]] std::vector<std::string> text_value_names(TextTable table, std::uint16_t language_id);

// The backing file in the system directory: "perfc007.dat", "perfh007.dat"; with a full id
// "prfc0416.dat", "prfh0416.dat", so that the name has no more than eight characters.
[[nodiscard]] std::string text_file_name(TextTable table, std::uint16_t language_id);

}  // namespace winperf
