// Downloads a file from an exporter that is running, without TLS. Thread rule: pure functions.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winperf {

struct DownloadRequest {
  std::string origin;  // "http://127.0.0.1:10182"
  std::string path;
  std::vector<std::pair<std::string, std::string>> parameters{};
  std::chrono::seconds patience{120};  // until the answer begins, and between its pieces
};

struct DownloadAnswer {
  int status = 0;
  std::string error{};        // the document, unless the status is 200; its beginning
  std::string retry_after{};  // empty: the server doesn't say
};

enum class DownloadFailure {
  kBadAddress,  // no address of a server
  kNoServer,    // nothing listens there
  kNoAnswer,    // in time, or it ended early
  kStopped,     // by `take`
};

// `take` gets the file in pieces, and returns false to stop.
[[nodiscard]] std::expected<DownloadAnswer, DownloadFailure> download(
    const DownloadRequest& request, const std::function<bool(std::string_view)>& take);

}  // namespace winperf
