#include "exporter/text/gzip.h"

#define ZLIB_CONST  // so that it reads what never changes
#include <zlib.h>

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/deflate/deflated.h"
#include "exporter/text/page_format.h"

namespace winperf {
namespace {

constexpr std::size_t kMostStored = 0xFFFF;  // bytes in one stored block
constexpr int kMostWindowBits = 15;
constexpr int kGzipFormat = 16;  // what zlib adds to the bits of a window for gzip's head and sums

// Of a text, once one more chunk of it is there; 0 at its beginning.
std::uint32_t sum_with(std::uint32_t crc, std::string_view chunk) {
  return libdeflate_crc32(crc, chunk.data(), chunk.size());
}

void for_each_chunk(std::string_view text, std::size_t most, const auto& use) {
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), most))) use(text.substr(0, most));
}

// Writes the lowest bytes of the value. Returns where the next one goes.
char* put_little_endian(char* to, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) *to++ = static_cast<char>((value >> (8 * i)) & 0xFFU);
  return to;
}

bool is_gzip(std::string_view coding) { return coding == "*" || equal_names(coding, "gzip"); }

}  // namespace

DeflatedPart deflate_part(std::string_view text) {
  if (text.empty()) return {};
  return {.data = std::make_shared<const std::string>(deflated(text)),
          .crc = sum_with(0, text),
          .shift = CrcShift(text.size()),
          .size = text.size()};
}

const DeflatedPart& KeptPiece::compressed() const {
  std::call_once(compress_once_, [this] { compressed_ = deflate_part(*text_); });
  return compressed_;
}

GzipFile::GzipFile(std::size_t stored) {
  constexpr std::size_t kHeads = 64;
  out_.reserve(stored + kHeads);
  // Magic, deflate, no flags, no time, fastest, unknown system.
  out_.add(std::string_view("\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10));
}

void GzipFile::add(const DeflatedPart& part) {
  if (part.data == nullptr) return;
  out_.add(part.data);
  crc_ = part.shift(crc_) ^ part.crc;
  size_ += part.size;
}

void GzipFile::store(std::string_view text) {
  for_each_chunk(text, kMostStored, [this](std::string_view block) {
    std::array<char, 5> head{};  // not the last block, stored, and no bits left over
    put_little_endian(put_little_endian(&head[1], block.size(), 2), ~block.size(), 2);
    out_.add(std::string_view(head.data(), head.size()));
    out_.add(block);
    crc_ = sum_with(crc_, block);
  });
  size_ += text.size();
}

SharedText GzipFile::finish() && {
  out_.add(std::string_view("\x03\0", 2));  // the last block, and nothing in it
  std::array<char, 8> sums;
  put_little_endian(put_little_endian(sums.data(), crc_, 4), size_, 4);
  out_.add(std::string_view(sums.data(), sums.size()));
  return std::move(out_).finish();
}

std::string decompressed(std::string_view gzip) {
  z_stream stream{};
  stream.next_in = reinterpret_cast<const Bytef*>(gzip.data());
  stream.avail_in = static_cast<uInt>(gzip.size());
  if (inflateInit2(&stream, kMostWindowBits + kGzipFormat) != Z_OK) throw std::bad_alloc();
  std::string out;
  std::array<char, 32 * 1024> buffer;
  int result = Z_OK;
  while (result == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    result = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
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
