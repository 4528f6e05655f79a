#include "collectors/remote/remote_link.h"

#include <gmock/gmock.h>

#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf {
namespace {

using ::testing::SizeIs;
using worker::Operation;

class RemoteLinkTest : public worker::FakeWorkerTest {
 protected:
  std::shared_ptr<worker::Worker> shared_ = std::make_shared<worker::Worker>(machine_.options());
  RemoteLink a_{shared_, "a"};
  RemoteLink b_{shared_, "b"};

  const worker::Request kRequest{.operation = Operation::kQuery, .text = "2"};
};

TEST_F(RemoteLinkTest, IsTheWorkersCaller) {
  EXPECT_FALSE(a_.is_running());
  ASSERT_TRUE(a_.call(kRequest, "2", {}));
  EXPECT_TRUE(a_.is_running());
  EXPECT_EQ(a_.generation(), 1U);
  EXPECT_EQ(a_.machine(), "a");
}

TEST_F(RemoteLinkTest, AfterALoss_AsksNothingMoreInThatRound) {
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

TEST_F(RemoteLinkTest, OneMachinesLossIsNoOthers) {
  crash();
  EXPECT_FALSE(a_.call(kRequest, "2", {}));
  answer();
  EXPECT_TRUE(b_.call(kRequest, "2", {})) << "the same call, of another machine, rests not";
}

TEST_F(RemoteLinkTest, AnErrorInTheReply_IsNoLoss) {
  machine_.provider = [](worker::FakeProcess& process, const worker::Request&) {
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

TEST_F(RemoteLinkTest, WhatCanNotBeConnectedTo_IsAskedOnceInARound) {
  machine_.provider = [](worker::FakeProcess& process, const worker::Request&) {
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

TEST_F(RemoteLinkTest, AProcessThatEndedBeforeTheCall_IsNoLossOfTheMachine) {
  ASSERT_TRUE(a_.call(kRequest, "2", {}));
  machine_.running->crash(11);
  EXPECT_TRUE(b_.call(kRequest, "2", {}));
  EXPECT_EQ(b_.losses(), 0U);
  EXPECT_EQ(lost_processes(shared_->state()), 1U);
}

}  // namespace
}  // namespace winperf
