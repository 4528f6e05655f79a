// The faulty provider is honest while nobody tells it to do harm, and does harm where it is told.
#include "tests/simulator/faulty_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "collectors/wire/block_view.h"
#include "tests/providers/faulty/harm.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/registry_face.h"

namespace winperf::simulator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

// The current directory stands for all harm: a test can see it, and undo it.
class FaultyDevice : public ::testing::Test {
 protected:
  FaultyDevice() {
    fs::create_directories(folder_);
    fs::current_path(folder_);
    provider_ = std::make_shared<FaultyProvider>(machine_, control_file_);
    machine_.add(provider_);
  }
  ~FaultyDevice() override {
    face_.close();
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  void tell(const char* word) { std::ofstream(control_file_) << word << '\n'; }
  bool is_harmed() {
    const bool harmed = fs::current_path() == folder_.root_path();
    fs::current_path(folder_);
    return harmed;
  }
  std::vector<std::byte> ask(std::u16string_view query = u"3000", std::size_t room = 4'000) {
    std::vector<std::byte> buffer(room);
    std::size_t size = 0;
    EXPECT_EQ(face_.query_value(query, buffer, size), kSuccess);
    buffer.resize(size);
    return buffer;
  }
  // The values of "Requests" and "Jobs".
  std::vector<std::uint64_t> values() {
    const auto bytes = ask();
    const auto object = BlockView::parse(bytes)->objects().next();
    if (!object || !*object) return {};
    std::vector<std::uint64_t> values;
    // At the end are the counter block's length, the two values, and 4 bytes to fill it up.
    for (const std::size_t i : {0u, 1u}) {
      std::uint32_t value = 0;
      std::memcpy(&value, bytes.data() + bytes.size() - 12 + 4 * i, sizeof value);
      values.push_back(value);
    }
    return values;
  }

  const fs::path before_ = fs::current_path();
  const fs::path folder_ =
      fs::canonical(::testing::TempDir()) /
      ("winperf-faulty-" +
       std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  const fs::path control_file_ = folder_ / "fault";
  Machine machine_;
  std::shared_ptr<FaultyProvider> provider_;
  RegistryFace face_{machine_};
};

TEST_F(FaultyDevice, IsHonestWithoutAFault) {
  EXPECT_THAT(values(), ElementsAre(0, 0));
  machine_.advance(12.3);
  EXPECT_THAT(values(), ElementsAre(123, 2));
  EXPECT_THAT(face_.events(), IsEmpty());
  EXPECT_FALSE(is_harmed());
}

TEST_F(FaultyDevice, IsNotCalledForOthers) {
  tell("cwd_collect");
  ask(u"2");
  EXPECT_FALSE(is_harmed());
}

TEST_F(FaultyDevice, DoesHarmWhereItIsTold) {
  tell("cwd_open");
  EXPECT_THAT(values(), ElementsAre(0, 0)) << "its data is right also then";
  EXPECT_TRUE(is_harmed());
  ask();
  EXPECT_FALSE(is_harmed()) << "it is open";
  tell("cwd_collect");
  ask();
  EXPECT_TRUE(is_harmed());
  tell("cwd_close");
  ask();
  EXPECT_FALSE(is_harmed());
  face_.close();
  EXPECT_TRUE(is_harmed());
}

TEST_F(FaultyDevice, FaultsBeginAndEndWhileItRuns) {
  for (const char* const word : {"", "cwd", "cwd_", "_collect", "cwd_collected", "cwd_perflib"}) {
    tell(word);
    ask();
    EXPECT_FALSE(is_harmed()) << word;
  }
  tell("cwd_collect");
  ask();
  EXPECT_TRUE(is_harmed());
  fs::remove(control_file_);
  ask();
  EXPECT_FALSE(is_harmed());
}

TEST_F(FaultyDevice, AnOverrunIsFoundByTheSystem) {
  tell("overrun16_collect");
  const auto block = ask();
  EXPECT_FALSE(BlockView::parse(block)->objects().next()) << "its data is left out";
  EXPECT_EQ(face_.events().at(0), (Event{u"Faulty", 1001}));
  EXPECT_TRUE(provider_->key.disabled);
}

TEST_F(FaultyDevice, AnExceptionLeavesTheProvider) {
  tell("cxx_collect");
  std::vector<std::byte> buffer(4'000);
  std::size_t size = 0;
  EXPECT_THROW(face_.query_value(u"3000", buffer, size), std::runtime_error);
}

TEST_F(FaultyDevice, ItsPartsAreWrongWhereItIsTold) {
  const auto honest = ask(u"3006");
  EXPECT_NE(honest, ask(u"3000"));
  tell("counters_zero_data");
  EXPECT_NE(ask(u"3006"), honest);
  tell("counters_zero_collect");
  EXPECT_EQ(ask(u"3006"), honest);
}

TEST_F(FaultyDevice, ItsNamesAndItsRegistrationChange) {
  const auto names = provider_->names();
  tell("gone_names");
  EXPECT_THAT(provider_->names(), IsEmpty());
  tell("other_names");
  EXPECT_EQ(provider_->names().at(0).second, u"Other Device");
  tell("moved_names");
  EXPECT_EQ(provider_->names().at(0).first, kFaultyObject + 200);
  tell("gone_key");
  EXPECT_EQ(provider_->names(), names) << "they stay in the table";
  EXPECT_FALSE(provider_->is_registered());
  const auto block = ask();
  EXPECT_FALSE(BlockView::parse(block)->objects().next());
}

TEST_F(FaultyDevice, WordsThatDoNotExistAreNoHarm) {
  EXPECT_FALSE(faulty::perform("kindness"));
  EXPECT_THAT(faulty::words(), ::testing::SizeIs(22));
  EXPECT_TRUE(faulty::perform("overrun16")) << "without a buffer, nothing happens";
}

}  // namespace
}  // namespace winperf::simulator
