// What a worker answers when it is asked for facts, and what its parent makes of it.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/facts/fact_source.h"
#include "collectors/worker/serve.h"

namespace winperf::worker {
namespace {

class ToldFacts final : public FactSource {
 public:
  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    asked = request;
    return answer;
  }

  FactRequest asked;
  std::expected<FactTable, Error> answer;
};

class ServeFactsTest : public ::testing::Test {
 protected:
  std::expected<std::string, Error> ask(WorkerService& service, std::string_view text) {
    EXPECT_TRUE(write_request(
        memory_, {.operation = Operation::kFacts, .sequence = 7, .text = std::string(text)}));
    EXPECT_TRUE(service.answer(memory_));
    const auto reply = read_reply(memory_, 7);
    EXPECT_TRUE(reply);
    EXPECT_EQ(reply->parts.size(), 1U);
    const auto& part = reply->parts.front();
    if (!part) return std::unexpected(part.error());
    return std::string(reinterpret_cast<const char*>(part->data()), part->size());
  }

  std::vector<std::byte> memory_ = std::vector<std::byte>(kHeadBytes + 4096);
  ToldFacts facts_;
  WorkerService service_{nullptr, nullptr, &facts_};
};

TEST_F(ServeFactsTest, Facts_AreATableAsText) {
  FactTable table;
  table.add().text("file", "a.prom").number("mtime", 1.5);
  facts_.answer = table;
  const auto text = ask(service_, "textfile\nC:\\a\nD:\\b");
  ASSERT_TRUE(text);
  EXPECT_EQ(parse_fact_text(*text), table);
  EXPECT_EQ(facts_.asked,
            (FactRequest{.topic = FactTopic::kTextfile, .folders = {"C:\\a", "D:\\b"}}));
}

TEST_F(ServeFactsTest, AnError_IsThatOfTheSource) {
  facts_.answer = std::unexpected(Error{.code = ErrorCode::kAccessDenied, .os_code = 5});
  const auto text = ask(service_, "services");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kAccessDenied);
  EXPECT_EQ(text.error().os_code, 5U);
}

TEST_F(ServeFactsTest, WhatDoesNotFit_IsAnError) {
  FactTable table;
  table.add().text("name", std::string(5000, 'x'));
  facts_.answer = table;
  const auto text = ask(service_, "services");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kBufferLimit);
}

TEST_F(ServeFactsTest, AnUnknownTopic_AndAWorkerWithoutFacts_AreUnsupported) {
  EXPECT_EQ(ask(service_, "nosuch").error().code, ErrorCode::kUnsupported);
  WorkerService none(nullptr, nullptr);
  EXPECT_EQ(ask(none, "services").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace winperf::worker
