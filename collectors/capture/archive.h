// A capture in one file: a ZIP archive of its files, which Windows' Explorer can open, too.
//
// Written and read: plain names without folders, stored or deflated, up to 4 GiB. Not read: ZIP64,
// encryption, archives in several parts, names with separators.
// Validated, because such a file is untrusted: each offset and size against the bytes; each file's
// size and their sum, before anything is unpacked; that neither two files nor a file and the
// directory share bytes; the checksums. The format itself has no room for more than 65,535 files.
// Errors: for an archive, a sentence about its defect; for a file in it, kBadOffset, kBadLength
// (its data contradicts its size) or kBadChecksum. Thread rule: an open archive is immutable; a
// writer belongs to one thread. Source: PKWARE's APPNOTE.TXT 6.3, 4.3 and 4.4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/sources/replay.h"

namespace winperf::capture {

// The directory entry of a file.
struct ArchiveEntry {
  std::uint32_t method = 0;
  std::uint32_t crc = 0;
  std::uint32_t packed = 0;  // bytes
  std::uint32_t plain = 0;
  std::uint32_t offset = 0;  // of the local header
};

struct ArchiveLimits {
  std::uint64_t file_bytes = 256ULL << 20;
  std::uint64_t all_bytes = 2ULL << 30;
};

// `text`: its name in messages.
[[nodiscard]] std::expected<std::shared_ptr<const CaptureFolder>, SourceError> open_archive(
    Bytes bytes, std::string text, const ArchiveLimits& limits = {});

// A folder, or a file that is an archive.
[[nodiscard]] std::expected<std::shared_ptr<const CaptureFolder>, SourceError> open_capture(
    const std::filesystem::path& path);

// The bytes of an archive, file by file.
class ArchiveWriter {
 public:
  // Whether the format's numbers are large enough for one more file and the directory after it.
  bool has_room_for(std::size_t bytes) const;
  void add(std::string_view name, std::span<const std::byte> bytes);
  std::size_t bytes() const { return bytes_.size(); }  // so far, without the directory
  // Nothing may be added afterwards.
  std::vector<std::byte> finish();

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::pair<std::string, ArchiveEntry>> entries_;  // with their names
};

}  // namespace winperf::capture
