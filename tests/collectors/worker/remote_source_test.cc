#include "collectors/worker/worker_source.h"

#include <gmock/gmock.h>

#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Error kRefused{.code = ErrorCode::kAccessDenied, .where = "remote.connect", .os_code = 5};

class RemoteSourceTest : public FakeWorkerTest {
 protected:
  using Part = std::expected<std::vector<std::byte>, Error>;

  // What the machine answers to each operation.
  void answer_with(std::initializer_list<Part> parts, std::uint64_t number = 0) {
    machine_.provider = [parts = std::vector(parts), number](FakeProcess& process,
                                                             const Request& request) {
      if (request.operation == Operation::kRelease) return process.reply({});
      switch (parts.size()) {
        case 0:
          return process.reply_with(number, {});
        case 1:
          return process.reply_with(number, {parts[0]});
        default:
          return process.reply_with(number, {parts[0], parts[1]});
      }
    };
  }
  std::vector<Operation> operations() const {
    std::vector<Operation> operations;
    for (const Request& request : machine_.asked) operations.push_back(request.operation);
    return operations;
  }

  std::shared_ptr<Worker> shared_ = std::make_shared<Worker>(machine_.options());
  WorkerSource source_{std::make_shared<WorkerLink>(shared_, "srv-1"),
                       [this] { return machine_.now; }};
};

TEST_F(RemoteSourceTest, AQuery_NamesTheMachine) {
  answer_with({bytes(5)});
  const auto reply = source_.query("238 2", {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->blocks, ElementsAre(bytes(5)));
  ASSERT_THAT(machine_.asked, SizeIs(1));
  const Request& request = machine_.asked.front();
  EXPECT_EQ(request.operation, Operation::kQuery);
  EXPECT_EQ(request.text, "238 2");
  EXPECT_EQ(request.whose, "srv-1");
  EXPECT_TRUE(source_.is_live());
  EXPECT_EQ(source_.machine(), "");
}

TEST_F(RemoteSourceTest, ARefusal_IsTheMachinesError) {
  answer_with({std::unexpected(kRefused)});
  const auto reply = source_.query("2", {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), kRefused);
}

TEST_F(RemoteSourceTest, TextTables_AreOneForEachCandidate) {
  answer_with({bytes(3), std::unexpected(kRefused)});
  const auto tables = source_.text_tables(TextTable::kHelp, Language::kMachine);
  ASSERT_THAT(tables, SizeIs(2));
  EXPECT_EQ(tables[0].value(), bytes(3));
  EXPECT_EQ(tables[1].error(), kRefused);
  const auto& numbers = machine_.asked.front().numbers;
  EXPECT_EQ(numbers[0], static_cast<std::uint32_t>(TextTable::kHelp));
  EXPECT_EQ(numbers[1], static_cast<std::uint32_t>(Language::kMachine));
}

TEST_F(RemoteSourceTest, Metadata_IsLookedForOnceAMinute) {
  answer_with({bytes(1, 1)}, 7);
  EXPECT_TRUE(source_.supports_metadata());
  answer_with({bytes(1, 0)}, 9);
  machine_.now += 59s;
  EXPECT_TRUE(source_.supports_metadata());
  machine_.now += 1s;
  EXPECT_FALSE(source_.supports_metadata());
  EXPECT_THAT(operations(), ElementsAre(Operation::kInspect, Operation::kInspect));
}

TEST_F(RemoteSourceTest, ProviderGeneration_IsAskedOfMachinesThatAnswerAlone) {
  EXPECT_EQ(source_.provider_generation(), 0U);
  EXPECT_THAT(machine_.asked, IsEmpty());
  answer_with({bytes(1)}, 7);
  ASSERT_TRUE(source_.query("2", {}));
  EXPECT_EQ(source_.provider_generation(), 0U) << "the first number is no change";
  answer_with({bytes(1)}, 9);
  machine_.now += 1min;
  EXPECT_EQ(source_.provider_generation(), 2U);
  answer_with({std::unexpected(kRefused)});
  machine_.now += 1min;
  EXPECT_EQ(source_.provider_generation(), 2U) << "no answer is no other number";
  source_.set_stop({});
  ASSERT_FALSE(source_.query("2", {}));
  const auto before = machine_.asked.size();
  machine_.now += 1min;
  EXPECT_EQ(source_.provider_generation(), 2U);
  EXPECT_EQ(machine_.asked.size(), before);
  answer_with({bytes(1)}, 0);
  source_.set_stop({});
  ASSERT_TRUE(source_.query("2", {}));
  EXPECT_EQ(source_.provider_generation(), 2U) << "0 means that the machine didn't tell";
}

TEST_F(RemoteSourceTest, ALook_BelievesNothingElseThanOneByte) {
  for (const std::size_t size : {0U, 2U, 100U}) {
    answer_with({bytes(size)}, 7);
    EXPECT_FALSE(source_.supports_metadata()) << size;
    machine_.now += 1min;
  }
  answer_with({bytes(1), bytes(1)}, 7);
  EXPECT_FALSE(source_.supports_metadata());
}

TEST_F(RemoteSourceTest, Release_ClosesWhatIsOpenInThatProcessAlone) {
  source_.release();
  EXPECT_THAT(machine_.started, IsEmpty()) << "nothing is open";
  answer_with({bytes(5)});
  ASSERT_TRUE(source_.query("2", {}));
  source_.release();
  EXPECT_THAT(operations(), ElementsAre(Operation::kQuery, Operation::kRelease));
  source_.release();
  EXPECT_THAT(machine_.asked, SizeIs(2)) << "once";
  ASSERT_TRUE(source_.query("2", {}));
  shared_->finish();
  source_.release();
  EXPECT_THAT(machine_.started, SizeIs(1)) << "the handle has ended with its process";
}

TEST_F(RemoteSourceTest, ARound_BeginsWithItsStopToken) {
  crash();
  EXPECT_FALSE(source_.query("2", {}));
  answer_with({bytes(5)});
  EXPECT_FALSE(source_.query("4", {})) << "in the same round";
  source_.set_stop({});
  EXPECT_TRUE(source_.query("4", {}));
}

}  // namespace
}  // namespace winperf::worker
