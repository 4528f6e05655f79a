// Text that ends with a NUL, as the log's records hold it.
#pragma once

#include <expected>

#include "collectors/wire/byte_view.h"

namespace winperf::blg {

// The UTF-16 units before the first NUL; kBadText where there is none.
inline std::expected<ByteView, Error> until_nul(const ByteView& text) {
  for (std::size_t at = 0; text.holds<std::uint16_t>(at); at += sizeof(std::uint16_t)) {
    if (text.get<std::uint16_t>(at) == 0) return text.slice(0, at, text.where());
  }
  return std::unexpected(text.error(ErrorCode::kBadText, 0, text.size()));
}

}  // namespace winperf::blg
