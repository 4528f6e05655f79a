#include "tests/exporter/support/gunzip.h"

#include <zlib.h>

namespace winperf::testing {
namespace {

// `window_bits`: as zlib wants them, with what they say of the format.
std::optional<std::string> read_back(std::string input, int window_bits) {
  z_stream stream{};
  if (inflateInit2(&stream, window_bits) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  std::string out;
  int result = Z_OK;
  while (result == Z_OK) {
    char buffer[4096];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof(buffer);
    result = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, sizeof(buffer) - stream.avail_out);
  }
  const bool is_all = result == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  return is_all ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

std::string gunzipped(std::string_view file) {
  constexpr int kGzipOnly = 15 + 16;
  return read_back(std::string(file), kGzipOnly).value_or(std::string());
}

std::optional<std::string> inflated(std::string_view blocks) {
  constexpr int kDeflate = -15;
  return read_back(std::string(blocks).append("\x03\0", 2), kDeflate);
}

}  // namespace winperf::testing
