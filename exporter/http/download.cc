#include "exporter/http/download.h"

#include <httplib.h>

#include <algorithm>

namespace winperf {
namespace {

constexpr std::size_t kMostBytesOfAnError = 64U * 1024U;
constexpr int kOk = 200;
constexpr std::chrono::seconds kConnectionTimeout{10};

DownloadFailure failure_of(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection:
    case httplib::Error::ConnectionTimeout:
      return DownloadFailure::kNoServer;
    case httplib::Error::Canceled:
      return DownloadFailure::kStopped;
    default:
      return DownloadFailure::kNoAnswer;
  }
}

}  // namespace

std::expected<DownloadAnswer, DownloadFailure> download(
    const DownloadRequest& request, const std::function<bool(std::string_view)>& take) {
  httplib::Client client(request.origin);
  if (!client.is_valid()) return std::unexpected(DownloadFailure::kBadAddress);
  client.set_connection_timeout(kConnectionTimeout);
  client.set_read_timeout(request.patience);
  client.set_follow_location(false);
  httplib::Params parameters(request.parameters.begin(), request.parameters.end());
  DownloadAnswer answer;
  const auto result = client.Get(
      request.path, parameters, httplib::Headers{},
      [&](const httplib::Response& response) {
        answer.status = response.status;
        answer.retry_after = response.get_header_value("Retry-After");
        return true;
      },
      [&](const char* data, std::size_t size) {
        if (answer.status == kOk) return take(std::string_view(data, size));
        answer.error.append(data, std::min(size, kMostBytesOfAnError - answer.error.size()));
        return true;
      });
  if (!result) return std::unexpected(failure_of(result.error()));
  return answer;
}

}  // namespace winperf
