#include "collectors/capture/recorder.h"

#include <gmock/gmock.h>

#include <chrono>

#include "collectors/capture/archive.h"

namespace winperf::capture {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directory(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string refusal(const char* name) const {
    const auto store = Store::create(folder_ / name, 100);
    return store ? "made" : store.error();
  }
  static std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
  }

  const fs::path folder_ =
      fs::temp_directory_path() /
      ("winperf-store-" +
       std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
};

TEST_F(StoreTest, AName_TellsFolderAndArchiveApart) {
  for (const char* name : {"one.zip", "two.ZIP", "three", "four.d", "zip"}) {
    auto store = Store::create(folder_ / name, 100);
    ASSERT_TRUE(store) << store.error();
    ASSERT_TRUE(store->put("a", bytes("text")));
    EXPECT_FALSE(fs::exists(folder_ / name)) << "not before it is whole";
    ASSERT_TRUE(store->finish());
    const bool archive = fs::path(name).has_extension() && name != std::string_view("four.d");
    EXPECT_EQ(fs::is_directory(folder_ / name), !archive) << name;
    const auto opened = open_capture(folder_ / name);
    ASSERT_TRUE(opened) << opened.error().text;
    EXPECT_EQ((*opened)->read("a", "test")->size(), 4u);
  }
}

TEST_F(StoreTest, ANameThatCanNotBeKept_IsRefused) {
  for (const char* name : {"a.tar.gz", "a.TGZ", "a.7z", "a.cab"})
    EXPECT_THAT(refusal(name), HasSubstr("ends in .zip"));
  EXPECT_EQ(refusal("there.zip"), "made");
  std::error_code error;
  EXPECT_TRUE(fs::is_empty(folder_, error)) << "what is not finished is removed";
  fs::create_directory(folder_ / "there.zip");
  EXPECT_THAT(refusal("there.zip"), HasSubstr("already exists"));
  fs::create_directory(folder_ / "other.partial");
  EXPECT_THAT(refusal("other"), HasSubstr("remove it if no capture is running"));
  EXPECT_THAT(refusal("no/such"), HasSubstr("cannot be created: its folder does not exist"));
}

TEST_F(StoreTest, MoreThanItMayHold_IsRefusedAndTheRestKept) {
  auto store = Store::create(folder_ / "small", 10);
  ASSERT_TRUE(store);
  ASSERT_TRUE(store->put("a", bytes("12345678")));
  EXPECT_FALSE(store->has_room_for(3));
  const auto more = store->put("b", bytes("123"));
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error(), store->no_room());
  ASSERT_TRUE(store->put("c", bytes("12")));
  EXPECT_EQ(store->bytes(), 10u);
  ASSERT_TRUE(store->finish());
  EXPECT_TRUE(fs::exists(folder_ / "small" / "a"));
  EXPECT_FALSE(fs::exists(folder_ / "small" / "b"));
}

TEST_F(StoreTest, TheLimit_IsTheSumOfTheFilesToTheByte) {
  for (const char* name : {"folder", "archive.zip"}) {
    auto store = Store::create(folder_ / name, 10);
    ASSERT_TRUE(store);
    EXPECT_TRUE(store->has_room_for(9));
    EXPECT_TRUE(store->has_room_for(10));
    EXPECT_FALSE(store->has_room_for(11));
    EXPECT_FALSE(store->put("a", bytes("12345678901")));
    ASSERT_TRUE(store->put("a", bytes("1234567890")));
    EXPECT_TRUE(store->has_room_for(0));
    EXPECT_FALSE(store->has_room_for(1));
    ASSERT_TRUE(store->put("empty", {}));
    EXPECT_FALSE(store->put("b", bytes("1")));
    EXPECT_THAT(store->no_room(), HasSubstr("larger than 10 bytes"));
  }
}

TEST_F(StoreTest, AStoreThatMoves_IsFinishedOnce) {
  auto store = Store::create(folder_ / "moved", 10);
  ASSERT_TRUE(store);
  ASSERT_TRUE(store->put("a", bytes("1234")));
  {
    Store other = *std::move(store);
    EXPECT_EQ(other.bytes(), 4u);
    ASSERT_TRUE(other.finish());
  }
  EXPECT_TRUE(fs::exists(folder_ / "moved" / "a"));
}

}  // namespace
}  // namespace winperf::capture
