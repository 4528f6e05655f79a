// Whoever reaches the port sends requests. Whatever the bytes, and in whatever pieces they come:
// the same requests are found in them, each is well-formed for who answers it, and a refusal ends
// the connection.
#include <algorithm>
#include <string>
#include <vector>

#include "exporter/http/connection.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

Input bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

bool is_well_formed(const RequestHead& request) {
  const std::string& text = request.text;
  const bool has_target =
      text.starts_with(request.method + " /") || text.starts_with(request.method + " * ");
  return has_target && text.ends_with("\r\n\r\n") && text.size() <= kMostHeadBytes + 16 &&
         text.contains(" HTTP/1.1\r\n") && head_length(text) == text.size() &&
         std::ranges::none_of(text, [](char c) {
           return static_cast<unsigned char>(c) < ' ' && c != '\r' && c != '\n' && c != '\t';
         });
}

// What a server makes of the bytes if it reads so many at once: a request's text or a refusal's
// reason for each.
std::vector<std::string> requests_in(std::string_view bytes, std::size_t step) {
  const ConnectionLimits limits;
  const Connection::Time now{};
  Connection connection(limits, now);
  std::vector<std::string> found;
  const auto serve = [&] {
    while (const auto request = connection.take_request(now)) {
      if (*request) require(is_well_formed(**request), "a request is well-formed");
      found.emplace_back(*request ? (*request)->text : std::string((*request).error().reason));
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
  return {bytes_of("GET /metrics HTTP/1.1\r\nHost: a:1\r\nAccept-Encoding: gzip\r\n\r\n"),
          bytes_of("\r\nPOST /-/reload HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 3\r\n"
                   "Expect: 100-continue\r\n\r\nabcGET http://x/?a=%20#f HTTP/1.0\r\n\r\n"),
          bytes_of("GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, close\r\n\r\n"),
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
  return 0;
}
