#include "tests/exporter/support/gunzip.h"

#include <zlib.h>

namespace winperf::testing {

std::string gunzipped(std::string_view file) {
  constexpr int kGzipOnly = 15 + 16;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return {};
  std::string input(file);
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
  const bool one_member = result == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  return one_member ? out : std::string();
}

}  // namespace winperf::testing
