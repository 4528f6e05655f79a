// What the server relies on in the HTTP library, which has no interface for it: a server that never
// listens reads a request from memory and writes the head of the answer. If a new version of the
// library breaks one of these, docs/adr/0006 says what to do.
#include "exporter/http/http_answers.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "tests/exporter/support/http_exchange.h"
#include "tests/exporter/support/own_series.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

class HttpAnswersTest : public ::testing::Test {
 protected:
  void SetUp() override { slot_.publish(typical_sample(1)); }

  Answer answer_to(const std::string& line, const std::string& fields = "", bool last = false) {
    return answers_.answer(request_of(line, "Host: localhost\r\n" + fields), last);
  }
  double requests(const std::string& route) {
    double count = 0;
    for (const auto& family : testing::collected(registry_.metrics())) {
      if (family.name != "winperf_exporter_http_requests_total") continue;
      for (const auto& metric : family.metric)
        for (const auto& label : metric.label)
          if (label.name == "route" && label.value == route) count += metric.counter.value;
    }
    return count;
  }

  SampleSlot slot_;
  ExporterRegistry registry_{{"1", "abc", "gcc", "linux", "x86_64"}, kSampledAt};
  Router router_{slot_, registry_, {{}, {}, [] { return kTaken; }}};
  HttpAnswers answers_{router_, {}};
};

// Who scrapes too often is told by the address of the connection.
TEST_F(HttpAnswersTest, TheAddressOfTheConnection_IsWhoAsks) {
  auto sample = typical_sample(1);
  for (CountersetState& state : sample->countersets) state.interval = std::chrono::seconds(5);
  slot_.publish(sample);
  RequestHead request = request_of("GET /metrics", "Host: localhost\r\n", false);
  const auto early = [&](std::uint8_t host) {
    request.visitor.address = to_net_address(std::vector<std::uint8_t>{10, 0, 0, host});
    (void)answers_.answer(request, false);
    for (const auto& family : testing::collected(registry_.metrics()))
      if (family.name == "winperf_exporter_early_scrapes_total")
        return family.metric.at(0).counter.value;
    return -1.0;
  };
  EXPECT_EQ(early(5), 0);
  EXPECT_EQ(early(6), 0);
  EXPECT_EQ(early(5), 1);
}

// The queue asks for it before anything is decoded.
TEST_F(HttpAnswersTest, TheEffortOfAnAnswer_IsThatOfWhatIsAskedFor) {
  const auto effort_of = [&](const std::string& target) {
    const auto request =
        parse_request_head("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(request) << target;
    return answers_.effort_of(*request);
  };
  EXPECT_EQ(effort_of("/metrics"), Effort::kPlain);
  EXPECT_EQ(effort_of("http://localhost/metrics"), Effort::kPlain);
  EXPECT_EQ(effort_of("/metrics?counterset[]=Memory"), Effort::kCostly);
  EXPECT_EQ(effort_of("http://localhost/metrics?counterset[]=Memory"), Effort::kCostly);
  EXPECT_EQ(effort_of("/api/v1/sample"), Effort::kCostly);
}

TEST_F(HttpAnswersTest, ThePage_IsNotCopiedAndItsHeadSaysItsLength) {
  const Answer first = answer_to("GET /metrics");
  const Answer second = answer_to("GET /metrics");
  EXPECT_EQ(first.body.pieces().back().get(), second.body.pieces().back().get());
  EXPECT_THAT(first.head,
              AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), EndsWith("\r\n\r\n"),
                    HasSubstr("\r\nContent-Length: " + std::to_string(first.body.size()) + "\r\n"),
                    HasSubstr("\r\nContent-Type: text/plain; version=0.0.4")));
  EXPECT_EQ(first.head.find("\r\n\r\n"), first.head.size() - 4);
}

TEST_F(HttpAnswersTest, EveryHead_HasADateAndKeepsBrowsersFromGuessing) {
  for (const Answer& answer :
       {answer_to("GET /-/healthy"), answer_to("GET /nothing"), answers_.refuse({400, "no"})}) {
    EXPECT_THAT(answer.head,
                AllOf(HasSubstr("\r\nX-Content-Type-Options: nosniff\r\n"),
                      HasSubstr("\r\nCross-Origin-Resource-Policy: same-origin\r\n"),
                      HasSubstr("\r\nContent-Security-Policy: default-src 'none'; base-uri ")));
    EXPECT_EQ(answer.head.find("\r\nDate: "), answer.head.rfind("\r\nDate: "));
    const std::string date = answer.head.substr(answer.head.find("\r\nDate: ") + 8, 29);
    EXPECT_THAT(date, EndsWith(" GMT"));
  }
}

TEST_F(HttpAnswersTest, Head_HasTheLengthAndNoBody) {
  const Answer full = answer_to("GET /version");
  const Answer head = answer_to("HEAD /version");
  EXPECT_EQ(head.body.size(), 0U);
  EXPECT_THAT(head.head,
              HasSubstr("\r\nContent-Length: " + std::to_string(full.body.size()) + "\r\n"));
  EXPECT_THAT(head.head, AllOf(HasSubstr("\r\nAccept-Ranges: none\r\n"),
                               Not(HasSubstr("Accept-Ranges: bytes"))));
}

TEST_F(HttpAnswersTest, OnlyTheLastAnswerAndErrors_CloseTheConnection) {
  const Answer kept = answer_to("GET /-/healthy");
  EXPECT_FALSE(kept.closes);
  EXPECT_THAT(kept.head, Not(HasSubstr("Keep-Alive")));
  const Answer last = answer_to("GET /-/healthy", "", true);
  EXPECT_TRUE(last.closes);
  EXPECT_THAT(last.head, HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_TRUE(answer_to("GET /nothing").closes);
}

TEST_F(HttpAnswersTest, APage_HasTheFormatThatTheClientAccepts) {
  const Answer answer = answer_to("GET /metrics", "Accept: application/openmetrics-text\r\n");
  EXPECT_THAT(
      answer.head,
      HasSubstr(
          "\r\nContent-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"));
  EXPECT_THAT(answer.head, HasSubstr("\r\nVary: Accept, Accept-Encoding\r\n"));
}

TEST_F(HttpAnswersTest, ACompressedPage_IsNotCompressedAgainNorAPlainOne) {
  const Answer gzipped = answer_to("GET /metrics", "Accept-Encoding: gzip\r\n");
  EXPECT_THAT(gzipped.head, HasSubstr("\r\nContent-Encoding: gzip\r\n"));
  EXPECT_THAT(gzipped.body.str(), StartsWith("\x1f\x8b"));
  const Answer small = answer_to("GET /version", "Accept-Encoding: gzip\r\n");
  EXPECT_THAT(small.head, Not(HasSubstr("Content-Encoding")));
  EXPECT_THAT(small.body.str(), StartsWith("{"));
}

TEST_F(HttpAnswersTest, WhatTheClientHas_HasNeitherBodyNorLength) {
  const Answer first = answer_to("GET /api/v1/sample");
  const std::size_t at = first.head.find("\r\nETag: ") + 8;
  const std::string tag = first.head.substr(at, first.head.find("\r\n", at) - at);
  for (const char* method : {"GET", "HEAD"}) {
    const Answer again =
        answer_to(std::string(method) + " /api/v1/sample", "If-None-Match: " + tag + "\r\n");
    EXPECT_THAT(again.head, AllOf(StartsWith("HTTP/1.1 304 Not Modified\r\n"), HasSubstr(tag),
                                  Not(HasSubstr("Content-Length")), EndsWith("\r\n\r\n")));
    EXPECT_EQ(again.body.size(), 0U);
    EXPECT_FALSE(again.closes);
  }
}

// What access.h decides by, each by one field.
TEST_F(HttpAnswersTest, TheVisitor_IsKnownByConnectionAndFields) {
  EXPECT_THAT(answer_to("GET /version").head, StartsWith("HTTP/1.1 200 "));
  for (const char* field : {"Origin: http://evil.example", "Sec-Fetch-Site: cross-site",
                            "Via: 1.1 x", "X-Forwarded-For: 10.0.0.1", "Forwarded: for=10.0.0.1"})
    EXPECT_THAT(answer_to("GET /version", field + std::string("\r\n")).head,
                StartsWith("HTTP/1.1 403 "))
        << field;
  EXPECT_THAT(
      answer_to("GET /version", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n").head,
      StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(answer_to("GET http://evil.example/version").head, StartsWith("HTTP/1.1 403 "));
  const RequestHead stranger = request_of("GET /version", "Host: localhost\r\n", false);
  EXPECT_THAT(answers_.answer(stranger, false).head, StartsWith("HTTP/1.1 403 "));
}

TEST_F(HttpAnswersTest, ChangedRules_ApplyToTheNextRequest) {
  const RequestHead request = request_of("GET /version", "Host: srv1\r\n", false);
  const auto status = [&] { return answers_.answer(request, false).head.substr(9, 3); };
  EXPECT_EQ(status(), "403");
  answers_.change_rules({.access = {.serve = {{Area::kApi}}, .hosts = {}}});
  EXPECT_EQ(status(), "403") << "the name is unknown";
  answers_.change_rules({.access = {.serve = {{Area::kApi}}, .hosts = {"srv1"}}});
  EXPECT_EQ(status(), "200");
}

TEST_F(HttpAnswersTest, ConfiguredHeaders_ReplaceThoseOfTheServerInEveryAnswer) {
  answers_.change_rules(
      {.access = {}, .headers = {{"X-Frame-Options", "deny"}, {"Content-Security-Policy", "p"}}});
  const RequestHead request = request_of("GET /metrics");
  for (const std::string& head : {answers_.answer(request, false).head,
                                  answers_.refuse({.status = 429, .reason = "x"}).head}) {
    EXPECT_THAT(head, HasSubstr("\r\nX-Frame-Options: deny\r\n"));
    EXPECT_THAT(head, HasSubstr("\r\nContent-Security-Policy: p\r\n"));
    EXPECT_THAT(head, Not(HasSubstr("default-src")));
    EXPECT_THAT(head, HasSubstr("\r\nX-Content-Type-Options: nosniff\r\n"));
  }
}

TEST_F(HttpAnswersTest, ARefusalWithoutAPassword_SaysWhatIsWanted) {
  const std::string head = answers_.refuse({.status = 401, .reason = "Unauthorized"}).head;
  EXPECT_THAT(head, StartsWith("HTTP/1.1 401 Unauthorized\r\n"));
  EXPECT_THAT(head, HasSubstr("\r\nWWW-Authenticate: Basic\r\n"));
  EXPECT_THAT(answers_.refuse({.status = 429, .reason = "x"}).head, HasSubstr("\r\nRetry-After: "));
  EXPECT_THAT(
      answers_.refuse({.status = 401, .reason = "x", .without_body = true}).head,
      ::testing::AllOf(HasSubstr("\r\nContent-Length: 2\r\n"), ::testing::EndsWith("\r\n\r\n")));
}

TEST_F(HttpAnswersTest, ARange_IsIgnored) {
  for (const char* range : {"0-1", "0-1,3-4", "-5", "999999-"}) {
    const Answer part = answer_to("GET /version", "Range: bytes=" + std::string(range) + "\r\n");
    EXPECT_THAT(part.head,
                AllOf(StartsWith("HTTP/1.1 200 "), HasSubstr("\r\nAccept-Ranges: none")));
    EXPECT_THAT(part.body.str(), StartsWith("{"));
  }
}

TEST_F(HttpAnswersTest, AQuery_IsDecoded) {
  const Answer unknown = answer_to("GET /api/v1/sample?counterset=a%26b");
  EXPECT_THAT(unknown.body.str(), HasSubstr("\"detail\":\"counterset 'a&b' is not sampled\""));
}

// Neither of them decides anything, so what the library objects to in them costs nothing.
TEST_F(HttpAnswersTest, WhatTheLibraryRefusesAndNothingDepends_IsAnsweredByItsTarget) {
  const Answer plain = answer_to("GET /api/v1/sample?counterset=Memory");
  for (const char* field : {"Range: bytes=5-1", "Range: items=1-2", "Accept: json", "Accept: ,",
                            "Accept: text/html;q=2", "Expect: 100-continue"}) {
    const Answer answer =
        answer_to("GET /api/v1/sample?counterset=Memory", field + std::string("\r\n"));
    EXPECT_THAT(answer.head, StartsWith("HTTP/1.1 200 ")) << field;
    EXPECT_EQ(answer.body.str(), plain.body.str()) << field;
  }
  auto later = parse_request_head("GET http://localhost/version HTTP/1.2\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(later);
  later->visitor.is_local = true;
  EXPECT_THAT(answers_.answer(*later, false).head, StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(requests("invalid"), 0);
  const Answer metrics =
      answer_to("GET /metrics", "Accept: json, application/openmetrics-text\r\n");
  EXPECT_THAT(metrics.head, HasSubstr("\r\nContent-Type: application/openmetrics-text;"));
}

// The library decodes percent signs in fields.
TEST_F(HttpAnswersTest, WhatTheReadersSeeDifferently_IsRefusedAndCounted) {
  int refused = 0;
  for (const char* field :
       {"Origin: http://local%68ost", "Sec-Fetch-Site: same%2dorigin", "Sec-Fetch-Mode: n%61vigate",
        "Authorization: Basic%20YTpi", "Authorization: Basic %59TpiYTpi"}) {
    const Answer answer = answer_to("GET /version", field + std::string("\r\n"));
    EXPECT_THAT(answer.head, StartsWith("HTTP/1.1 400 ")) << field;
    EXPECT_TRUE(answer.closes);
    EXPECT_EQ(requests("invalid"), ++refused);
  }
  EXPECT_THAT(answer_to("HEAD /version", "Origin: %41\r\n").head, EndsWith("\r\n\r\n"));
  // What it says doesn't matter, only that it is there.
  EXPECT_THAT(answer_to("GET /version", "X-Forwarded-Uri: /a%20b\r\n").head,
              StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(answer_to("GET /version", "Cookie: a=%00\r\nX: %31\r\n").head,
              StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpAnswersTest, AHeadOfWhichTheLibraryReadsAnother_IsRefused) {
  const auto status = [&](const auto& change) {
    RequestHead request = request_of("POST /-/reload", "Host: localhost\r\nContent-Length: 3\r\n");
    change(request);
    return answers_.answer(request, false).head.substr(9, 3);
  };
  EXPECT_EQ(status([](RequestHead&) {}), "404") << "nobody reloads";
  EXPECT_EQ(status([](RequestHead& head) { head.method = "GET"; }), "400");
  EXPECT_EQ(status([](RequestHead& head) { head.target = "/version"; }), "400");
  EXPECT_EQ(status([](RequestHead& head) { head.is_http10 = true; }), "400");
  EXPECT_EQ(status([](RequestHead& head) { head.host.reset(); }), "400");
  EXPECT_EQ(status([](RequestHead& head) { head.host = "other"; }), "400");
  EXPECT_EQ(status([](RequestHead& head) { head.content_length.reset(); }), "400");
  EXPECT_EQ(status([](RequestHead& head) { head.content_length = 4; }), "400");
  EXPECT_EQ(status([](RequestHead& head) { head.authorization = ""; }), "400");
  EXPECT_EQ(status([](RequestHead& head) { head.visitor.is_forwarded = true; }), "400");
  EXPECT_EQ(status([](RequestHead& head) { head.visitor.origin = ""; }), "400");
  EXPECT_EQ(status([](RequestHead& head) { head.authority = 3; }), "400");
  const auto with = [&](const std::string& field) {
    return status(
        [&](RequestHead& head) { head.text.insert(head.text.size() - 2, field + "\r\n"); });
  };
  EXPECT_EQ(with("X: y"), "404");
  for (const char* field : {"Host: localhost", "Origin: a", "Sec-Fetch-Site: a",
                            "Sec-Fetch-Mode: a", "Authorization: a", "Via: a", "X-Forwarded-A: a"})
    EXPECT_EQ(with(field), "400") << field;
}

TEST_F(HttpAnswersTest, TheFormOfTheTargetDoesNotMatter) {
  const std::string version = answer_to("GET /version").body.str();
  for (const char* target : {"http://localhost/version", "http://[::1]:1/version?x#y",
                             "HTTP://LOCALHOST/%76ersion", "/version#fragment"})
    EXPECT_EQ(answer_to("GET " + std::string(target)).body.str(), version) << target;
  for (const char* target : {"http://localhost", "http://localhost?x"})
    EXPECT_THAT(answer_to("GET " + std::string(target)).head, HasSubstr("text/html")) << target;
}

// It comes to the connection, which ignores it; the library waits for none.
TEST_F(HttpAnswersTest, ABody_IsNotReadWhateverItIs) {
  for (const char* type :
       {"application/x-www-form-urlencoded", "multipart/form-data", "text/plain"})
    for (const char* method : {"POST", "PUT", "GET"})
      EXPECT_THAT(answer_to(method + std::string(" /version"),
                            "Content-Length: 3\r\nContent-Encoding: gzip\r\nContent-Type: " +
                                std::string(type) + "\r\n")
                      .head,
                  StartsWith(method == std::string("GET") ? "HTTP/1.1 200 " : "HTTP/1.1 405 "));
}

TEST_F(HttpAnswersTest, WhatTheLibraryRefuses_IsCounted) {
  const Answer refused = answer_to("GET /" + std::string(kMostTargetBytes - 1, 'x'));
  EXPECT_THAT(refused.head, StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(
      answer_to("GET /version", "X: " + std::string(kMostHeadBytes - 64, 'x') + "\r\n").head,
      StartsWith("HTTP/1.1 200 "));
  // Our reader lets no such target through.
  RequestHead request;
  request.method = "GET";
  request.target = '/' + std::string(8200, 'x');
  request.text = "GET " + request.target + " HTTP/1.1\r\n\r\n";
  const Answer too_long = answers_.answer(request, false);
  EXPECT_THAT(too_long.head, StartsWith("HTTP/1.1 400 "));
  EXPECT_TRUE(too_long.closes);
  EXPECT_EQ(requests("invalid"), 1);
}

TEST_F(HttpAnswersTest, WhenTheRouterThrows_Answers500WithoutDetails) {
  Router throwing(slot_, registry_,
                  {{}, {}, []() -> SteadyTime { throw std::runtime_error("secret path"); }});
  HttpAnswers answers(throwing, {});
  const Answer answer = answers.answer(request_of("GET /metrics"), true);
  EXPECT_THAT(answer.head, AllOf(StartsWith("HTTP/1.1 500 "), Not(HasSubstr("secret"))));
  EXPECT_EQ(answer.body.str(), "internal error\n");
}

TEST_F(HttpAnswersTest, NotReady_SaysWhenToTryAgain) {
  SampleSlot empty;
  Router router(empty, registry_, {{}, {}, [] { return kTaken; }});
  HttpAnswers answers(router, {});
  const Answer answer = answers.answer(request_of("GET /-/ready"), true);
  EXPECT_THAT(answer.head, AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("\r\nRetry-After: 1\r\n")));
}

TEST_F(HttpAnswersTest, ARefusal_IsPlainAndCounted) {
  const Answer answer = answers_.refuse({.status = 503, .reason = "too many"});
  EXPECT_TRUE(answer.closes);
  EXPECT_EQ(answer.body.size(), 0U);
  EXPECT_THAT(answer.head,
              AllOf(StartsWith("HTTP/1.1 503 Service Unavailable\r\n"),
                    HasSubstr("\r\nContent-Length: 9\r\n"), HasSubstr("\r\nConnection: close\r\n"),
                    HasSubstr("\r\nRetry-After: 1\r\n"), EndsWith("\r\n\r\ntoo many\n")));
  EXPECT_EQ(requests("invalid"), 1);
}

std::string at(std::int64_t unix_seconds, int milliseconds = 0) {
  return http_date(std::chrono::system_clock::time_point(std::chrono::seconds(unix_seconds) +
                                                         std::chrono::milliseconds(milliseconds)));
}

TEST(HttpDate, IsWrittenAsTheRfcDoes) {
  EXPECT_EQ(at(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(at(784'111'777, 999), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST(HttpDate, KnowsEveryDayOfTheWeekAndEveryMonth) {
  EXPECT_EQ(at(1'709'164'800), "Thu, 29 Feb 2024 00:00:00 GMT");
  EXPECT_EQ(at(1'711'929'599), "Sun, 31 Mar 2024 23:59:59 GMT");
  EXPECT_EQ(at(1'711'929'600), "Mon, 01 Apr 2024 00:00:00 GMT");
  EXPECT_EQ(at(1'715'080'000), "Tue, 07 May 2024 11:06:40 GMT");
  EXPECT_EQ(at(1'717'600'000), "Wed, 05 Jun 2024 15:06:40 GMT");
  EXPECT_EQ(at(1'721'390'000), "Fri, 19 Jul 2024 11:53:20 GMT");
  EXPECT_EQ(at(1'722'700'000), "Sat, 03 Aug 2024 15:46:40 GMT");
  EXPECT_EQ(at(1'725'148'800), "Sun, 01 Sep 2024 00:00:00 GMT");
  EXPECT_EQ(at(1'728'000'000), "Fri, 04 Oct 2024 00:00:00 GMT");
  EXPECT_EQ(at(1'733'011'200), "Sun, 01 Dec 2024 00:00:00 GMT");
}

}  // namespace
}  // namespace winperf
