#include "collectors/sampling/perflib/perflib_session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "collectors/base/os_code.h"
#include "tests/simulator/v2_bytes.h"

namespace winperf {
namespace {

constexpr std::size_t kStatusAt = 16;  // in PERF_COUNTER_IDENTIFIER

v2::CounterRequest counter(std::uint32_t id, std::u16string instance = u"*") {
  return {.counterset = {}, .counter_id = id, .instance_name = std::move(instance)};
}

// A system whose result for a counter is an error with the status 1000 + its id, so that a test can
// tell results apart. Results come in the reverse of the order of adding.
class FakePerflib final : public PerflibApi {
 public:
  std::vector<v2::CounterRequest> added;
  std::map<std::uint32_t, OsCode> refused;  // by counter id
  OsCode data_status = OsCode::kSuccess;
  OsCode remove_status = OsCode::kSuccess;
  bool spoils_data = false;
  int opened = 0, closed = 0, asked = 0, listed = 0;

  std::uint32_t enumerate_countersets(const std::u16string&, std::span<Guid>,
                                      std::uint32_t&) override {
    return value_of(OsCode::kNotSupported);
  }
  std::uint32_t enumerate_instances(const std::u16string&, const Guid&, Bytes,
                                    std::uint32_t&) override {
    return value_of(OsCode::kNotSupported);
  }
  std::uint32_t query_registration(const std::u16string&, const Guid&, RegistrationInfo,
                                   std::uint32_t, Bytes, std::uint32_t&) override {
    return value_of(OsCode::kNotSupported);
  }
  std::uint32_t open_query(const std::u16string&, PerflibHandle& query) override {
    query = PerflibHandle{static_cast<std::uintptr_t>(++opened)};
    added.clear();
    return 0;
  }
  std::uint32_t close_query(PerflibHandle) override {
    ++closed;
    return 0;
  }
  std::uint32_t query_counter_info(PerflibHandle, Bytes buffer, std::uint32_t& actual) override {
    ++listed;
    const std::vector<v2::CounterRequest> reversed(added.rbegin(), added.rend());
    return deliver(simulator::identifier_list(reversed), buffer, actual);
  }
  std::uint32_t query_counter_data(PerflibHandle, Bytes buffer, std::uint32_t& actual) override {
    ++asked;
    if (data_status != OsCode::kSuccess) return value_of(data_status);
    std::vector<simulator::Bytes> results;
    for (auto request = added.rbegin(); request != added.rend(); ++request)
      results.push_back(simulator::error_result(1000 + request->counter_id));
    simulator::Bytes reply = simulator::data_reply({}, results);
    if (spoils_data) reply.resize(10);
    return deliver(reply, buffer, actual);
  }
  std::uint32_t add_counters(PerflibHandle, Bytes identifiers) override {
    const v2::CounterRequest request = v2::parse_identifiers(identifiers).all.at(0).request;
    const auto found = refused.find(request.counter_id);
    const OsCode status = found == refused.end() ? OsCode::kSuccess : found->second;
    if (status == OsCode::kSuccess) added.push_back(request);
    std::memcpy(identifiers.data() + kStatusAt, &status, sizeof status);
    return 0;
  }
  std::uint32_t delete_counters(PerflibHandle, Bytes identifiers) override {
    if (remove_status == OsCode::kSuccess)
      std::erase(added, v2::parse_identifiers(identifiers).all.at(0).request);
    return value_of(remove_status);
  }

 private:
  static std::uint32_t deliver(const simulator::Bytes& reply, Bytes buffer, std::uint32_t& actual) {
    actual = static_cast<std::uint32_t>(reply.size());
    if (reply.size() > buffer.size()) return value_of(OsCode::kNotEnoughMemory);
    std::ranges::copy(reply, buffer.begin());
    return 0;
  }
};

class SessionTest : public ::testing::Test {
 protected:
  std::uint32_t status(PerflibSession::Ticket ticket) {
    const auto answer = session_.answer(ticket);
    return answer ? answer->result.status() : 0;
  }
  ErrorCode error(PerflibSession::Ticket ticket) {
    const auto answer = session_.answer(ticket);
    EXPECT_FALSE(answer);
    return answer ? ErrorCode::kTruncated : answer.error().code;
  }

  FakePerflib api_;
  PerflibClient client_{api_, {}};
  PerflibSession session_{client_};
};

TEST_F(SessionTest, OneCallAnswersARoundAndEachRequestGetsItsResult) {
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  EXPECT_EQ(status(first), 1001U);
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.asked, 1);
  session_.begin_round();
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.asked, 2);
  EXPECT_EQ(api_.listed, 1) << "nothing has changed";
}

TEST_F(SessionTest, EqualRequestsShareATicketUntilBothAreWithdrawn) {
  const auto one = session_.subscribe(counter(1, u"a*"));
  EXPECT_EQ(session_.subscribe(counter(1, u"A*")), one) << "names have no case";
  EXPECT_NE(session_.subscribe(counter(1, u"b*")), one);
  status(one);
  session_.unsubscribe(one);
  EXPECT_EQ(api_.added.size(), 2U);
  session_.unsubscribe(one);
  EXPECT_EQ(api_.added.size(), 1U);
}

TEST_F(SessionTest, ARefusedRequestCostsOnlyItselfAndIsTriedAgain) {
  api_.refused[2] = OsCode::kPathNotFound;
  const auto good = session_.subscribe(counter(1));
  const auto bad = session_.subscribe(counter(2));
  EXPECT_EQ(status(good), 1001U);
  EXPECT_EQ(error(bad), ErrorCode::kNotRunning);
  api_.refused.clear();
  session_.begin_round();
  EXPECT_EQ(status(bad), 1002U);
  EXPECT_EQ(status(good), 1001U);
}

TEST_F(SessionTest, AFailedHandleIsOpenedAgainInTheNextRound) {
  const auto ticket = session_.subscribe(counter(1));
  api_.data_status = OsCode::kAccessDenied;
  EXPECT_EQ(error(ticket), ErrorCode::kAccessDenied);
  EXPECT_EQ(api_.closed, 1);
  EXPECT_EQ(error(ticket), ErrorCode::kAccessDenied);
  EXPECT_EQ(api_.asked, 1) << "not again in the same round";
  api_.data_status = OsCode::kSuccess;
  session_.begin_round();
  EXPECT_EQ(status(ticket), 1001U);
  EXPECT_EQ(api_.opened, 2);
}

TEST_F(SessionTest, ACorruptAnswerLeavesTheHandleOpen) {
  const auto ticket = session_.subscribe(counter(1));
  api_.spoils_data = true;
  EXPECT_EQ(error(ticket), ErrorCode::kTruncated);
  api_.spoils_data = false;
  session_.begin_round();
  EXPECT_EQ(status(ticket), 1001U);
  EXPECT_EQ(api_.opened, 1);
}

TEST_F(SessionTest, AHandleThatKeepsARequestIsReplaced) {
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  status(first);
  api_.remove_status = OsCode::kInvalidParameter;
  session_.unsubscribe(first);
  EXPECT_EQ(api_.closed, 1);
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.added.size(), 1U);
}

}  // namespace
}  // namespace winperf
