// gzip that compresses a part only once if many answers share it.
//
// The result is one gzip member, because not every client reads a second one.
// Errors: only std::bad_alloc (zlib fails for no other reason here). Thread rule: any thread.
// Source: RFC 1952; RFC 1951 section 3.2.4 (stored blocks); zlib's Z_SYNC_FLUSH ends a piece at a
// byte boundary, crc32_combine joins sums.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "exporter/text/shared_text.h"

namespace winperf {

// A compressed piece that another one can follow.
struct DeflatedPart {
  SharedText data;
  std::uint32_t crc = 0;
  std::uint64_t size = 0;  // before compression
};

DeflatedPart deflate_part(std::string_view text);
// The same for a text that is too short to be worth compressing: its bytes as they are.
DeflatedPart store_part(std::string_view text);

// A whole gzip file of these parts.
SharedText gzip(std::span<const DeflatedPart> parts);

// Whether an Accept-Encoding header takes gzip.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace winperf
