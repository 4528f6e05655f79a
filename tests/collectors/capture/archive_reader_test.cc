#include "collectors/capture/archive.h"

#include <gmock/gmock.h>

#include <array>
#include <random>
#include <string>

namespace winperf::capture {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

Bytes archive_of(const std::vector<std::pair<std::string, std::string>>& files) {
  ArchiveWriter writer;
  for (const auto& [name, text] : files) writer.add(name, bytes_of(text));
  return writer.finish();
}

std::string text_in(const CaptureFolder& folder, std::string_view name) {
  const auto bytes = folder.read(name, "test");
  if (!bytes) return describe(bytes.error());
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

std::string refusal(Bytes bytes, const ArchiveLimits& limits = {}) {
  const auto opened = open_archive(std::move(bytes), "a.zip", limits);
  return opened ? "opened" : opened.error().text;
}

void put_u32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes.at(at + i) = static_cast<std::byte>(value >> (8 * i));
}

std::uint32_t get_u32(const Bytes& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= std::to_integer<std::uint32_t>(bytes.at(at + i)) << (8 * i);
  return value;
}

// Where the first file's entry in the directory is.
std::size_t directory_of(const Bytes& bytes) { return get_u32(bytes, bytes.size() - 6); }

TEST(Archive, GivesBackWhatWasPutIn) {
  const std::string large(1'000'000, 'x');
  const auto opened =
      open_archive(archive_of({{"one", "first"}, {"empty", ""}, {"large", large}}), "a.zip");
  ASSERT_TRUE(opened) << opened.error().text;
  EXPECT_THAT(*(*opened)->names(), UnorderedElementsAre("one", "empty", "large"));
  EXPECT_EQ(text_in(**opened, "one"), "first");
  EXPECT_EQ(text_in(**opened, "empty"), "");
  EXPECT_EQ(text_in(**opened, "large"), large);
  EXPECT_EQ((*opened)->read("two", "test").error().code, ErrorCode::kNoSuchFile);
}

TEST(Archive, NamesThatLeadElsewhere_AreRefused) {
  for (const char* name : {"../x", "a/b", "a\\b", "C:x", "..", ".", "", "a\nb"})
    EXPECT_THAT(refusal(archive_of({{name, "x"}})), HasSubstr("with an invalid name")) << name;
}

TEST(Archive, TheSameNameTwice_IsRefused) {
  EXPECT_THAT(refusal(archive_of({{"a", "1"}, {"a", "2"}})),
              HasSubstr("it contains the file a twice"));
}

TEST(Archive, Limits_HoldBeforeAnythingIsUnpacked) {
  const Bytes archive = archive_of({{"a", std::string(1000, 'x')}, {"b", std::string(1000, 'x')}});
  EXPECT_THAT(refusal(archive, {.file_bytes = 999}), HasSubstr("its file a is too large"));
  EXPECT_THAT(refusal(archive, {.all_bytes = 1999}), HasSubstr("its files are too large in total"));
  EXPECT_EQ(refusal(archive, {.file_bytes = 1000, .all_bytes = 2000}), "opened");
  EXPECT_EQ(refusal(archive, {.file_bytes = 1001, .all_bytes = 2001}), "opened");
}

TEST(Archive, SizesThatLie_CostTheirFileAlone) {
  Bytes archive = archive_of({{"a", std::string(1000, 'x')}});
  const std::size_t entry = directory_of(archive);
  for (const std::uint32_t plain : {0u, 999u, 1001u, 100'000u}) {
    put_u32(archive, entry + 24, plain);
    const auto opened = open_archive(archive, "a.zip");
    ASSERT_TRUE(opened);
    EXPECT_EQ((*opened)->read("a", "test").error().code, ErrorCode::kBadLength) << plain;
  }
}

TEST(Archive, AnotherChecksum_IsAnError) {
  Bytes archive = archive_of({{"a", "text"}});
  put_u32(archive, directory_of(archive) + 16, 12345);
  EXPECT_EQ((*open_archive(archive, "a.zip"))->read("a", "test").error().code,
            ErrorCode::kBadChecksum);
}

TEST(Archive, EncryptedOrStrangelyPacked_IsRefused) {
  Bytes archive = archive_of({{"a", "text"}});
  archive.at(directory_of(archive) + 8) = std::byte{1};
  EXPECT_THAT(refusal(archive), HasSubstr("its file a is encrypted"));
  archive = archive_of({{"a", "text"}});
  archive.at(directory_of(archive) + 10) = std::byte{12};
  EXPECT_THAT(refusal(archive), HasSubstr("unknown compression method"));
}

// As another program may write it: stored, with extra fields and a comment.
Bytes stored_archive(std::string_view name, std::string_view text, std::string_view comment) {
  const std::size_t plain = text.size();
  ArchiveWriter writer;
  writer.add(name, std::as_bytes(std::span(text)));
  const Bytes deflated = writer.finish();
  const std::size_t directory = directory_of(deflated);
  const auto part = [&](std::size_t from, std::size_t bytes) {
    return std::span(deflated).subspan(from, bytes);
  };
  Bytes out;
  const auto append = [&out](std::span<const std::byte> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  const std::array<std::byte, 4> extra{};
  append(part(0, 30 + name.size()));
  append(extra);
  append(std::as_bytes(std::span(text)));
  out.at(8) = std::byte{};
  out.at(28) = std::byte{4};
  const std::size_t at = out.size();
  append(part(directory, 46 + name.size()));
  append(extra);
  append(std::as_bytes(std::span(comment)));
  out.at(at + 10) = std::byte{};
  put_u32(out, at + 20, static_cast<std::uint32_t>(plain));
  out.at(at + 30) = std::byte{4};
  out.at(at + 32) = static_cast<std::byte>(comment.size());
  const std::size_t end = out.size();
  append(part(deflated.size() - 22, 22));
  put_u32(out, end + 12, static_cast<std::uint32_t>(end - at));
  put_u32(out, end + 16, static_cast<std::uint32_t>(at));
  out.at(end + 20) = static_cast<std::byte>(comment.size());
  append(std::as_bytes(std::span(comment)));
  return out;
}

TEST(Archive, StoredFilesExtraFieldsAndComments_AreRead) {
  for (const std::string_view comment : {"", "a comment"}) {
    const auto opened = open_archive(stored_archive("a", "text", comment), "a.zip");
    ASSERT_TRUE(opened) << opened.error().text;
    EXPECT_EQ(text_in(**opened, "a"), "text");
  }
}

TEST(Archive, AStoredFileOfAnotherSize_CostsItselfAlone) {
  Bytes archive = stored_archive("a", "text", "");
  const std::size_t entry = archive.size() - 22 - 46 - 1 - 4;
  for (const std::uint32_t plain : {3u, 5u}) {
    put_u32(archive, entry + 24, plain);
    const auto opened = open_archive(archive, "a.zip");
    ASSERT_TRUE(opened) << opened.error().text;
    EXPECT_EQ((*opened)->read("a", "test").error().code, ErrorCode::kBadLength) << plain;
  }
}

TEST(Archive, AnOffsetThatLeadsNowhere_CostsItsFileAlone) {
  const Bytes archive = archive_of({{"a", "text"}});
  const std::size_t entry = directory_of(archive);
  for (const std::uint32_t offset : {1u, static_cast<std::uint32_t>(entry - 30)}) {
    Bytes spoilt = archive;
    put_u32(spoilt, entry + 42, offset);
    EXPECT_EQ((*open_archive(spoilt, "a.zip"))->read("a", "test").error().code,
              ErrorCode::kBadOffset);
  }
  for (const std::uint32_t offset :
       {static_cast<std::uint32_t>(entry - 29), static_cast<std::uint32_t>(entry), 0xFFFFFFFFu}) {
    Bytes spoilt = archive;
    put_u32(spoilt, entry + 42, offset);
    EXPECT_EQ((*open_archive(spoilt, "a.zip"))->read("a", "test").error().code,
              ErrorCode::kTruncated);
  }
}

// Where the entry of file `number` is in the directory, if all names have one letter.
std::size_t entry_of(const Bytes& archive, std::size_t number) {
  return directory_of(archive) + number * 47;
}

// As in a bomb: each entry leads to the first file's data.
TEST(Archive, FilesThatShareOneStream_AreRefused) {
  std::vector<std::pair<std::string, std::string>> files{{"a", std::string(100'000, 'x')}};
  for (char name = 'b'; name <= 'i'; ++name) files.emplace_back(std::string(1, name), "");
  Bytes archive = archive_of(files);
  for (std::size_t i = 1; i < files.size(); ++i) {
    for (const std::size_t field : {16u, 20u, 24u, 42u})
      std::copy_n(archive.begin() + static_cast<std::ptrdiff_t>(entry_of(archive, 0) + field), 4,
                  archive.begin() + static_cast<std::ptrdiff_t>(entry_of(archive, i) + field));
  }
  EXPECT_THAT(refusal(archive), HasSubstr("its files a and b share the same bytes"));
}

TEST(Archive, AFileThatReachesIntoTheNext_IsRefused) {
  Bytes archive = archive_of({{"a", std::string(100, 'x')}, {"b", "text"}});
  EXPECT_EQ(refusal(archive), "opened");
  const std::size_t packed = entry_of(archive, 0) + 20;
  put_u32(archive, packed, get_u32(archive, packed) + 1);
  EXPECT_THAT(refusal(archive), HasSubstr("its files a and b share the same bytes"));
}

TEST(Archive, AFileThatReachesIntoTheDirectory_CostsItselfAlone) {
  Bytes archive = archive_of({{"a", "text"}, {"b", "text"}});
  const std::size_t packed = entry_of(archive, 1) + 20;
  put_u32(archive, packed, get_u32(archive, packed) + 1);
  const auto opened = open_archive(archive, "a.zip");
  ASSERT_TRUE(opened) << opened.error().text;
  EXPECT_EQ((*opened)->read("b", "test").error().code, ErrorCode::kTruncated);
  EXPECT_EQ(text_in(**opened, "a"), "text");
}

TEST(Archive, ADirectoryThatIsNotWhereItShouldBe_IsRefused) {
  const Bytes archive = archive_of({{"a", "text"}});
  const std::size_t end = archive.size() - 22;
  Bytes spoilt = archive;
  put_u32(spoilt, end + 12, static_cast<std::uint32_t>(end - directory_of(archive) + 1));
  EXPECT_THAT(refusal(spoilt), HasSubstr("its list of files lies outside it"));
  spoilt = archive;
  spoilt.at(end + 10) = std::byte{2};
  EXPECT_THAT(refusal(spoilt), HasSubstr("its directory is damaged")) << "one file more";
  spoilt = archive;
  spoilt.at(directory_of(archive)) = std::byte{};
  EXPECT_THAT(refusal(spoilt), HasSubstr("its directory is damaged"));
  EXPECT_THAT(refusal({}), HasSubstr("it is empty"));
}

TEST(Archive, WithoutFiles_IsEmpty) {
  const auto opened = open_archive(archive_of({}), "a.zip");
  ASSERT_TRUE(opened) << opened.error().text;
  EXPECT_TRUE((*opened)->names()->empty());
  EXPECT_EQ((*opened)->text(), "a.zip");
}

TEST(Archive, EveryPrefix_IsRefused) {
  const Bytes archive = archive_of({{"a", "text"}, {"b", "more"}});
  for (std::size_t bytes = 0; bytes < archive.size(); ++bytes)
    EXPECT_THAT(
        refusal(Bytes(archive.begin(), archive.begin() + static_cast<std::ptrdiff_t>(bytes))),
        HasSubstr("is not a capture"))
        << bytes;
}

TEST(Archive, MutatedBytes_NeverDoHarm) {
  const Bytes archive = archive_of({{"a", std::string(300, 'a')}, {"b", "more"}, {"c", ""}});
  std::mt19937 random(20261121);
  for (int round = 0; round < 20'000; ++round) {
    Bytes mutated = archive;
    for (int i = 0; i <= round % 4; ++i)
      mutated.at(random() % mutated.size()) = static_cast<std::byte>(random());
    const auto opened = open_archive(mutated, "a.zip", {.all_bytes = 1 << 20});
    if (!opened) continue;
    const auto names = (*opened)->names();
    for (const std::string& name : *names) {
      const auto bytes = (*opened)->read(name, "test");
      EXPECT_TRUE(!bytes || bytes->size() <= 1u << 20);
    }
  }
}

TEST(OpenCapture, ADirectoryIsOneToo) {
  const auto folder = open_capture("/nowhere/at-all");
  ASSERT_TRUE(folder);
  EXPECT_THAT((*folder)->names().error().text, HasSubstr("/nowhere/at-all"));
}

}  // namespace
}  // namespace winperf::capture
