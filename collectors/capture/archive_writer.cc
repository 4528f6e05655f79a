#include <zlib.h>

#include <cstring>

#include "collectors/capture/archive.h"
#include "collectors/capture/zip_format.h"

namespace winperf::capture {
namespace {

class Fields {
 public:
  explicit Fields(std::vector<std::byte>& out) : out_(out) {}
  Fields& u16(std::uint32_t value) { return append(value, sizeof(std::uint16_t)); }
  Fields& u32(std::uint32_t value) { return append(value, sizeof(std::uint32_t)); }
  Fields& text(std::string_view value) {
    const auto bytes = std::as_bytes(std::span(value));
    out_.insert(out_.end(), bytes.begin(), bytes.end());
    return *this;
  }

 private:
  Fields& append(std::uint32_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i)
      out_.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
  std::vector<std::byte>& out_;
};

// The form that a ZIP holds: without zlib's header and checksum.
std::vector<std::byte> deflated(std::span<const std::byte> bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::vector<std::byte> out(deflateBound(&stream, static_cast<uLong>(bytes.size())));
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

bool ArchiveWriter::has_room_for(std::size_t bytes) const {
  return entries_.size() < zip::kMaxFiles && bytes <= zip::kMaxBytes &&
         bytes_.size() <= zip::kMaxBytes - bytes;
}

void ArchiveWriter::add(std::string_view name, std::span<const std::byte> bytes) {
  const std::vector<std::byte> packed = deflated(bytes);
  const auto crc = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
  const Entry entry{.name = std::string(name),
                    .crc = crc,
                    .packed = static_cast<std::uint32_t>(packed.size()),
                    .plain = static_cast<std::uint32_t>(bytes.size()),
                    .offset = static_cast<std::uint32_t>(bytes_.size())};
  Fields(bytes_)
      .u32(zip::local_header::kMagic)
      .u16(zip::kVersion)
      .u16(zip::kUtf8)
      .u16(zip::kDeflated)
      .u16(0)
      .u16(zip::kFirstDay)
      .u32(entry.crc)
      .u32(entry.packed)
      .u32(entry.plain)
      .u16(static_cast<std::uint32_t>(name.size()))
      .u16(0)
      .text(name);
  bytes_.insert(bytes_.end(), packed.begin(), packed.end());
  entries_.push_back(entry);
}

std::vector<std::byte> ArchiveWriter::finish() {
  const auto directory = static_cast<std::uint32_t>(bytes_.size());
  Fields out(bytes_);
  for (const Entry& entry : entries_) {
    out.u32(zip::directory_entry::kMagic).u16(zip::kVersion).u16(zip::kVersion).u16(zip::kUtf8);
    out.u16(zip::kDeflated).u16(0).u16(zip::kFirstDay);
    out.u32(entry.crc).u32(entry.packed).u32(entry.plain);
    out.u16(static_cast<std::uint32_t>(entry.name.size())).u16(0).u16(0).u16(0).u16(0).u32(0);
    out.u32(entry.offset).text(entry.name);
  }
  const auto end = static_cast<std::uint32_t>(bytes_.size());
  const auto count = static_cast<std::uint32_t>(entries_.size());
  out.u32(zip::end::kMagic)
      .u16(0)
      .u16(0)
      .u16(count)
      .u16(count)
      .u32(end - directory)
      .u32(directory)
      .u16(0);
  return std::move(bytes_);
}

}  // namespace winperf::capture
