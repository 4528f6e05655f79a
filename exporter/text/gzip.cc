#include "exporter/text/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/text/field_text.h"

namespace winperf {
namespace {

// A page of metrics is very regular: the fastest level already saves most of it.
constexpr int kLevel = Z_BEST_SPEED;
constexpr std::size_t kChunk = std::size_t{1} << 20;  // zlib counts in 32 bits

class Deflater {
 public:
  Deflater() {
    constexpr int kRawDeflate = -15;
    constexpr int kMemoryLevel = 8;
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kRawDeflate, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream_); }

  void run(std::string_view text, int last_flush, std::string& out) {
    do {
      std::string chunk(text.substr(0, kChunk));
      text.remove_prefix(chunk.size());
      stream_.next_in = reinterpret_cast<Bytef*>(chunk.data());
      stream_.avail_in = static_cast<uInt>(chunk.size());
      drain(text.empty() ? last_flush : Z_NO_FLUSH, out);
    } while (!text.empty());
  }

 private:
  void drain(int flush, std::string& out) {
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_);
      stream_.avail_out = sizeof(buffer_);
      deflate(&stream_, flush);
      out.append(buffer_, sizeof(buffer_) - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  char buffer_[32 * 1024];
};

std::uint32_t crc_of(std::string_view text) {
  uLong crc = crc32(0, nullptr, 0);
  while (!text.empty()) {
    const std::string_view chunk = text.substr(0, kChunk);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size()));
    text.remove_prefix(chunk.size());
  }
  return static_cast<std::uint32_t>(crc);
}

void append_little_endian(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((value >> shift) & 0xFFU);
}

bool is_gzip(std::string_view coding) { return coding == "*" || equal_names(coding, "gzip"); }

// "q=0", "q=0.0": not acceptable.
bool is_refused(std::string_view parameter) {
  parameter = trimmed(parameter);
  if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) return false;
  return parameter.find_first_not_of("0.", 2) == std::string_view::npos;
}

}  // namespace

DeflatedPart deflate_part(std::string_view text) {
  DeflatedPart part;
  std::string data;
  Deflater().run(text, Z_SYNC_FLUSH, data);
  part.data = std::move(data);
  part.crc = crc_of(text);
  part.size = text.size();
  return part;
}

SharedText gzip(const DeflatedPart& first, std::string_view rest) {
  // Magic, deflate, no flags, no time, fastest, unknown system.
  SharedText out(std::string("\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10));
  for (const SharedText::Piece& piece : first.data.pieces()) out.add(piece);
  std::string end;
  Deflater().run(rest, Z_FINISH, end);
  const auto length = static_cast<z_off_t>(rest.size());
  append_little_endian(end,
                       static_cast<std::uint32_t>(crc32_combine(first.crc, crc_of(rest), length)));
  append_little_endian(end, static_cast<std::uint32_t>((first.size + rest.size()) & 0xFFFFFFFFU));
  out.add(std::move(end));
  return out;
}

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t comma = accept_encoding.find(',');
    const std::string_view item = accept_encoding.substr(0, comma);
    const std::size_t semicolon = item.find(';');
    if (is_gzip(trimmed(item.substr(0, semicolon)))) {
      return semicolon == std::string_view::npos || !is_refused(item.substr(semicolon + 1));
    }
    if (comma == std::string_view::npos) return false;
    accept_encoding.remove_prefix(comma + 1);
  }
  return false;
}

}  // namespace winperf
