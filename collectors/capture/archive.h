// A capture in one file: a ZIP archive of its files, which Windows' Explorer opens, too.
//
// Written and read: plain names without folders, stored or deflated, up to 4 GiB. Not read: ZIP64,
// encryption, archives in several parts, names with separators.
// Validated, since such a file comes from a stranger: every offset and size against the bytes, the
// number of files, each file's size and that of all of them before anything is unpacked, the CRC.
// Errors: sentences that say what is wrong with the archive; of one file, kBadOffset,
// kBadLength (it is not what its size says) or kBadChecksum.
// Source: PKWARE's APPNOTE.TXT 6.3, 4.3 and 4.4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/sources/capture_folder.h"

namespace winperf::capture {

struct ArchiveLimits {
  std::size_t files = 200'000;
  std::uint64_t file_bytes = 256ULL << 20;
  std::uint64_t all_bytes = 2ULL << 30;
};

// `text`: what messages call it.
std::expected<std::shared_ptr<const CaptureFolder>, SourceError> open_archive(
    Bytes bytes, std::string text, const ArchiveLimits& limits = {});

// A directory, or a file that is an archive.
std::expected<std::shared_ptr<const CaptureFolder>, SourceError> open_capture(
    const std::filesystem::path& path);

// The bytes of an archive, file by file.
class ArchiveWriter {
 public:
  // Whether one more file, and the directory behind it, can be told by the format's numbers.
  bool has_room_for(std::size_t bytes) const;
  void add(std::string_view name, std::span<const std::byte> bytes);
  // Nothing is added afterwards.
  std::vector<std::byte> finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc = 0;
    std::uint32_t packed = 0;
    std::uint32_t plain = 0;
    std::uint32_t offset = 0;
  };

  std::vector<std::byte> bytes_;
  std::vector<Entry> entries_;
};

}  // namespace winperf::capture
