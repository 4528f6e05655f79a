#include "exporter/http/request_head.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::HasSubstr;

// What became of a head that is whole: its refusal's status, or 0.
int status_of(const std::string& head, bool is_encrypted = false) {
  EXPECT_EQ(head_length(head), head.size()) << head;
  const auto request = parse_request_head(head, is_encrypted);
  return request ? 0 : request.error().status;
}

RequestHead parsed(const std::string& head) {
  auto request = parse_request_head(head);
  EXPECT_TRUE(request) << head << request.error().reason;
  return request ? *std::move(request) : RequestHead{};
}

std::string with(const std::string& fields) {
  return "GET / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n";
}

TEST(HeadLength, IsThatOfEverythingUpToTheEmptyLine) {
  const std::string head = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  EXPECT_EQ(head_length(head), head.size());
  EXPECT_EQ(head_length(head + "GET /"), head.size());
  EXPECT_EQ(head_length(""), std::nullopt);
  for (std::size_t known = 0; known < head.size(); ++known) {
    EXPECT_EQ(head_length(head.substr(0, known)), std::nullopt) << known;
    EXPECT_EQ(head_length(head, known), head.size()) << known;
  }
}

TEST(HeadLength_OfEmptyLines, IsNoneBecauseTheyAreNoHead) {
  EXPECT_EQ(leading_empty_lines(""), 0U);
  EXPECT_EQ(leading_empty_lines("\r"), 0U);
  EXPECT_EQ(leading_empty_lines("\r\n"), 2U);
  EXPECT_EQ(leading_empty_lines("\r\n\r\nGET /\r\n\r\n"), 4U);
}

TEST(RequestHead_ThatNothingCanFollow, IsHopeless) {
  EXPECT_TRUE(is_malformed("GET / HTTP/1.1\nHost: x"));
  EXPECT_TRUE(is_malformed("\n"));
  EXPECT_TRUE(is_malformed("\x16\x03\x01"));
  EXPECT_TRUE(is_malformed(std::string(1, '\0')));
  EXPECT_TRUE(is_malformed("GET /\x1f"));
  EXPECT_FALSE(is_malformed(""));
  EXPECT_FALSE(is_malformed("GET / HTTP/1.1\r\nX:\ty\r\n\r\n"));
  EXPECT_FALSE(is_malformed("\xc3\xa4"));
}

TEST(RequestHead_ThatNothingCanFollow, IsFoundBehindWhatIsKnown) {
  const std::string bytes = "GET /\r\n\x01";
  EXPECT_TRUE(is_malformed(bytes, bytes.size() - 1));
  EXPECT_FALSE(is_malformed(bytes, bytes.size()));
  EXPECT_FALSE(is_malformed("GET /\r\n", 6));
}

TEST(RequestHead, HasWhatAnAnswerDependsOn) {
  const RequestHead request = parsed(
      "GET /metrics?a=b HTTP/1.1\r\nhost: x:1\r\nUser-Agent: me\r\naccept-encoding:gzip \r\n"
      "Accept: text/plain\r\n"
      "ORIGIN: http://y\r\nIf-None-Match: \"1\"\r\nSec-Fetch-Site: none\r\nSec-Fetch-Mode: "
      "cors\r\n\r\n");
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/metrics?a=b");
  EXPECT_EQ(request.accept, "text/plain");
  EXPECT_EQ(request.accept_encoding, "gzip");
  EXPECT_EQ(request.if_none_match, "\"1\"");
  EXPECT_EQ(request.visitor.host, "x:1");
  EXPECT_EQ(request.visitor.origin, "http://y");
  EXPECT_EQ(request.visitor.fetch_site, "none");
  EXPECT_EQ(request.visitor.fetch_mode, "cors");
  EXPECT_TRUE(request.visitor.only_reads);
  EXPECT_FALSE(request.visitor.is_forwarded);
  EXPECT_TRUE(request.keeps_alive);
  EXPECT_FALSE(request.expects_continue);
  EXPECT_EQ(request.content_length, std::nullopt);
}

TEST(RequestHead_WithoutFields, HasNothing) {
  const RequestHead request = parsed("POST / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(request.visitor.host, "");
  EXPECT_EQ(request.visitor.origin, std::nullopt);
  EXPECT_EQ(request.visitor.fetch_site, std::nullopt);
  EXPECT_EQ(request.visitor.fetch_mode, std::nullopt);
  EXPECT_FALSE(request.visitor.only_reads);
  EXPECT_EQ(request.accept, "");
  EXPECT_EQ(request.accept_encoding, "");
  EXPECT_EQ(request.if_none_match, "");
}

TEST(RequestHead_Lists, AreThoseOfAllTheirFields) {
  const RequestHead request =
      parsed(with("If-None-Match: \"a\"\r\nAccept-Encoding: br\r\nIf-None-Match: \"b\", \"c\"\r\n"
                  "accept-encoding: gzip\r\nAccept: a/b;q=1\r\nAccept: c/d\r\n"));
  EXPECT_EQ(request.accept, "a/b;q=1, c/d");
  EXPECT_EQ(request.if_none_match, "\"a\", \"b\", \"c\"");
  EXPECT_EQ(request.accept_encoding, "br, gzip");
}

TEST(RequestHead_FieldsThatDecide, AreThereOnce) {
  for (const std::string name : {"Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode"}) {
    EXPECT_EQ(status_of(with(name + ": a\r\n" + name + ": a\r\n")), 400) << name;
    EXPECT_EQ(status_of(with(name + ":\r\n" + name + ": a\r\n")), 400) << name;
  }
}

TEST(RequestHead_OfAProxy, SaysSo) {
  for (const char* field :
       {"Forwarded", "via", "X-Forwarded-For", "x-forwarded-proto", "X-Real-IP"})
    EXPECT_TRUE(parsed(with(field + std::string(":\r\n"))).visitor.is_forwarded) << field;
  for (const char* field : {"X-Forwarded", "Viad", "X-Real", "Forward"})
    EXPECT_FALSE(parsed(with(field + std::string(": x\r\n"))).visitor.is_forwarded) << field;
}

TEST(RequestTarget_WithAHost, IsThePathAlone) {
  const auto target_of = [](const std::string& target) {
    return parsed("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n").target;
  };
  EXPECT_EQ(target_of("http://127.0.0.1/-/healthy"), "/-/healthy");
  EXPECT_EQ(target_of("HTTP://[::1]:80/a?b"), "/a?b");
  EXPECT_EQ(target_of("http://x"), "/");
  EXPECT_EQ(target_of("http://x?y"), "/?y");
  EXPECT_EQ(target_of("/a://b"), "/a://b");
  EXPECT_EQ(target_of("/a#b"), "/a");
  EXPECT_EQ(target_of("*"), "*");
}

TEST(RequestTarget_OfHttps, IsAnsweredOverTlsAlone) {
  const std::string rest = " HTTP/1.1\r\nHost: other\r\n\r\n";
  for (const char* const target : {"https://a:9182/x?y", "HTTPS://a:9182/x?y"}) {
    const auto request = parse_request_head("GET " + std::string(target) + rest, true);
    ASSERT_TRUE(request) << request.error().reason;
    EXPECT_EQ(request->target, "/x?y");
    EXPECT_EQ(request->visitor.host, "a:9182") << "it counts instead of Host";
  }
  EXPECT_EQ(status_of("GET https://a/" + rest), 421);
  EXPECT_EQ(status_of("GET http://a/" + rest, true), 0);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n", true), 400) << "Host may not be missing";
  for (const char* const target :
       {"https://", "https:///x", "https://a@b/", "https://a\"b/", "ftp://a/", "wss://a/"})
    EXPECT_EQ(status_of("GET " + std::string(target) + rest, true), 400) << target;
}

TEST(RequestHead_Host, IsAsLongAsTheLimit) {
  const auto host = [](std::size_t size) {
    return "GET / HTTP/1.1\r\nHost: " + std::string(size, 'x') + "\r\n\r\n";
  };
  EXPECT_EQ(status_of(host(512)), 0);
  EXPECT_EQ(status_of(host(513)), 400);
}

// RFC 9112, section 3.2.2: the field doesn't count then.
TEST(RequestTarget_WithAHost, IsForThatHost) {
  EXPECT_EQ(parsed("GET http://a:1/ HTTP/1.1\r\nHost: b\r\n\r\n").visitor.host, "a:1");
  EXPECT_EQ(parsed("GET / HTTP/1.1\r\nHost:\r\n\r\n").visitor.host, "");
}

// It is text for people in an answer, and nobody needs it: what it stands for could be anything.
TEST(RequestHead_Host, HasNoEncodedCharacters) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: %6cocalhost\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET http://%61/ HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
}

TEST(RequestLine_ThatIsWrong, IsRefused) {
  const std::pair<const char*, int> cases[] = {
      {"GET / HTTP/1.1", 0},
      {"GET  / HTTP/1.1", 400},
      {"GET / HTTP/1.1 ", 400},
      {"GET /", 400},
      {" GET / HTTP/1.1", 400},
      {"GET / HTTP/1.x", 400},
      {"GET / HTTP/x.1", 400},
      {"GET / http/1.1", 400},
      {"GET / HTTP/2.0", 505},
      {"GET / HTTP/0.9", 505},
      {"GET / HTTP/1.2", 0},
      {"BREW / HTTP/1.1", 501},
      {"get / HTTP/1.1", 501},
      {"G(T / HTTP/1.1", 400},
      {"GET x HTTP/1.1", 400},
      {"GET ftp://x/ HTTP/1.1", 400},
      {"GET httpss://x/ HTTP/1.1", 400},
      {"GET ://x/ HTTP/1.1", 400},
      {"GET http:/// HTTP/1.1", 400},
      {"GET http://a\"b/ HTTP/1.1", 400},
      {"GET /\xc3\xa4 HTTP/1.1", 400},
      {"GET /\x7f HTTP/1.1", 400},
      {"GET", 400},
  };
  for (const auto& [line, status] : cases)
    EXPECT_EQ(status_of(std::string(line) + "\r\nHost: x\r\n\r\n"), status) << line;
}

TEST(RequestMethods_ThatAreKnown, AreLeftToTheRouter) {
  for (const char* method :
       {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"})
    EXPECT_EQ(status_of(std::string(method) + " / HTTP/1.1\r\nHost: x\r\n\r\n"), 0) << method;
}

TEST(RequestTarget, MayBeAsLongAsTheLimit) {
  const auto with_target = [](std::size_t size) {
    return "GET /" + std::string(size - 1, 'x') + " HTTP/1.1\r\nHost: x\r\n\r\n";
  };
  EXPECT_EQ(status_of(with_target(kMostTargetBytes)), 0);
  EXPECT_EQ(status_of(with_target(kMostTargetBytes + 1)), 414);
}

TEST(RequestFields_ThatAreWrong, AreRefused) {
  const std::pair<const char*, int> cases[] = {
      {"X: y", 0},
      {"X:", 0},
      {"X: \xff", 0},
      {"X: a\tb", 0},
      {"X", 400},
      {"X : y", 400},
      {": y", 400},
      {" X: y", 400},
      {"\tfolded", 400},
      {"X: a\x01", 400},
      {"X: a\x7f", 400},
      {"X: a\rb", 400},
      {"Expect: me", 417},
      {"Expect: 100-Continue", 0},
      {"Transfer-Encoding: chunked", 501},
  };
  for (const auto& [field, status] : cases)
    EXPECT_EQ(status_of(with(std::string(field) + "\r\n")), status) << field;
}

TEST(RequestFields, MayBeAsManyAsTheLimit) {
  const auto many = [](std::size_t count) {
    std::string fields;
    for (std::size_t i = 1; i < count; ++i) fields += "X: y\r\n";  // one is Host
    return with(fields);
  };
  EXPECT_EQ(status_of(many(kMostFields)), 0);
  EXPECT_EQ(status_of(many(kMostFields + 1)), 431);
}

TEST(RequestHost, IsThereOnceAndValid) {
  const auto status = [](const std::string& hosts, const char* version) {
    return status_of("GET / HTTP/" + std::string(version) + "\r\n" + hosts + "\r\n");
  };
  EXPECT_EQ(status("", "1.1"), 400);
  EXPECT_EQ(status("", "1.0"), 0);
  EXPECT_EQ(status("Host: a\r\nHost: a\r\n", "1.1"), 400);
  EXPECT_EQ(status("Host: a\r\nhost: b\r\n", "1.0"), 400);
  EXPECT_EQ(status("Host:\r\n", "1.1"), 0);
  for (const char* host : {"a.example:80", "127.0.0.1", "[::1]:80", "a_b-c~"})
    EXPECT_EQ(status("Host: " + std::string(host) + "\r\n", "1.1"), 0) << host;
  for (const char* host : {"a b", "a/b", "<x>", "a\"b", "a@b", "\xc3\xa4"})
    EXPECT_EQ(status("Host: " + std::string(host) + "\r\n", "1.1"), 400) << host;
}

TEST(RequestConnection_IsKept, UnlessTheClientEndsIt) {
  EXPECT_TRUE(parsed(with("Connection: keep-alive\r\n")).keeps_alive);
  EXPECT_TRUE(parsed(with("Connection: closed, x-close\r\n")).keeps_alive);
  for (const char* value : {"close", "Close", "keep-alive, close", "close ,x"})
    EXPECT_FALSE(parsed(with("Connection: " + std::string(value) + "\r\n")).keeps_alive) << value;
  EXPECT_FALSE(parsed("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").keeps_alive);
}

TEST(RequestBody, HasOneLength) {
  const auto length = [](const std::string& fields) { return parsed(with(fields)).content_length; };
  EXPECT_EQ(length("Content-Length: 0\r\n"), 0U);
  EXPECT_EQ(length("Content-Length: 12\r\n"), 12U);
  EXPECT_EQ(length("Content-Length: 12\r\ncontent-length: 12\r\n"), 12U);
  EXPECT_EQ(status_of(with("Content-Length: 1\r\nContent-Length: 2\r\n")), 400);
  EXPECT_EQ(status_of(with("Content-Length: 0\r\nContent-Length: 2\r\n")), 400);
  for (const char* wrong : {"", "-1", "+1", "1 2", "0x1", "1,1"})
    EXPECT_EQ(status_of(with("Content-Length: " + std::string(wrong) + "\r\n")), 400) << wrong;
  EXPECT_EQ(status_of(with("Content-Length: 18446744073709551616\r\n")), 413);
}

TEST(RequestContinue, IsExpectedByHttp11Only) {
  EXPECT_TRUE(parsed(with("Expect: 100-continue\r\n")).expects_continue);
  EXPECT_FALSE(parsed("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n").expects_continue);
}

TEST(RequestHead_ThatIsRefused, SaysWhy) {
  const auto request = parse_request_head("GET / HTTP/1.1\r\n\r\n");
  ASSERT_FALSE(request);
  EXPECT_THAT(std::string(request.error().reason), HasSubstr("one valid Host"));
}

TEST(RequestHeadLetters, AreAllPartsOfANameAndOfAHost) {
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    for (const char c : {letter, static_cast<char>(letter - 'a' + 'A')}) {
      const std::string name(1, c);
      EXPECT_TRUE(
          parse_request_head("GET / HTTP/1.1\r\nHost: " + name + "\r\n" + name + ": value\r\n\r\n"))
          << name;
    }
  }
}

}  // namespace
}  // namespace winperf
