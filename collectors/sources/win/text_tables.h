// The candidates for one name table on this machine, in order of preference.
//
// English: "Counter 009" of HKEY_PERFORMANCE_DATA, then perfc009.dat. HKEY_PERFORMANCE_TEXT isn't
// read: it gives the same table, so it can't be better if the first one is corrupt.
// Machine: "Counter" of HKEY_PERFORMANCE_NLSTEXT, then "Counter NNN" and perfcNNN.dat of the
// system's UI language.
// Not validated: the bytes; a table may be a stub, corrupt, or (help texts on Windows 10) English
// although another language was requested.
// Thread rule: that of `read`.
// Source: Learn, "Retrieving Counter Names and Help Text".
#pragma once

#include <windows.h>

#include <functional>
#include <string>
#include <vector>

#include "collectors/sources/source.h"

namespace winperf {

using ReadValue =
    std::function<std::expected<Bytes, Error>(HKEY key, const std::string& value_name)>;

[[nodiscard]] std::vector<std::expected<Bytes, Error>> read_text_tables(TextTable table,
                                                                        Language language,
                                                                        const ReadValue& read);

}  // namespace winperf
