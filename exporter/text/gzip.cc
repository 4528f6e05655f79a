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
constexpr std::size_t kMostStored = 0xFFFF;           // bytes in one stored block

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

  // Ends at a byte boundary, and not with a last block.
  std::string run(std::string_view text) {
    std::string out;
    do {
      std::string chunk(text.substr(0, kChunk));
      text.remove_prefix(chunk.size());
      stream_.next_in = reinterpret_cast<Bytef*>(chunk.data());
      stream_.avail_in = static_cast<uInt>(chunk.size());
      drain(text.empty() ? Z_SYNC_FLUSH : Z_NO_FLUSH, out);
    } while (!text.empty());
    return out;
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

// The lowest bytes of the value.
void append_little_endian(std::string& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

DeflatedPart part_of(std::string_view text, std::string data) {
  DeflatedPart part{.data = {}, .crc = crc_of(text), .size = text.size()};
  if (!text.empty()) part.data.add(std::move(data));
  return part;
}

bool is_gzip(std::string_view coding) { return coding == "*" || equal_names(coding, "gzip"); }

}  // namespace

DeflatedPart deflate_part(std::string_view text) { return part_of(text, Deflater().run(text)); }

DeflatedPart store_part(std::string_view text) {
  std::string data;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view block = rest.substr(0, kMostStored);
    data += '\0';  // not the last block, stored, and no bits left over
    append_little_endian(data, block.size(), 2);
    append_little_endian(data, ~block.size(), 2);
    data += block;
    rest.remove_prefix(block.size());
  }
  return part_of(text, std::move(data));
}

SharedText gzip(std::span<const DeflatedPart> parts) {
  // Magic, deflate, no flags, no time, fastest, unknown system.
  SharedText out(std::string("\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10));
  uLong crc = crc32(0, nullptr, 0);
  std::uint64_t size = 0;
  for (const DeflatedPart& part : parts) {
    for (const SharedText::Piece& piece : part.data.pieces()) out.add(piece);
    crc = crc32_combine(crc, part.crc, static_cast<z_off_t>(part.size));
    size += part.size;
  }
  std::string end("\x03\0", 2);  // the last block, and nothing in it
  append_little_endian(end, crc, 4);
  append_little_endian(end, size, 4);
  out.add(std::move(end));
  return out;
}

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    std::string_view item = take_item(accept_encoding, ',');
    if (is_gzip(take_item(item, ';'))) return weight_of(item) > 0;
  }
  return false;
}

}  // namespace winperf
