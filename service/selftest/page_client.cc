#include "service/selftest/page_client.h"

#include <httplib.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "collectors/base/printable.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kMostOfPage = std::size_t{64} << 20;
constexpr std::size_t kShownOfPage = 200;
constexpr std::chrono::seconds kPageConnecting{10};

std::string page_failure(const PageRequest& request, httplib::Error error) {
  const std::string url = request.origin + request.path;
  if (error == httplib::Error::Connection || error == httplib::Error::ConnectionTimeout)
    return "nothing listens at " + url;
  return "no answer from " + url + ": " + httplib::to_string(error);
}

}  // namespace

std::string authorization_of(const Password& password) {
  return httplib::make_basic_authentication_header(password.user, password.password).second;
}

std::expected<PageAnswer, std::string> ask_page(const PageRequest& request) {
  httplib::Client client(request.origin);
  if (!client.is_valid()) return std::unexpected(request.origin + " is no address");
  client.set_connection_timeout(kPageConnecting);
  client.set_read_timeout(request.patience);
  client.set_max_timeout(std::chrono::milliseconds(request.patience));
  client.set_follow_location(false);
  client.set_decompress(false);
  httplib::Request asked;
  asked.method = request.is_post ? "POST" : "GET";
  asked.path = request.path;
  asked.start_time_ = std::chrono::steady_clock::now();  // send() alone doesn't note it
  for (const auto& [name, value] : request.fields) asked.headers.emplace(name, value);
  if (request.password) asked.headers.emplace("Authorization", authorization_of(*request.password));
  PageAnswer answer;
  asked.response_handler = [&](const httplib::Response& response) {
    answer.status = response.status;
    answer.type = response.get_header_value("Content-Type");
    answer.encoding = response.get_header_value("Content-Encoding");
    return true;
  };
  asked.content_receiver = [&](const char* data, std::size_t bytes, std::size_t, std::size_t) {
    if (bytes > kMostOfPage - answer.body.size()) return false;
    answer.body.append(data, bytes);
    return true;
  };
  const auto result = client.send(asked);
  if (!result) return std::unexpected(page_failure(request, result.error()));
  answer.status = result->status;
  return answer;
}

std::string describe(const PageAnswer& answer) {
  const std::string text = "HTTP status " + std::to_string(answer.status);
  constexpr int kOk = 200;
  if (answer.status == kOk) return text + ", " + std::to_string(answer.body.size()) + " bytes";
  if (answer.body.empty()) return text;
  return text + ": " + printable(answer.body.substr(0, kShownOfPage));
}

std::optional<std::string> decompressed(std::string_view gzip) {
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return std::nullopt;
  // zlib doesn't change its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(gzip.size(), kMostOfPage));
  std::string out;
  std::array<char, 64 * 1024> piece{};
  int code = Z_OK;
  while (code == Z_OK && out.size() <= kMostOfPage) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    code = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  }
  const bool is_whole = code == Z_STREAM_END && stream.avail_in == 0 && out.size() <= kMostOfPage;
  inflateEnd(&stream);
  return is_whole ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace winperf::selftest
