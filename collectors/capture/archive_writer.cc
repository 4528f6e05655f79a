#include <zlib.h>

#include "collectors/capture/archive.h"
#include "collectors/capture/zip_format.h"

namespace winperf::capture {
namespace {

// Appends a structure of zeros, then the text that follows it; its fields are still to be put.
std::span<std::byte> append_structure(std::vector<std::byte>& out, std::size_t bytes,
                                      std::string_view text = {}) {
  const std::size_t start = out.size();
  out.resize(start + bytes);
  const auto text_bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), text_bytes.begin(), text_bytes.end());
  return std::span(out).subspan(start, bytes);
}

// The form that a ZIP holds: without zlib's header and checksum.
std::vector<std::byte> deflated(std::span<const std::byte> bytes) {
  // The form of nothing, without the 256 KiB that zlib would allocate to find it out.
  if (bytes.empty()) return {std::byte{0x03}, std::byte{0x00}};
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
  namespace field = zip::local_header;
  const std::span header = append_structure(bytes_, field::kBytes, name);
  put(header, field::kSignature, field::kMagic);
  put_file_info(header.subspan(field::kFileInfo), entry);
  bytes_.insert(bytes_.end(), packed.begin(), packed.end());
  entries_.push_back(entry);
}

void ArchiveWriter::put_file_info(std::span<std::byte> info, const Entry& entry) {
  namespace field = zip::file_info;
  put(info, field::kVersionNeeded, zip::kVersion);
  put(info, field::kFlags, zip::kUtf8);
  put(info, field::kMethod, zip::kDeflated);
  put(info, field::kDay, zip::kFirstDay);
  put(info, field::kCrc, entry.crc);
  put(info, field::kPackedBytes, entry.packed);
  put(info, field::kPlainBytes, entry.plain);
  put(info, field::kNameBytes, static_cast<std::uint16_t>(entry.name.size()));
}

void ArchiveWriter::add_to_directory(const Entry& entry) {
  namespace field = zip::directory_entry;
  const std::span header = append_structure(bytes_, field::kBytes, entry.name);
  put(header, field::kSignature, field::kMagic);
  put(header, field::kVersionMadeBy, zip::kVersion);
  put_file_info(header.subspan(field::kFileInfo), entry);
  put(header, field::kLocalHeader, entry.offset);
}

std::vector<std::byte> ArchiveWriter::finish() {
  const std::size_t directory = bytes_.size();
  for (const Entry& entry : entries_) add_to_directory(entry);
  const std::size_t directory_bytes = bytes_.size() - directory;
  namespace field = zip::end;
  const std::span end = append_structure(bytes_, field::kBytes);
  put(end, field::kSignature, field::kMagic);
  put(end, field::kFilesOnThisDisk, static_cast<std::uint16_t>(entries_.size()));
  put(end, field::kFiles, static_cast<std::uint16_t>(entries_.size()));
  put(end, field::kDirectoryBytes, static_cast<std::uint32_t>(directory_bytes));
  put(end, field::kDirectory, static_cast<std::uint32_t>(directory));
  return std::move(bytes_);
}

}  // namespace winperf::capture
