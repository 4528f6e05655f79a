#include "exporter/text/gzip.h"

#define ZLIB_CONST  // so that it reads what never changes
#include <zlib.h>

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <string>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/text/page_format.h"

namespace winperf {
namespace {

// A page of metrics is very regular: the fastest level already saves most of it.
constexpr int kLevel = Z_BEST_SPEED;
constexpr int kEndLevel = 1;                          // libdeflate's
constexpr std::size_t kChunk = std::size_t{1} << 20;  // zlib counts in 32 bits
constexpr std::size_t kMostStored = 0xFFFF;           // bytes in one stored block
constexpr int kFewestWindowBits = 9;
constexpr int kMostWindowBits = 15;
constexpr int kGzipFormat = 16;  // what zlib adds to the bits of a window for gzip's head and sums
constexpr int kMemoryLevelBits = 7;  // by which zlib's table has more bits than its memory level

class Deflater {
 public:
  // The tables, which zlib clears, are no larger than the text needs.
  explicit Deflater(std::size_t bytes) {
    const int window =
        std::clamp(static_cast<int>(std::bit_width(bytes)), kFewestWindowBits, kMostWindowBits);
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, -window, window - kMemoryLevelBits,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream_); }

  void add(std::string_view text) { run(text, Z_NO_FLUSH); }
  // Ends at a byte boundary, and not with a last block.
  std::string finish() {
    run({}, Z_SYNC_FLUSH);
    return std::move(out_);
  }

 private:
  void run(std::string_view text, int flush) {
    stream_.next_in = reinterpret_cast<const Bytef*>(text.data());
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, flush);
      out_.append(buffer_.data(), buffer_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::string out_;
  std::array<char, 32 * 1024> buffer_;
};

// Of a text, once one more chunk of it is there; 0 at its beginning.
std::uint32_t sum_with(std::uint32_t crc, std::string_view chunk) {
  return libdeflate_crc32(crc, chunk.data(), chunk.size());
}

void for_each_chunk(std::string_view text, std::size_t most, const auto& use) {
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), most))) use(text.substr(0, most));
}

// The lowest bytes of the value.
void append_little_endian(std::string& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

DeflatedPart part_of(std::string_view text, std::string deflated) {
  return {
      .data = std::make_shared<const std::string>(std::move(deflated)),
      .crc = sum_with(0, text),
      .crc_shift = static_cast<std::uint32_t>(crc32_combine_gen(static_cast<z_off_t>(text.size()))),
      .size = text.size()};
}

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
  }
};

bool is_gzip(std::string_view coding) { return coding == "*" || equal_names(coding, "gzip"); }

}  // namespace

DeflatedPart deflate_part(std::string_view text) {
  if (text.empty()) return {};
  Deflater deflater(text.size());
  for_each_chunk(text, kChunk, [&](std::string_view chunk) { deflater.add(chunk); });
  return part_of(text, deflater.finish());
}

DeflatedEnd deflate_end(std::string_view text) {
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(
      libdeflate_alloc_compressor(kEndLevel));
  if (compressor == nullptr) throw std::bad_alloc();
  std::string out;
  out.resize_and_overwrite(libdeflate_deflate_compress_bound(compressor.get(), text.size()),
                           [&](char* to, std::size_t room) {
                             return libdeflate_deflate_compress(compressor.get(), text.data(),
                                                                text.size(), to, room);
                           });
  out.shrink_to_fit();
  return {part_of(text, std::move(out))};
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
  crc_ = static_cast<std::uint32_t>(crc32_combine_op(crc_, part.crc, part.crc_shift));
  size_ += part.size;
}

void GzipFile::store(std::string_view text) {
  for_each_chunk(text, kMostStored, [this](std::string_view block) {
    std::string head(1, '\0');  // not the last block, stored, and no bits left over
    append_little_endian(head, block.size(), 2);
    append_little_endian(head, ~block.size(), 2);
    out_.add(std::string_view(head));
    out_.add(block);
    crc_ = sum_with(crc_, block);
  });
  size_ += text.size();
}

SharedText GzipFile::finish() && {
  out_.add(std::string_view("\x03\0", 2));  // the last block, and nothing in it
  return std::move(*this).with_sums();
}

SharedText GzipFile::finish(const DeflatedEnd& end) && {
  add(end.part);
  return std::move(*this).with_sums();
}

SharedText GzipFile::with_sums() && {
  std::string end;
  append_little_endian(end, crc_, 4);
  append_little_endian(end, size_, 4);
  out_.add(std::string_view(end));
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
