// Two readers see a head: ours, which decides who may have what, and the library's, which decides
// what is asked for. Whatever the head, where both accept it they see the same, or it is refused.
#include <httplib.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/ascii.h"
#include "exporter/http/http_answers.h"
#include "exporter/text/page_format.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

Input bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

// What the library reads before it calls anything.
class LibraryReader final : public httplib::Server {
 public:
  std::optional<httplib::Request> read(std::string_view text) {
    Memory memory(text);
    std::optional<httplib::Request> request;
    bool closed = false;
    process_request(memory, {}, 0, {}, 0, false, closed, [&](httplib::Request& read) {
      request = read;
      read.headers.clear();  // nothing follows the head
    });
    return request;
  }

 private:
  class Memory final : public httplib::Stream {
   public:
    explicit Memory(std::string_view text) : text_(text) {}
    bool is_readable() const override { return false; }
    bool wait_readable() const override { return true; }
    bool wait_writable() const override { return true; }
    ssize_t read(char* to, std::size_t size) override {
      const std::size_t count = text_.copy(to, size);
      text_.remove_prefix(count);
      return static_cast<ssize_t>(count);
    }
    ssize_t write(const char*, std::size_t size) override { return static_cast<ssize_t>(size); }
    void get_remote_ip_and_port(std::string&, int&) const override {}
    void get_local_ip_and_port(std::string&, int&) const override {}
    socket_t socket() const override { return INVALID_SOCKET; }
    time_t duration() const override { return 0; }

   private:
    std::string_view text_;
  };
};

struct Field {
  std::string_view name;
  std::string_view value;
};

// What a head says, read as plainly as possible: it has been accepted.
struct PlainHead {
  explicit PlainHead(std::string_view text) {
    std::string_view line = take_line(text);
    method = take_item(line, ' ');
    target = take_item(line, ' ');
    target = target.substr(0, target.find('#'));
    version = line;
    while (!(line = take_line(text)).empty()) {
      const std::size_t colon = line.find(':');
      fields.push_back({.name = line.substr(0, colon), .value = trimmed(line.substr(colon + 1))});
    }
  }
  std::vector<std::string> values(std::string_view name) const {
    std::vector<std::string> found;
    for (const Field& field : fields)
      if (equal_names(field.name, name)) found.emplace_back(field.value);
    return found;
  }
  static std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find("\r\n"));
    text.remove_prefix(line.size() + 2);
    return line;
  }

  std::string_view method, target, version;
  std::vector<Field> fields;
};

bool is_the_same(const PlainHead& plain, const httplib::Request& request) {
  for (const char* name : {"Host", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Authorization"}) {
    std::vector<std::string> values;
    const auto [first, last] = request.headers.equal_range(name);
    std::transform(first, last, std::back_inserter(values), [](const auto& f) { return f.second; });
    if (values != plain.values(name)) return false;
  }
  for (const char* name : {"Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "Content-Length"})
    if (request.get_header_value_count(name) != plain.values(name).size()) return false;
  return !request.has_header("Transfer-Encoding") && request.method == plain.method &&
         request.target == plain.target && request.version == plain.version;
}

struct Served {
  Served() { slot.publish(testing::typical_sample(1)); }

  SampleSlot slot;
  ExporterRegistry registry{{"1", "abc", "gcc", "linux", "x86_64"}, testing::kSampledAt};
  Router router{slot, registry, {{}, {}, [] { return testing::kTaken; }}};
  HttpAnswers answers{router, {}};
  LibraryReader library;
};

void compare(std::string_view text, bool is_encrypted) {
  static Served served;
  auto head = parse_request_head(text, is_encrypted);
  if (!head) return;
  const auto request = served.library.read(text);
  const bool is_alike = request && reads_alike(*head, *request);
  if (request)
    require(is_alike == is_the_same(PlainHead(text), *request),
            "two readings are alike if they say the same about whatever decides");
  head->visitor.is_local = true;
  const std::string answer = served.answers.answer(*head, false).head;
  require(answer.starts_with("HTTP/1.1 ") && answer.contains("\r\n\r\n"), "each gets an answer");
  require(answer.contains("\r\nAccept-Ranges: none\r\n") == (!request || is_alike),
          "what is read differently is refused, and nothing else");
  require(!answer.starts_with("HTTP/1.1 1") && !answer.starts_with("HTTP/1.1 206") &&
              !answer.starts_with("HTTP/1.1 416"),
          "the library has no opinion on ranges and expectations");
}

}  // namespace

std::vector<Input> seeds() {
  return {
      bytes_of("GET /metrics HTTP/1.1\r\nHost: a:1\r\nAccept-Encoding: gzip\r\n\r\n"),
      bytes_of("POST /-/reload HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 3\r\n"
               "Expect: 100-continue\r\nContent-Type: multipart/form-data\r\n\r\n"),
      bytes_of("GET https://[::1]:9182/x?a=%20&b HTTP/1.1\r\nHost: y\r\nRange: bytes=0-1\r\n\r\n"),
      bytes_of("GET http://x?a#b HTTP/1.0\r\nRange: bytes=5-1, -\r\nAccept: a/b;q=1, c\r\n\r\n"),
      bytes_of("GET / HTTP/1.1\r\nHost: x\r\nOrigin: http://%78\r\nSec-Fetch-Site: none\r\n"
               "If-None-Match: W/\"1\", *\r\nSec-Fetch-Mode: cors\r\nX-Forwarded-For: %\r\n\r\n"),
      bytes_of("GET /version HTTP/1.1\r\nHost: x\r\nAuthorization: Basic YWxpY2U6c2VjcmV0\r\n"
               "Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n"),
      bytes_of("HEAD /%2e%u0041 HTTP/1.2\r\nHost:\r\nForwarded: for=a\r\nVia: b\r\n\r\n"),
      bytes_of("DELETE * HTTP/1.1\r\nhost: x\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n")};
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const fuzz::Input input = fuzz::copy_of(data, size);
  const std::string_view bytes(reinterpret_cast<const char*>(input.data()), input.size());
  const auto length = head_length(bytes);
  if (!length || *length > kMostHeadBytes || is_malformed(bytes.substr(0, *length))) return 0;
  fuzz::compare(bytes.substr(0, *length), false);
  fuzz::compare(bytes.substr(0, *length), true);
  return 0;
}
