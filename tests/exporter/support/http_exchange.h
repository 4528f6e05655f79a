// A request as it is written, and the parts of its answer. Thread rule: pure functions.
#pragma once

#include <gtest/gtest.h>

#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "exporter/http/http_answers.h"

namespace winperf::testing {

// As the front hands it on: from this machine, if nothing else is said.
inline RequestHead request_of(const std::string& line,
                              const std::string& fields = "Host: localhost\r\n",
                              bool is_local = true) {
  auto request = parse_request_head(line + " HTTP/1.1\r\n" + fields + "\r\n");
  EXPECT_TRUE(request) << line << ": " << request.error().reason;
  if (!request) return {};
  request->visitor.is_local = is_local;
  return *std::move(request);
}

struct HttpResponse {
  int status = 0;
  std::string content_type;
  SharedText body;
  std::vector<std::pair<std::string, std::string>> headers;
};

inline HttpResponse parts_of(Answer answer) {
  HttpResponse response{
      .status = 0, .content_type = "", .body = std::move(answer.body), .headers = {}};
  const std::string& head = answer.head;
  std::from_chars(head.data() + head.find(' ') + 1, head.data() + head.size(), response.status);
  for (std::size_t at = head.find("\r\n") + 2; head.compare(at, 2, "\r\n") != 0;) {
    const std::size_t end = head.find("\r\n", at);
    const std::size_t colon = head.find(": ", at);
    response.headers.emplace_back(head.substr(at, colon - at),
                                  head.substr(colon + 2, end - colon - 2));
    if (response.headers.back().first == "Content-Type")
      response.content_type = response.headers.back().second;
    at = end + 2;
  }
  return response;
}

// "/metrics?name%5B%5D=a"
inline std::string target_of(std::string path,
                             const std::vector<std::pair<std::string, std::string>>& query) {
  const auto encoded = [](const std::string& text) {
    std::string out;
    for (const char c : text) {
      constexpr std::string_view kDigits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    }
    return out;
  };
  for (const auto& [key, value] : query)
    path += (path.contains('?') ? '&' : '?') + encoded(key) + '=' + encoded(value);
  return path;
}

}  // namespace winperf::testing
