#include "collectors/capture/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/capture/archive.h"
#include "tests/collectors/sources/temp_dir.h"
#include "tests/support/block_builder.h"

namespace winperf::capture {
namespace {

using testing::BlockBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ObjectBuilder;

Bytes block_naming(const std::u16string& name) {
  return BlockBuilder()
      .add(ObjectBuilder(230).counter({.index = 6}).instance({.name = name, .values = {1}}))
      .bytes();
}

bool contains_text(const Bytes& bytes, std::u16string_view text) {
  return !std::ranges::search(bytes, std::as_bytes(std::span(text))).empty();
}

class HeldBuffersTest : public ::testing::Test {
 protected:
  std::vector<std::string> store(HeldBuffers& held) {
    auto store = Store::create(dir_.path() / "capture", 1 << 20);
    std::vector<std::string> notes;
    EXPECT_TRUE(
        held.store(scrubber_, *store, [&](std::string note) { notes.push_back(std::move(note)); }));
    EXPECT_TRUE(store->finish());
    return notes;
  }
  Bytes stored(std::string_view name) {
    return open_capture(dir_.path() / "capture").value()->read(name, "test").value_or(Bytes{});
  }

  const testing::TempDir dir_;
  Scrubber scrubber_;
};

TEST_F(HeldBuffersTest, ALaterBuffersNamesAreRemovedFromAnEarlierOne) {
  HeldBuffers held;
  Bytes first = BlockBuilder().add(ObjectBuilder(231).counter({.index = 8}).single({1})).bytes();
  const std::u16string left = u"secret";
  first.resize(first.size() + 4);
  // Within the computer's name, which has no slack: a text counter's value.
  Bytes text = BlockBuilder()
                   .add(ObjectBuilder(231)
                            .counter({.index = 8, .size = 8})
                            .counter({.index = 10, .size = 8})
                            .single({0x0072'0063'0065'0073, 0x0074'0065}))
                   .bytes();
  ASSERT_TRUE(contains_text(text, left));
  held.add("one", BufferKind::kBlock, text);
  held.add("two", BufferKind::kBlock, block_naming(u"secret"));
  EXPECT_EQ(held.bytes(), text.size() + block_naming(u"secret").size());
  EXPECT_THAT(store(held), IsEmpty());
  EXPECT_EQ(held.bytes(), 0U);
  EXPECT_FALSE(contains_text(stored("one"), left));
  EXPECT_FALSE(contains_text(stored("two"), left));
  EXPECT_EQ(stored("one").size(), text.size());
}

TEST_F(HeldBuffersTest, ABufferWhoseNamesCannotBeFoundIsLeftOutAndNamed) {
  HeldBuffers held;
  held.add("bad", BufferKind::kBlock, Bytes(200));
  held.add("worse", BufferKind::kV2Data, Bytes(200));
  held.add("good", BufferKind::kBlock, block_naming(u"secret"));
  EXPECT_THAT(store(held), ElementsAre(HasSubstr("bad: left out"), HasSubstr("worse: left out")));
  EXPECT_THAT(stored("bad"), IsEmpty());
  EXPECT_FALSE(stored("good").empty());
}

TEST_F(HeldBuffersTest, APartThatCannotBeParsedIsNamed) {
  const auto built =
      BlockBuilder().add(ObjectBuilder(230).counter({.index = 6}).instance({.name = u"a"})).build();
  HeldBuffers held;
  held.add("file", BufferKind::kBlock, built.with(built.objects[0].instances[0].offset, 1));
  EXPECT_THAT(store(held),
              ElementsAre(HasSubstr("file: a part that cannot be parsed was cleared")));
  EXPECT_FALSE(stored("file").empty());
}

TEST_F(HeldBuffersTest, AStoreThatIsFullEndsIt) {
  HeldBuffers held;
  held.add("one", BufferKind::kBlock, block_naming(u"secret"));
  auto store = Store::create(dir_.path() / "small", 10);
  const auto stored = held.store(scrubber_, *store, [](const std::string&) {});
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error(), store->no_room());
}

}  // namespace
}  // namespace winperf::capture
