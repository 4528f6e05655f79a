// The names that a DLL exports, whatever is in its file.
#include "collectors/diagnosis/pe_exports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/diagnosis/facts.h"
#include "tests/collectors/sources/temp_dir.h"
#include "tests/support/block_builder.h"
#include "tests/support/pe_builder.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

PeBuilder provider() { return PeBuilder().function("Open").function("Collect").function("Close"); }

std::vector<std::string> names_in(const PeBuilder& file) {
  const auto exports = pe_exports(file.bytes());
  EXPECT_TRUE(exports) << describe(exports.error());
  EXPECT_EQ(exports->unreadable, 0u);
  return exports->names;
}

TEST(PeExports, AreTheNamesOfBothKindsOfFile) {
  EXPECT_THAT(names_in(provider()), ElementsAre("Open", "Collect", "Close"));
  EXPECT_THAT(names_in(provider().machine(0x014C, true)), ElementsAre("Open", "Collect", "Close"));
}

TEST(PeExports, AreInWhicheverSectionHasTheirAddress) {
  EXPECT_THAT(names_in(provider().first_section(0x1000, 0x200)),
              ElementsAre("Open", "Collect", "Close"));
  EXPECT_THAT(names_in(provider().first_section(0x8000, 0xFFFFFFFF)),
              ElementsAre("Open", "Collect", "Close"))
      << "no section goes on at address 0";
}

TEST(PeExports, AForwardedFunctionIsExportedAndOneThatWasTakenOutIsNot) {
  EXPECT_THAT(names_in(PeBuilder().forwarder("Open", "OTHER.Open").hole("Collect").function("X")),
              ElementsAre("Open", "X"));
}

TEST(PeExports, AFileMayExportNothing) {
  EXPECT_THAT(names_in(PeBuilder()), IsEmpty());
  EXPECT_THAT(names_in(provider().without_exports()), IsEmpty());
}

TEST(PeExports, TruncatedAnywhereTheFileHasNone) {
  const auto whole = provider().bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // A copy of its own, so that the sanitizer sees a read past its end.
    const std::vector<std::byte> part(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto exports = pe_exports(part);
    ASSERT_FALSE(exports) << size;
    EXPECT_EQ(exports.error().code, ErrorCode::kTruncated) << size;
  }
}

TEST(PeExports, SpoiltAnywhereTheFileIsReadWithinItsBytes) {
  const auto whole = provider().forwarder("Help", "OTHER.Help").bytes();
  for (std::size_t at = 0; at + 4 <= whole.size(); ++at) {
    for (const std::uint32_t value : {0u, 1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu}) {
      const auto exports = pe_exports(with_field(whole, at, value));
      if (!exports) continue;
      EXPECT_LE(exports->names.size() + exports->unreadable, 4u) << at << " becomes " << value;
    }
  }
}

struct Spoilt {
  const char* what;
  std::size_t at;
  std::uint32_t value;
  ErrorCode code;
  const char* where;
};

TEST(PeExports, SayWhatIsWrongAndWhere) {
  const PeBuilder file = provider();
  const Spoilt rows[] = {
      {"another optional header", pe_field::kOptionalHeader, 0x107, ErrorCode::kBadSignature,
       "library.header"},
      {"more sections than can be loaded", pe_field::kSectionCount, 97, ErrorCode::kLimitExceeded,
       "library"},
      {"as many sections as can be loaded", pe_field::kSectionCount, 96, ErrorCode::kTruncated,
       "library"},
      {"the table right behind its section", pe_field::kOptionalHeader + 112,
       static_cast<std::uint32_t>(0x5000 + file.bytes().size() - pe_field::kTable),
       ErrorCode::kBadOffset, "library.exports"},
      {"the table outside of all sections", pe_field::kOptionalHeader + 112, 0x4FFF,
       ErrorCode::kBadOffset, "library.exports"},
      {"more functions than the section holds", pe_field::kFunctionCount, 0x40000001,
       ErrorCode::kTruncated, "library.exports.functions"},
      {"more names than the section holds", pe_field::kNameCount, 60'000, ErrorCode::kTruncated,
       "library.exports.names"},
      {"as many names as there can be", pe_field::kNameCount, 65'536, ErrorCode::kTruncated,
       "library.exports.names"},
      {"more names than there can be", pe_field::kNameCount, 65'537, ErrorCode::kLimitExceeded,
       "library.exports"},
      {"functions nowhere", pe_field::kFunctions, 1, ErrorCode::kBadOffset,
       "library.exports.functions"},
      {"names nowhere", pe_field::kNames, 0xFFFFFFFF, ErrorCode::kBadOffset,
       "library.exports.names"},
      {"ordinals nowhere", pe_field::kOrdinals, 0, ErrorCode::kBadOffset,
       "library.exports.ordinals"},
  };
  for (const Spoilt& row : rows) {
    SCOPED_TRACE(row.what);
    const auto exports = pe_exports(with_field(file.bytes(), row.at, row.value));
    ASSERT_FALSE(exports);
    EXPECT_EQ(exports.error().code, row.code);
    EXPECT_STREQ(exports.error().where, row.where);
  }
}

TEST(PeExports, ANameThatCanNotBeReadCostsItselfAlone) {
  const PeBuilder file = provider();
  const auto nowhere = pe_exports(with_field(file.bytes(), file.names() + 4, 0xFFFFFFF0));
  ASSERT_TRUE(nowhere);
  EXPECT_THAT(nowhere->names, ElementsAre("Open", "Close"));
  EXPECT_EQ(nowhere->unreadable, 1u);
  EXPECT_EQ(nowhere->error->code, ErrorCode::kBadOffset);

  // "Close" without its end, the last byte of the file.
  auto endless = file.bytes();
  endless.back() = std::byte{'x'};
  const auto cut = pe_exports(endless);
  ASSERT_TRUE(cut);
  EXPECT_THAT(cut->names, ElementsAre("Open", "Collect"));
  EXPECT_EQ(cut->error->code, ErrorCode::kBadText);

  const auto odd = pe_exports(PeBuilder().function("a\x1b[2J").function("b").bytes());
  ASSERT_TRUE(odd);
  EXPECT_THAT(names_in(PeBuilder().function("!").function("~")), ElementsAre("!", "~"));
  EXPECT_THAT(odd->names, ElementsAre("b")) << "what could not be shown is no function's name";
  EXPECT_EQ(odd->unreadable, 1u);
  EXPECT_EQ(odd->error->actual, std::string_view("a\x1b[2J").size());
}

// So many names that are all the same text.
PeExports sharing(std::size_t names, const std::string& text) {
  PeBuilder file;
  file.function(text);
  for (std::size_t i = 1; i < names; ++i) file.function("x");
  auto bytes = file.bytes();
  std::uint32_t first = 0;
  for (int i = 3; i >= 0; --i)
    first = first << 8 |
            std::to_integer<std::uint32_t>(bytes[file.names() + static_cast<std::size_t>(i)]);
  for (std::size_t i = 1; i < names; ++i)
    bytes = with_field(std::move(bytes), file.names() + 4 * i, first);
  return pe_exports(bytes).value();
}

TEST(PeExports, NamesThatShareOneTextTakeNoMoreThanTheirLimit) {
  const PeExports many = sharing(5'001, std::string(4'000, 'n'));
  EXPECT_EQ(many.names.size(), (4U << 20) / 4'000);
  EXPECT_EQ(many.names.size() + many.unreadable, 5'001u);
  EXPECT_EQ(many.error->code, ErrorCode::kLimitExceeded);
  const PeExports most = sharing(1'024, std::string(4'096, 'n'));
  EXPECT_EQ(most.names.size(), 1'024u);
  EXPECT_FALSE(most.error);
}

TEST(PeExports, ANameHasSoManyCharactersAndNoMore) {
  const auto exports = pe_exports(
      PeBuilder().function(std::string(4'096, 'n')).function(std::string(4'097, 'n')).bytes());
  ASSERT_TRUE(exports);
  EXPECT_THAT(exports->names, ElementsAre(std::string(4'096, 'n')));
  EXPECT_EQ(exports->unreadable, 1u);
  EXPECT_EQ(exports->error->code, ErrorCode::kBadText);
}

TEST(Decorated, IsANameAsCompilersMakeItOfTheFunctions) {
  for (const char* name :
       {"_Open", "_Open@12", "@Open@8", "Open@0", "?Open@@YGKPA_W@Z", "_Z4OpenPw", "__Z4OpenPw",
        "_ZN3abc4OpenEPw", "_ZN2AZ2az_4Open_$.?@E", "_ZN9_Z4OpenPwE"})
    EXPECT_TRUE(is_decorated(name, "Open")) << name;
}

TEST(Decorated, IsNoOtherName) {
  for (const char* name : {"Open",
                           "Openx",
                           "_Openx",
                           "_Opened@12",
                           "@Open",
                           "Open@",
                           "_Open@",
                           "Open@1x",
                           "Open@x1",
                           "Open12",
                           "_Openx12",
                           "_Op",
                           "xOpen@12",
                           "?Open",
                           "?Opened@@YGK",
                           "Open@@YGK",
                           "?Close@Open@@YGK",
                           "_Z14OpenOfOthers",
                           "_Z4Opn",
                           "Z4OpenPw",
                           "_Y4OpenPw",
                           "_Z5OpenPw",
                           ""})
    EXPECT_FALSE(is_decorated(name, "Open")) << name;
  EXPECT_FALSE(is_decorated("_", ""));
  EXPECT_FALSE(is_decorated("@8", ""));
}

// What can be shown: no other characters are in such a name.
TEST(Decorated, HasLettersDigitsAndFewSigns) {
  for (const char c : std::string("azAZ09_?@$."))
    EXPECT_TRUE(is_decorated(std::string("_Z4Open") + c, "Open")) << c;
  for (const char c : std::string("`{[/:^!-+ \"\\\x7F\xE4"))
    EXPECT_FALSE(is_decorated(std::string("_Z4Open") + c, "Open")) << int{c};
}

std::string text_of(const std::vector<std::byte>& bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += static_cast<char>(byte);
  return text;
}

TEST(LibraryFile, OfADllTheExportsAreKnownOrWhyNot) {
  const TempDir folder;
  // The table lies after the bytes that tell the machine.
  folder.write("x.dll", text_of(provider().bytes()) + std::string(200'000, 'x'));
  const LibraryFile whole = inspect_library(folder.path() / "x.dll");
  ASSERT_TRUE(whole.exports);
  EXPECT_THAT(whole.exports->names, ElementsAre("Open", "Collect", "Close"));
  EXPECT_EQ(whole.exports_error, std::nullopt);

  folder.write("cut.dll", text_of(provider().bytes()).substr(0, 1'100));
  const LibraryFile cut = inspect_library(folder.path() / "cut.dll");
  EXPECT_EQ(cut.machine, PeMachine::kX64);
  EXPECT_EQ(cut.exports, std::nullopt);
  ASSERT_TRUE(cut.exports_error);
  EXPECT_EQ(cut.exports_error->code, ErrorCode::kTruncated);

  folder.write("huge.dll", text_of(provider().bytes()));
  std::filesystem::resize_file(folder.path() / "huge.dll", (64U << 20) + 1);
  const LibraryFile huge = inspect_library(folder.path() / "huge.dll");
  EXPECT_EQ(huge.machine, PeMachine::kX64);
  EXPECT_EQ(huge.exports, std::nullopt);
  ASSERT_TRUE(huge.exports_error);
  EXPECT_EQ(huge.exports_error->code, ErrorCode::kLimitExceeded);
  EXPECT_STREQ(huge.exports_error->where, "library");
  EXPECT_EQ(huge.exports_error->actual, (64U << 20) + 1);
  EXPECT_EQ(huge.exports_error->limit, 64U << 20);
}

}  // namespace
}  // namespace winperf::testing
