#include "collectors/worker/worker_source.h"

#include <gmock/gmock.h>

#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using ::testing::SizeIs;

class WorkerLinkTest : public FakeWorkerTest {
 protected:
  std::shared_ptr<Worker> shared_ = std::make_shared<Worker>(machine_.options());
  WorkerLink a_{shared_, "a"};
  WorkerLink b_{shared_, "b"};

  const Request kRequest{.operation = Operation::kQuery, .text = "2"};
};

TEST_F(WorkerLinkTest, NamesItsMachineInEachCall) {
  ASSERT_TRUE(a_.call(kRequest, "2", {}));
  ASSERT_TRUE(b_.call(kRequest, "2", {}));
  ASSERT_THAT(machine_.asked, SizeIs(2));
  EXPECT_EQ(machine_.asked[0].whose, "a");
  EXPECT_EQ(machine_.asked[1].whose, "b");
  EXPECT_TRUE(a_.is_shared());
  EXPECT_EQ(&a_.worker(), shared_.get());
}

TEST_F(WorkerLinkTest, ToAWorkerOfItsOwn_IsNothingButTheWorker) {
  WorkerLink own(machine_.options());
  EXPECT_FALSE(own.is_shared());
  crash();
  EXPECT_FALSE(own.call(kRequest, "2", {}));
  answer();
  EXPECT_TRUE(own.call({.operation = Operation::kQuery, .text = "4"}, "4", {}))
      << "in the same round";
  EXPECT_FALSE(own.call(kRequest, "2", {})) << "it rests";
  EXPECT_EQ(machine_.asked.back().whose, "");
}

TEST_F(WorkerLinkTest, AfterALoss_AsksNothingMoreInThatRound) {
  crash();
  const auto lost = a_.call(kRequest, "2", {});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kWorkerCrashed);
  EXPECT_EQ(a_.losses(), 1U);
  answer();
  const auto same = a_.call({.operation = Operation::kQuery, .text = "4"}, "4", {});
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error(), lost.error());
  EXPECT_THAT(machine_.asked, SizeIs(1));
  a_.begin_round();
  EXPECT_TRUE(a_.call({.operation = Operation::kQuery, .text = "4"}, "4", {}));
}

TEST_F(WorkerLinkTest, OneMachinesLossIsNoOthers) {
  crash();
  EXPECT_FALSE(a_.call(kRequest, "2", {}));
  answer();
  EXPECT_TRUE(b_.call(kRequest, "2", {})) << "the same call, of another machine, rests not";
}

TEST_F(WorkerLinkTest, AnErrorInTheReply_IsNoLoss) {
  machine_.provider = [](FakeProcess& process, const Request&) {
    process.reply({std::unexpected(Error{.code = ErrorCode::kAccessDenied})});
  };
  EXPECT_FALSE(a_.failure());
  const auto refused = a_.call(kRequest, "2", {});
  ASSERT_TRUE(refused);
  EXPECT_EQ(a_.failure(), (Error{.code = ErrorCode::kAccessDenied}));
  answer();
  const auto next = a_.call(kRequest, "2", {});
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->parts.front());
  EXPECT_FALSE(a_.failure());
}

TEST_F(WorkerLinkTest, WhatCanNotBeConnectedTo_IsAskedOnceInARound) {
  machine_.provider = [](FakeProcess& process, const Request&) {
    process.reply({std::unexpected(
        Error{.code = ErrorCode::kOsError, .where = "remote.connect", .os_code = 53})});
  };
  ASSERT_TRUE(a_.call(kRequest, "2", {}));
  const auto same = a_.call({.operation = Operation::kQuery, .text = "4"}, "4", {});
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().os_code, 53U);
  EXPECT_THAT(machine_.asked, SizeIs(1));
  EXPECT_EQ(a_.losses(), 0U);
  a_.begin_round();
  EXPECT_TRUE(a_.call(kRequest, "2", {}));
}

TEST_F(WorkerLinkTest, AProcessThatEndedBeforeTheCall_IsNoLossOfTheMachine) {
  ASSERT_TRUE(a_.call(kRequest, "2", {}));
  machine_.running->crash(11);
  EXPECT_TRUE(b_.call(kRequest, "2", {}));
  EXPECT_EQ(b_.losses(), 0U);
  EXPECT_EQ(lost_processes(shared_->state()), 1U);
}

}  // namespace
}  // namespace winperf::worker
