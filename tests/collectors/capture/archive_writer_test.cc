#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "collectors/capture/archive.h"

namespace winperf::capture {
namespace {

std::span<const std::byte> bytes_to_write(const std::string& text) {
  return std::as_bytes(std::span(text));
}

Bytes written_archive(const std::vector<std::pair<std::string, std::string>>& files) {
  ArchiveWriter writer;
  for (const auto& [name, text] : files) writer.add(name, bytes_to_write(text));
  return writer.finish();
}

std::uint32_t number(const Bytes& bytes, std::size_t at, std::size_t width) {
  std::uint32_t value = 0;
  std::memcpy(&value, &bytes.at(at), width);
  return value;
}

TEST(ArchiveWriter, IsSmallerThanItsFiles) {
  EXPECT_LT(written_archive({{"a", std::string(100'000, 'x')}}).size(), 1'000u);
}

// An unpacker that reads from the beginning has the local headers only.
TEST(ArchiveWriter, EachFilesHeaderSaysWhatTheDirectorySays) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"one", "first"}, {"empty", ""}, {"large", std::string(100'000, 'x')}};
  const Bytes bytes = written_archive(files);
  const std::size_t end = bytes.size() - 22;
  EXPECT_EQ(number(bytes, end, 4), 0x06054b50u);
  EXPECT_EQ(number(bytes, end + 8, 2), files.size());
  EXPECT_EQ(number(bytes, end + 10, 2), files.size());
  std::size_t entry = number(bytes, end + 16, 4);
  EXPECT_EQ(entry + number(bytes, end + 12, 4), end);
  std::size_t header = 0;
  for (const auto& [name, text] : files) {
    SCOPED_TRACE(name);
    EXPECT_EQ(number(bytes, header, 4), 0x04034b50u);
    EXPECT_EQ(number(bytes, entry, 4), 0x02014b50u);
    EXPECT_EQ(number(bytes, entry + 42, 4), header);
    // Version, flags, method, time, date, checksum, both sizes, name and extra field.
    for (std::size_t at = 4; at < 30; at += 2)
      EXPECT_EQ(number(bytes, header + at, 2), number(bytes, entry + at + 2, 2)) << at;
    EXPECT_EQ(number(bytes, header + 4, 2), 20u) << "version 2.0 can unpack it";
    EXPECT_EQ(number(bytes, header + 22, 4), text.size());
    const std::uint32_t packed = number(bytes, header + 18, 4);
    EXPECT_EQ(number(bytes, header + 26, 2), name.size());
    EXPECT_EQ(std::memcmp(&bytes.at(header + 30), name.data(), name.size()), 0);
    EXPECT_EQ(std::memcmp(&bytes.at(entry + 46), name.data(), name.size()), 0);
    header += 30 + name.size() + packed;
    entry += 46 + name.size();
  }
  EXPECT_EQ(header, number(bytes, end + 16, 4));
  EXPECT_EQ(entry, end);
}

TEST(ArchiveWriter, HasNoRoomForWhatTheFormatCanNotTell) {
  ArchiveWriter writer;
  writer.add("a", bytes_to_write("text"));
  EXPECT_TRUE(writer.has_room_for(1'000'000));
  EXPECT_FALSE(writer.has_room_for(0xF0000000u));
}

TEST(ArchiveWriter, HasRoomForSoManyBytesAndNoMore) {
  constexpr std::size_t kMost = 0xF0000000;
  ArchiveWriter writer;
  EXPECT_TRUE(writer.has_room_for(kMost - 1));
  EXPECT_TRUE(writer.has_room_for(kMost));
  EXPECT_FALSE(writer.has_room_for(kMost + 1));
  EXPECT_FALSE(writer.has_room_for(~std::size_t{0}));
  writer.add("a", {});
  constexpr std::size_t kHeader = 30 + 1, kPackedNothing = 2;
  EXPECT_TRUE(writer.has_room_for(kMost - kHeader - kPackedNothing));
  EXPECT_FALSE(writer.has_room_for(kMost - kHeader - kPackedNothing + 1));
}

TEST(ArchiveWriter, HasRoomForSoManyFilesAndNoMore) {
  ArchiveWriter writer;
  for (std::size_t files = 0; files < 65'535; ++files) {
    ASSERT_TRUE(writer.has_room_for(0)) << files;
    writer.add("a", {});
  }
  EXPECT_FALSE(writer.has_room_for(0));
}

}  // namespace
}  // namespace winperf::capture
