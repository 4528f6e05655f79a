#include "collectors/capture/recorder.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/collectors/sampling/perflib/fake_perflib.h"

namespace winperf::capture {
namespace {

constexpr RegistrationInfo kInfo = RegistrationInfo::kCounterset;

class RecordingPerflibTest : public ::testing::Test {
 protected:
  RecordingPerflibTest() { fake_.countersets.push_back({.guid = kGuid}); }

  // What was heard of, if a registration is asked for with room for so many bytes.
  std::vector<simulator::Bytes> heard(std::size_t room, std::uint32_t& code) {
    std::vector<simulator::Bytes> all;
    RecordingPerflib perflib(fake_, [&](const Guid& counterset, RegistrationInfo info,
                                        std::uint32_t argument, std::span<const std::byte> reply) {
      EXPECT_EQ(counterset, kGuid);
      EXPECT_EQ(info, kInfo);
      EXPECT_EQ(argument, 7u);
      all.emplace_back(reply.begin(), reply.end());
    });
    std::uint32_t actual = 0;
    code = perflib.query_registration({}, kGuid, kInfo, 7, std::span(buffer_).first(room), actual);
    return all;
  }

  static constexpr Guid kGuid{.bytes = {1}};
  testing::FakePerflib fake_;
  std::array<std::byte, 4096> buffer_{};
};

TEST_F(RecordingPerflibTest, HearsOfEachRegistrationThatIsRead) {
  std::uint32_t code = 1;
  const auto all = heard(buffer_.size(), code);
  EXPECT_EQ(code, 0u);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0], simulator::counterset_info(fake_.countersets[0]));
}

TEST_F(RecordingPerflibTest, HearsOfNoneThatIsRefusedOrDoesNotFit) {
  std::uint32_t code = 0;
  EXPECT_TRUE(heard(1, code).empty());
  EXPECT_EQ(code, value_of(OsCode::kNotEnoughMemory));
  fake_.refused_infos[kInfo] = OsCode::kAccessDenied;
  EXPECT_TRUE(heard(buffer_.size(), code).empty());
  EXPECT_EQ(code, value_of(OsCode::kAccessDenied));
}

}  // namespace
}  // namespace winperf::capture
