#include "exporter/http/connection.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::StartsWith;
using Stage = Connection::Stage;

constexpr char kWholeRequest[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

class ConnectionTest : public ::testing::Test {
 protected:
  // The status of the refusal of the next request; 0 for a request; -1 if there is none yet.
  int take(Connection& connection) {
    const auto request = connection.take_request(now_);
    if (!request) return -1;
    return *request ? 0 : request->error().status;
  }
  int after(const std::string& bytes) {
    Connection connection(limits_, now_);
    connection.receive(bytes, now_);
    return take(connection);
  }
  static Answer answer(const std::string& head, SharedText body = {}) {
    Answer answer;
    answer.head = head;
    answer.body = std::move(body);
    return answer;
  }
  // Sends in steps of so many bytes while the connection has something to send.
  std::string send_all(Connection& connection, std::size_t step = 1000) {
    std::string sent;
    while (connection.stage() == Stage::kSending) {
      const std::string piece(connection.to_send().substr(0, step));
      EXPECT_FALSE(piece.empty());
      sent += piece;
      connection.sent(piece.size(), now_);
    }
    return sent;
  }

  // Has the beginning of an answer without an end.
  std::shared_ptr<AnswerStream> follow(Connection& connection) {
    auto stream = std::make_shared<AnswerStream>();
    connection.receive(kWholeRequest, now_);
    EXPECT_EQ(take(connection), 0);
    connection.answer({.head = "head", .body = {}, .stream = stream}, now_);
    EXPECT_TRUE(connection.has_stream());
    EXPECT_TRUE(connection.closes());
    EXPECT_EQ(send_all(connection), "head");
    return stream;
  }

  ConnectionLimits limits_;
  Connection::Time now_{seconds(1000)};
};

TEST_F(ConnectionTest, ARequest_IsTakenOnceAndAnswered) {
  Connection connection(limits_, now_);
  EXPECT_EQ(connection.stage(), Stage::kIdle);
  EXPECT_EQ(take(connection), -1);
  connection.receive(kWholeRequest, now_);
  EXPECT_EQ(connection.stage(), Stage::kRequest);
  EXPECT_EQ(take(connection), 0);
  EXPECT_EQ(connection.stage(), Stage::kAnswering);
  EXPECT_EQ(take(connection), -1);
  connection.answer(answer("head\r\n\r\n", "body"), now_);
  EXPECT_EQ(send_all(connection), "head\r\n\r\nbody");
  EXPECT_EQ(connection.stage(), Stage::kIdle);
  EXPECT_TRUE(connection.was_used());
}

TEST_F(ConnectionTest, ARequestInPieces_IsTakenWhenItIsWhole) {
  Connection connection(limits_, now_);
  const std::string bytes = "\r\nPOST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(take(connection), -1) << i;
    connection.receive(bytes.substr(i, 1), now_);
  }
  EXPECT_EQ(take(connection), 0);
}

TEST_F(ConnectionTest, RequestsAtOnce_AreAnsweredInTheirOrder) {
  Connection connection(limits_, now_);
  connection.receive(
      "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPOST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n"
      "GET GET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /4",
      now_);
  for (const char* expected : {"/1", "/2", "/3"}) {
    const auto request = connection.take_request(now_);
    ASSERT_TRUE(request && *request) << expected;
    EXPECT_EQ((*request)->target, expected);
    EXPECT_FALSE(connection.take_request(now_));
    connection.answer(answer(expected), now_);
    EXPECT_EQ(send_all(connection), expected);
  }
  EXPECT_EQ(connection.stage(), Stage::kEnding);
  EXPECT_EQ(take(connection), -1);
}

TEST_F(ConnectionTest, ALongAnswer_IsSentInTheOrderOfItsPieces) {
  for (const std::size_t step : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
    Connection connection(limits_, now_);
    connection.receive(kWholeRequest, now_);
    ASSERT_EQ(take(connection), 0);
    SharedText body(std::string(9000, 'a'));
    body.add(std::string(10, 'b'));
    connection.answer(answer("head", body), now_);
    EXPECT_EQ(send_all(connection, step), "head" + body.str());
  }
}

TEST_F(ConnectionTest, ASmallBody_GoesOutWithItsHead) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{8192}, std::size_t{8193}}) {
    Connection connection(limits_, now_);
    connection.receive(kWholeRequest, now_);
    ASSERT_EQ(take(connection), 0);
    connection.answer(answer("head", std::string(bytes, 'x')), now_);
    EXPECT_EQ(connection.to_send().size(), bytes > 8192 ? 4 : 4 + bytes);
  }
}

TEST_F(ConnectionTest, WhatIsSent_IsCountedAndAScrapeOnceItIsWhole) {
  SentAnswers counts;
  Connection connection(limits_, now_, false, &counts);
  const auto answer_with = [&](Answer answer) {
    connection.receive(kWholeRequest, now_);
    ASSERT_EQ(take(connection), 0);
    connection.answer(std::move(answer), now_);
  };
  answer_with(answer("head", "body"));
  EXPECT_EQ(send_all(connection), "headbody");
  EXPECT_EQ(counts.bytes, 8U);
  EXPECT_EQ(counts.scrapes, 0U);

  Answer scrape = answer("head", SharedText(std::string(20'000, 'x')));
  scrape.scrape = Answer::Scrape{.time = milliseconds(7), .bytes = scrape.body.size()};
  answer_with(std::move(scrape));
  connection.sent(connection.to_send().size(), now_);
  EXPECT_EQ(counts.bytes, 12U);
  EXPECT_EQ(counts.scrapes, 0U) << "the body isn't out";
  send_all(connection);
  EXPECT_EQ(counts.bytes, 20'012U);
  EXPECT_EQ(counts.scrapes, 1U);
  EXPECT_EQ(counts.scrape_bytes, 20'000U);
  EXPECT_EQ(counts.scrape_time, milliseconds(7));

  answer_with(answer("head"));
  send_all(connection);
  EXPECT_EQ(counts.scrapes, 1U) << "counted once";
}

TEST_F(ConnectionTest, AWaitingAnswer_DoesNotRead) {
  Connection connection(limits_, now_);
  EXPECT_TRUE(connection.reads());
  connection.receive(kWholeRequest, now_);
  EXPECT_TRUE(connection.reads());
  ASSERT_EQ(take(connection), 0);
  EXPECT_FALSE(connection.reads());
  connection.answer(answer("x"), now_);
  EXPECT_FALSE(connection.reads());
}

TEST_F(ConnectionTest, WhatIsNoRequest_IsRefusedAtOnceAndEndsTheConnection) {
  EXPECT_EQ(after("\x16\x03\x01"), 400);
  EXPECT_EQ(after("GET / HTTP/1.1\n"), 400);
  EXPECT_EQ(after("GET / HTTP/1.1\r\n\r\n"), 400);
  Connection behind_an_empty_line(limits_, now_);
  behind_an_empty_line.receive("\r", now_);
  EXPECT_EQ(take(behind_an_empty_line), -1);
  behind_an_empty_line.receive("\n\x16", now_);
  EXPECT_EQ(take(behind_an_empty_line), 400);
  Connection connection(limits_, now_);
  connection.receive("BREW / HTTP/1.1\r\nHost: x\r\n\r\n" + std::string(kWholeRequest), now_);
  EXPECT_EQ(take(connection), 501);
  EXPECT_TRUE(connection.closes());
  connection.answer(answer("no"), now_);
  EXPECT_EQ(send_all(connection), "no");
  EXPECT_EQ(connection.stage(), Stage::kEnding);
}

// Some clients send one behind a body. It must not begin a request that never goes on.
TEST_F(ConnectionTest, EmptyLinesBetweenRequests_AreNothing) {
  Connection connection(limits_, now_);
  connection.receive(std::string(kWholeRequest) + "\r\n", now_);
  ASSERT_EQ(take(connection), 0);
  connection.answer(answer("x"), now_);
  send_all(connection);
  EXPECT_EQ(connection.stage(), Stage::kIdle);
  connection.receive("\r\n", now_);
  EXPECT_EQ(connection.stage(), Stage::kIdle);
  EXPECT_EQ(connection.deadline(), now_ + limits_.keep_alive_time);
  for (const char* half : {"\r", "\n"}) {
    connection.receive(half, now_);
    EXPECT_EQ(take(connection), -1);
  }
  EXPECT_EQ(connection.stage(), Stage::kIdle);
  connection.receive(kWholeRequest, now_);
  EXPECT_EQ(take(connection), 0);
}

TEST_F(ConnectionTest, BytesBehindARequest_AreNotJudgedYet) {
  EXPECT_EQ(after(kWholeRequest + std::string("\x01\n")), 0);
}

TEST_F(ConnectionTest, AHead_IsAsLongAsTheLimitAndNoLonger) {
  const auto head = [](std::size_t size) {
    std::string text = "GET / HTTP/1.1\r\nHost: x\r\nX: ";
    return text + std::string(size - text.size() - 4, 'y') + "\r\n\r\n";
  };
  EXPECT_EQ(after(head(kMostHeadBytes)), 0);
  EXPECT_EQ(after(head(kMostHeadBytes + 1)), 431);
  EXPECT_EQ(after(head(kMostHeadBytes + 100).substr(0, kMostHeadBytes)), -1);
  EXPECT_EQ(after(head(kMostHeadBytes + 100).substr(0, kMostHeadBytes + 1)), 431);
}

TEST_F(ConnectionTest, AFirstLineThatDoesNotEnd_IsATargetThatIsTooLong) {
  const auto line = [](std::size_t size) { return "GET /" + std::string(size - 5, 'x'); };
  EXPECT_EQ(after(line(kMostHeadBytes)), -1);
  EXPECT_EQ(after(line(kMostHeadBytes + 1)), 414);
  EXPECT_EQ(after(line(std::size_t{1} << 20)), 414);
  EXPECT_EQ(after(line(kMostHeadBytes - 1) + "\r\n"), 431) << "the end of the line has come";
  EXPECT_EQ(after(line(kMostHeadBytes) + "\r\n"), 414);
}

TEST_F(ConnectionTest, ABody_IsAsLongAsTheLimitAndNoLonger) {
  const auto post = [](std::size_t length) {
    return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
  };
  limits_.payload_bytes = 10;
  EXPECT_EQ(after(post(0)), 0);
  EXPECT_EQ(after(post(10)), -1);
  EXPECT_EQ(after(post(10) + std::string(9, 'x')), -1);
  EXPECT_EQ(after(post(10) + std::string(10, 'x')), 0);
  EXPECT_EQ(after(post(11)), 413);
}

TEST_F(ConnectionTest, AnExpectedContinue_IsSentUnlessTheBodyIsThere) {
  const std::string head =
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  Connection waiting(limits_, now_);
  waiting.receive(head, now_);
  EXPECT_EQ(take(waiting), -1);
  EXPECT_EQ(waiting.take_interim(), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(waiting.take_interim(), "");
  waiting.receive("ab", now_);
  EXPECT_EQ(take(waiting), 0);
  Connection whole(limits_, now_);
  whole.receive(head + "ab", now_);
  EXPECT_EQ(take(whole), 0);
  EXPECT_EQ(whole.take_interim(), "");
}

TEST_F(ConnectionTest, TheFirstRequest_HasItsTimeFromTheBeginning) {
  Connection connection(limits_, now_);
  const auto end = now_ + limits_.request_time;
  EXPECT_EQ(connection.deadline(), end);
  now_ += seconds(1);
  connection.receive("GET /", now_);
  EXPECT_EQ(connection.deadline(), end);
  now_ += seconds(1);
  connection.receive("x", now_);
  EXPECT_EQ(connection.deadline(), end);
  now_ = end;
  connection.expire(now_);
  EXPECT_EQ(take(connection), 408);
  EXPECT_TRUE(connection.closes());
}

TEST_F(ConnectionTest, ALaterRequest_HasItsTimeFromItsFirstByte) {
  Connection connection(limits_, now_);
  connection.receive(kWholeRequest, now_);
  ASSERT_EQ(take(connection), 0);
  EXPECT_EQ(connection.deadline(), Connection::Time::max());
  connection.answer(answer("x"), now_);
  send_all(connection);
  EXPECT_EQ(connection.deadline(), now_ + limits_.keep_alive_time);
  now_ += seconds(60);
  connection.receive("G", now_);
  EXPECT_EQ(connection.deadline(), now_ + limits_.request_time);
}

TEST_F(ConnectionTest, AnAnswer_HasMoreTimeIfItIsLong) {
  for (const std::size_t extra : {0U, 1U, 20U}) {
    Connection connection(limits_, now_);
    connection.receive(kWholeRequest, now_);
    ASSERT_EQ(take(connection), 0);
    connection.answer(answer("x", std::string(limits_.answer_bytes * extra, 'y')), now_);
    EXPECT_EQ(connection.deadline(), now_ + limits_.answer_time + seconds(extra)) << extra;
    connection.expire(connection.deadline());
    EXPECT_EQ(connection.stage(), Stage::kOver);
  }
}

TEST_F(ConnectionTest, AnIdleClientWhoseTimeIsOver_GetsNoAnswer) {
  Connection connection(limits_, now_);
  connection.expire(connection.deadline());
  EXPECT_EQ(connection.stage(), Stage::kOver);
  EXPECT_EQ(take(connection), -1);
}

TEST_F(ConnectionTest, AnAnswerThatSaysClose_EndsTheConnection) {
  Connection connection(limits_, now_);
  connection.receive(kWholeRequest, now_);
  ASSERT_EQ(take(connection), 0);
  Answer last = answer("x");
  last.closes = true;
  connection.answer(last, now_);
  send_all(connection);
  EXPECT_EQ(connection.stage(), Stage::kEnding);
}

TEST_F(ConnectionTest, TheEnd_WaitsForTheClientButNotForLong) {
  const auto ending = [&] {
    auto connection = std::make_unique<Connection>(limits_, now_);
    connection->receive("GET / HTTP/1.0\r\n\r\n", now_);
    EXPECT_EQ(take(*connection), 0);
    connection->answer(answer("x"), now_);
    send_all(*connection);
    EXPECT_EQ(connection->stage(), Stage::kEnding);
    EXPECT_TRUE(connection->reads());
    return connection;
  };
  auto closed = ending();
  closed->receive_end(now_);
  EXPECT_EQ(closed->stage(), Stage::kOver);
  auto silent = ending();
  EXPECT_EQ(silent->deadline(), now_ + seconds(1));
  silent->expire(silent->deadline());
  EXPECT_EQ(silent->stage(), Stage::kOver);
  auto talking = ending();
  talking->receive(std::string(256 * 1024, 'x'), now_);
  EXPECT_EQ(talking->stage(), Stage::kEnding);
  talking->receive("x", now_);
  EXPECT_EQ(talking->stage(), Stage::kOver);
}

TEST_F(ConnectionTest, AClientThatSendsNoMore_IsAnsweredIfItsRequestIsWhole) {
  Connection whole(limits_, now_);
  whole.receive(kWholeRequest, now_);
  whole.receive_end(now_);
  ASSERT_EQ(take(whole), 0);
  whole.answer(answer("x"), now_);
  EXPECT_EQ(send_all(whole), "x");
  EXPECT_EQ(whole.stage(), Stage::kOver);
  for (const char* half : {"GET /", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na"}) {
    Connection connection(limits_, now_);
    connection.receive(half, now_);
    connection.receive_end(now_);
    EXPECT_EQ(take(connection), 400) << half;
  }
  Connection idle(limits_, now_);
  idle.receive_end(now_);
  EXPECT_EQ(idle.stage(), Stage::kOver);
}

TEST_F(ConnectionTest, Finished_EndsIdleOnesAndLetsTheOthersHaveTheirAnswer) {
  Connection fresh(limits_, now_);
  fresh.finish(now_);
  EXPECT_EQ(fresh.stage(), Stage::kIdle);
  fresh.receive(kWholeRequest, now_);
  ASSERT_EQ(take(fresh), 0);
  EXPECT_TRUE(fresh.closes());
  Connection used(limits_, now_);
  used.receive(kWholeRequest, now_);
  ASSERT_EQ(take(used), 0);
  used.finish(now_);
  EXPECT_EQ(used.stage(), Stage::kAnswering);
  used.answer(answer("x"), now_);
  EXPECT_EQ(send_all(used), "x");
  EXPECT_EQ(used.stage(), Stage::kEnding);
  Connection idle(limits_, now_);
  idle.receive(kWholeRequest, now_);
  ASSERT_EQ(take(idle), 0);
  idle.answer(answer("x"), now_);
  send_all(idle);
  idle.finish(now_);
  EXPECT_EQ(idle.stage(), Stage::kOver);
}

TEST_F(ConnectionTest, AnAnswerWithoutAnEnd_HasNoDeadlineButEachPartHas) {
  Connection connection(limits_, now_);
  const auto stream = follow(connection);
  EXPECT_EQ(connection.stage(), Stage::kStreaming);
  EXPECT_EQ(connection.deadline(), Connection::Time::max());
  EXPECT_TRUE(connection.reads()) << "to see when the client goes";
  EXPECT_TRUE(connection.stream(now_));
  EXPECT_EQ(connection.stage(), Stage::kStreaming);
  for (const char* part : {"1", "two"}) {
    now_ += std::chrono::hours(1);
    stream->push(part);
    EXPECT_TRUE(connection.stream(now_));
    EXPECT_EQ(connection.deadline(), now_ + limits_.answer_time);
    EXPECT_EQ(send_all(connection), part);
    EXPECT_EQ(connection.stage(), Stage::kStreaming);
  }
  stream->push("three");
  EXPECT_TRUE(connection.stream(now_));
  connection.expire(connection.deadline());
  EXPECT_EQ(connection.stage(), Stage::kOver);
}

TEST_F(ConnectionTest, AStreamThatEnds_EndsTheConnection) {
  Connection with_rest(limits_, now_);
  const auto stream = follow(with_rest);
  stream->push("rest");
  stream->end();
  EXPECT_TRUE(with_rest.stream(now_));
  EXPECT_EQ(send_all(with_rest), "rest");
  EXPECT_EQ(with_rest.stage(), Stage::kEnding);
  Connection without(limits_, now_);
  follow(without)->end();
  EXPECT_TRUE(without.stream(now_));
  EXPECT_EQ(without.stage(), Stage::kEnding);
}

TEST_F(ConnectionTest, AStreamThatOverflows_IsOver) {
  const std::string too_much(AnswerStream::kMostBytes, 'x');
  Connection waiting(limits_, now_);
  follow(waiting)->push(too_much);
  EXPECT_FALSE(waiting.stream(now_));
  EXPECT_EQ(waiting.stage(), Stage::kOver);
  Connection sending(limits_, now_);
  const auto stream = follow(sending);
  stream->push("part");
  EXPECT_TRUE(sending.stream(now_));
  EXPECT_TRUE(sending.stream(now_)) << "the part is still on its way";
  EXPECT_EQ(sending.to_send(), "part");
  stream->push(too_much);
  EXPECT_FALSE(sending.stream(now_));
  EXPECT_EQ(sending.stage(), Stage::kOver);
}

TEST_F(ConnectionTest, AStreamsClient_EndsItByGoingOrByTalking) {
  Connection gone(limits_, now_);
  follow(gone);
  gone.receive_end(now_);
  EXPECT_EQ(gone.stage(), Stage::kOver);
  Connection talking(limits_, now_);
  follow(talking);
  talking.receive(std::string(256 * 1024, 'x'), now_);
  EXPECT_EQ(talking.stage(), Stage::kStreaming);
  talking.receive("x", now_);
  EXPECT_EQ(talking.stage(), Stage::kOver);
  Connection half_closed(limits_, now_);
  half_closed.receive(kWholeRequest, now_);
  half_closed.receive_end(now_);
  ASSERT_EQ(take(half_closed), 0);
  half_closed.answer({.head = "head", .body = {}, .stream = std::make_shared<AnswerStream>()},
                     now_);
  EXPECT_EQ(send_all(half_closed), "head");
  EXPECT_EQ(half_closed.stage(), Stage::kOver);
}

TEST_F(ConnectionTest, Finished_SendsWhatStreamsHave) {
  Connection waiting(limits_, now_);
  const auto rest = follow(waiting);
  rest->push("rest");
  waiting.finish(now_);
  rest->push("later");
  EXPECT_TRUE(waiting.stream(now_));
  EXPECT_EQ(send_all(waiting), "rest");
  EXPECT_EQ(waiting.stage(), Stage::kEnding);
  Connection sending(limits_, now_);
  const auto stream = follow(sending);
  stream->push("part");
  EXPECT_TRUE(sending.stream(now_));
  stream->push(" and rest");
  sending.finish(now_);
  EXPECT_EQ(send_all(sending), "part");
  EXPECT_TRUE(sending.stream(now_));
  EXPECT_EQ(send_all(sending), " and rest");
  EXPECT_EQ(sending.stage(), Stage::kEnding);
}

}  // namespace
}  // namespace winperf
