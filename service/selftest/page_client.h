// Asks a server that a check has started, without TLS. Answers are bytes that weren't validated, at
// most 64 MiB of them. Errors: a sentence, such as that nothing listens there. Thread rule: pure
// functions.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf::selftest {

struct Password {
  std::string user;
  std::string password;
};

// The value of the field Authorization.
std::string authorization_of(const Password& password);

struct PageRequest {
  std::string origin;  // "http://127.0.0.1:4711"
  std::string path = "/metrics";
  std::vector<std::pair<std::string, std::string>> fields{};  // of the head
  std::optional<Password> password{};
  bool is_post = false;
  std::chrono::seconds patience{60};  // for the whole answer
};

struct PageAnswer {
  int status = 0;
  std::string type{};      // Content-Type
  std::string encoding{};  // Content-Encoding
  std::string body{};
};

[[nodiscard]] std::expected<PageAnswer, std::string> ask_page(const PageRequest& request);

// "HTTP status 404", with the beginning of the body, or "HTTP status 200, 12 bytes", since what was
// sent then may have names of the machine.
std::string describe(const PageAnswer& answer);

// What gzip has compressed; nothing if it is damaged or becomes more than 64 MiB.
std::optional<std::string> decompressed(std::string_view gzip);

}  // namespace winperf::selftest
