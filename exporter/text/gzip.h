// gzip, such that a part that is the same in many answers is compressed once.
//
// The result is one gzip member, not two in a row: not every client reads a second one.
// Errors: std::bad_alloc alone (zlib refuses nothing else here).
// Source: RFC 1952; zlib's Z_SYNC_FLUSH ends a piece at a byte boundary, crc32_combine joins sums.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace winperf {

// A compressed piece that another one can follow.
struct DeflatedPart {
  std::string data;
  std::uint32_t crc = 0;
  std::uint64_t size = 0;  // before compression
};

DeflatedPart deflate_part(std::string_view text);

// A whole gzip file: `first`, then `rest`.
std::string gzip(const DeflatedPart& first, std::string_view rest);

// Whether an Accept-Encoding header takes gzip.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace winperf
