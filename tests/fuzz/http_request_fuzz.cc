// Whoever reaches the port sends requests. Whatever the bytes, and in whatever pieces they come:
// the same requests are found in them, each is well-formed for who answers it, and a refusal ends
// the connection.
#include <algorithm>
#include <string>
#include <vector>

#include "exporter/auth/password_gate.h"
#include "exporter/http/connection.h"
#include "exporter/http/router.h"
#include "exporter/text/gzip.h"
#include "exporter/text/page_format.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

Input bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

bool is_well_formed(const RequestHead& request) {
  return (request.target.starts_with('/') || request.target == "*") &&
         request.target.size() <= kMostTargetBytes + 1 &&
         std::ranges::all_of(request.target, is_visible) &&
         std::ranges::all_of(request.visitor.host, is_visible) &&
         request.visitor.host.size() <= kMostHeadBytes;
}

// Lists of encodings and of tags mean the same with an item more that says nothing.
void check_lists(const RequestHead& request) {
  const std::string& encodings = request.accept_encoding;
  if (!encodings.contains('"'))
    require(accepts_gzip(encodings) == accepts_gzip(encodings + ", x;q=0.1"),
            "another encoding doesn't matter to one that is named");
  const std::string& tags = request.if_none_match;
  if (has_entity_tag(tags, "\"1\"") && !tags.contains('*'))
    require(tags.contains("\"1\""), "a tag that is found is there");
}

// All that an answer may depend on.
std::string text_of(const RequestHead& request) {
  const Visitor& visitor = request.visitor;
  std::string text = request.method + ' ' + request.target + '\n' + visitor.host + '\n';
  for (const auto& field : {visitor.origin, visitor.fetch_site, visitor.fetch_mode})
    text += field ? '=' + *field + '\n' : "\n";
  text += std::string(media_type(preferred_format(request.accept))) + '\n' + request.accept + '\n';
  const auto credentials = parse_basic_credentials(request.authorization.value_or(""));
  if (credentials) text += credentials->user + ':' + credentials->password + '\n';
  return text + request.authorization.value_or("-") + '\n' + request.accept_encoding + '\n' +
         request.if_none_match + '\n' + request.last_event_id.value_or("-") +
         (visitor.is_forwarded ? "\nforwarded" : "");
}

// What a server makes of the bytes if it reads so many at once: a request or a refusal's
// reason for each.
std::vector<std::string> requests_in(std::string_view bytes, std::size_t step,
                                     bool is_encrypted = false) {
  const ConnectionLimits limits;
  const Connection::Time now{};
  Connection connection(limits, now, is_encrypted);
  std::vector<std::string> found;
  const auto serve = [&] {
    while (const auto request = connection.take_request(now)) {
      if (*request) {
        require(is_well_formed(**request), "a request is well-formed");
        check_lists(**request);
      }
      found.emplace_back(*request ? text_of(**request) : std::string((*request).error().reason));
      Answer answer;
      answer.head = "x";
      connection.answer(answer, now);
      connection.sent(1, now);
      const bool over = connection.stage() == Connection::Stage::kEnding ||
                        connection.stage() == Connection::Stage::kOver;
      require(*request || over, "a refusal ends the connection");
    }
  };
  while (!bytes.empty() && connection.is_waiting()) {
    connection.receive(bytes.substr(0, step), now);
    bytes.remove_prefix(std::min(step, bytes.size()));
    serve();
  }
  if (connection.is_waiting()) connection.receive_end(now);
  serve();
  return found;
}

}  // namespace

std::vector<Input> seeds() {
  return {
      bytes_of("GET /metrics HTTP/1.1\r\nHost: a:1\r\nAccept-Encoding: gzip\r\n\r\n"),
      bytes_of("\r\nPOST /-/reload HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 3\r\n"
               "Expect: 100-continue\r\n\r\nabcGET http://x/?a=%20#f HTTP/1.0\r\n\r\n"),
      bytes_of("GET https://[::1]:9182/x HTTP/1.1\r\nHost: y\r\nAccept-Encoding: br;q=0, "
               "*;q=0.5, gzip ; q=0.000\r\nIf-None-Match: \"a\", W/\"b,c\"\r\n\r\n"),
      bytes_of("GET / HTTP/1.1\r\nHost: x\r\nOrigin: http://y\r\nSec-Fetch-Site: none\r\n"
               "If-None-Match: W/\"1\", *\r\nSec-Fetch-Mode: cors\r\nX-Forwarded-For: z\r\n\r\n"),
      bytes_of("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic YWxpY2U6c2VjcmV0\r\n\r\n"),
      bytes_of("GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, close\r\n\r\n"),
      bytes_of(
          "GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: application/openmetrics-text;version=1.0.0;"
          "q=0.6,text/plain;version=\"0.0.4\";q=0.3\r\nAccept: */*;q=0.2\r\n\r\n"),
      bytes_of("HEAD * HTTP/1.2\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")};
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const fuzz::Input input = fuzz::copy_of(data, size);
  const std::string_view bytes(reinterpret_cast<const char*>(input.data()), input.size());
  const auto whole = fuzz::requests_in(bytes, std::max<std::size_t>(1, size));
  fuzz::require(fuzz::requests_in(bytes, 1) == whole, "single bytes are the same requests");
  fuzz::require(fuzz::requests_in(bytes, 7) == whole, "pieces are the same requests");
  const auto by_tls = fuzz::requests_in(bytes, 5, true);
  fuzz::require(by_tls.size() >= whole.size(), "by TLS nothing is refused that otherwise isn't");
  return 0;
}
