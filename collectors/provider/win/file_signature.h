// Who has signed a file. Thread rule: one thread at a time.
#pragma once

#include <optional>
#include <string>

#include "collectors/provider/library_origin.h"

namespace winperf {

// Nothing: the system can't tell.
[[nodiscard]] std::optional<Signature> file_signature(const std::wstring& path);

}  // namespace winperf
