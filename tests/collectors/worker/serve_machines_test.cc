// What a worker answers when it is asked about other machines.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "collectors/worker/serve.h"

namespace winperf::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// What the machines of a test were asked, in words.
using Notes = std::vector<std::string>;

class NotingMachine final : public CounterSource {
 public:
  NotingMachine(std::string name, Notes& notes) : name_(std::move(name)), notes_(notes) {}

  std::expected<winperf::Reply, Error> query(std::string_view value_name, StopToken) override {
    note("query " + std::string(value_name));
    return winperf::Reply{.blocks = {Bytes(name_.size())}};
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override {
    note("text_tables");
    return {Bytes(2), std::unexpected(Error{.code = ErrorCode::kNoSuchName})};
  }
  bool supports_metadata() override { return name_ == "new"; }
  std::uint64_t provider_generation() override { return name_.size() << 32; }
  void release() override { note("release"); }

 private:
  void note(const std::string& what) { notes_.push_back(name_ + ' ' + what); }

  const std::string name_;
  Notes& notes_;
};

class ServeMachinesTest : public ::testing::Test {
 protected:
  Reply ask(Operation operation, std::string_view machine, std::string_view text = "") {
    EXPECT_TRUE(write_request(memory_, {.operation = operation,
                                        .sequence = ++sequence_,
                                        .text = std::string(text),
                                        .whose = std::string(machine)}));
    EXPECT_EQ(service_.answer(memory_), operation != Operation::kEnd);
    auto reply = read_reply(memory_, sequence_);
    EXPECT_TRUE(reply);
    return reply.value_or(Reply{});
  }
  Error error_of(Operation operation, std::string_view machine) {
    const Reply reply = ask(operation, machine);
    EXPECT_THAT(reply.parts, SizeIs(1));
    return reply.parts.empty() || reply.parts.front() ? Error{} : reply.parts.front().error();
  }

  std::vector<std::byte> memory_ = std::vector<std::byte>(kHeadBytes + 4096);
  std::uint64_t sequence_ = 0;
  Notes notes_;
  std::size_t made_ = 0;
  WorkerService service_{
      nullptr, nullptr, nullptr,
      [this](
          const std::string& name) -> std::expected<std::unique_ptr<CounterSource>, SourceError> {
        ++made_;
        if (name == "bad")
          return std::unexpected(SourceError{.code = ErrorCode::kBadText, .text = ""});
        return std::make_unique<NotingMachine>(name, notes_);
      }};
};

TEST_F(ServeMachinesTest, EachMachineHasASourceThatStays) {
  EXPECT_EQ(ask(Operation::kQuery, "a", "2").parts.front()->size(), 1U);
  EXPECT_EQ(ask(Operation::kQuery, "bb", "4").parts.front()->size(), 2U);
  const Reply tables = ask(Operation::kTextTables, "a");
  ASSERT_THAT(tables.parts, SizeIs(2));
  EXPECT_TRUE(tables.parts[0]);
  EXPECT_FALSE(tables.parts[1]);
  EXPECT_EQ(made_, 2U);
  EXPECT_THAT(notes_, ElementsAre("a query 2", "bb query 4", "a text_tables"));
}

TEST_F(ServeMachinesTest, ALookTellsOfProvidersAndMetadata) {
  const Reply with = ask(Operation::kInspect, "new");
  EXPECT_EQ(with.number, 3ULL << 32);
  ASSERT_THAT(with.parts, SizeIs(1));
  EXPECT_THAT(*with.parts.front(), ElementsAre(std::byte{1}));
  EXPECT_THAT(*ask(Operation::kInspect, "older").parts.front(), ElementsAre(std::byte{0}));
}

TEST_F(ServeMachinesTest, ReleaseIsThatOfOneMachine_EndThatOfAll) {
  ask(Operation::kQuery, "a", "2");
  ask(Operation::kQuery, "bb", "2");
  notes_.clear();
  EXPECT_THAT(ask(Operation::kRelease, "a").parts, IsEmpty());
  EXPECT_THAT(notes_, ElementsAre("a release"));
  ask(Operation::kRelease, "unknown");
  EXPECT_EQ(made_, 2U) << "what nobody has asked about has nothing open";
  ask(Operation::kEnd, "");
  EXPECT_THAT(notes_, ElementsAre("a release", "bb release"));
}

TEST_F(ServeMachinesTest, ANameThatCanNotBeOne_IsAnErrorEachTime) {
  const Error expected{.code = ErrorCode::kBadText, .where = kConnecting};
  EXPECT_EQ(error_of(Operation::kQuery, "bad"), expected);
  EXPECT_EQ(error_of(Operation::kInspect, "bad"), expected);
  EXPECT_EQ(made_, 2U);
}

TEST_F(ServeMachinesTest, WithoutAMachine_TheRegistryIsMeant) {
  EXPECT_EQ(error_of(Operation::kQuery, ""),
            (Error{.code = ErrorCode::kUnsupported, .where = "registry.query"}));
}

TEST(NamedSources, AreBounded) {
  Notes notes;
  NamedSources machines([&](const std::string& name) {
    return std::expected<std::unique_ptr<CounterSource>, SourceError>(
        std::make_unique<NotingMachine>(name, notes));
  });
  for (std::size_t i = 0; i < NamedSources::kMax; ++i)
    ASSERT_TRUE(machines.source_of(std::to_string(i)));
  const auto further = machines.source_of("further");
  ASSERT_FALSE(further);
  EXPECT_EQ(further.error().code, ErrorCode::kLimitExceeded);
  EXPECT_TRUE(machines.source_of("7")) << "those that are known go on";
  machines.release();
  EXPECT_TRUE(machines.source_of("further"));
}

TEST(NamedSources, OfAWorkerForThisOneAreNone) {
  NamedSources none({});
  EXPECT_EQ(none.source_of("a").error(),
            (Error{.code = ErrorCode::kUnsupported, .where = kConnecting}));
}

}  // namespace
}  // namespace winperf::worker
