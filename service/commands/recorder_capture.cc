#include "service/commands/recorder_capture.h"

#include <expected>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/base/wording.h"
#include "exporter/http/download.h"
#include "service/commands/command.h"
#include "service/commands/installed_exporter.h"
#include "service/commands/local_address.h"
#include "service/console/progress_line.h"
#include "service/console/stop_signal.h"

namespace winperf {
namespace {

namespace fs = std::filesystem;

constexpr char kPath[] = "/api/v1/recording";

// Of the service on this machine, if it can be found.
std::vector<ListenConfig> installed_addresses() {
  const auto manager = open_service_manager();
  const auto file = manager ? own_config_file(**manager)
                            : std::expected<std::string, std::string>(std::unexpected(""));
  std::error_code ignored;
  if (!file || !fs::exists(path_of(*file), ignored)) return {ListenConfig()};
  const auto loaded = load_config(*file);
  return loaded ? loaded->config.listen : std::vector{ListenConfig()};
}

std::expected<std::string, int> url_of(const RecorderCapture& capture) {
  if (!capture.url.empty()) return capture.url.substr(0, capture.url.find_last_not_of('/') + 1);
  if (capture.config_file.empty()) return local_url(installed_addresses());
  const auto config = load_or_complain(capture.config_file);
  if (!config) return std::unexpected(config.error());
  return local_url(config->listen);
}

// Writes NAME.partial, which becomes NAME at the end.
class PartialFile {
 public:
  explicit PartialFile(fs::path out) : out_(std::move(out)), partial_(out_) {
    partial_ += ".partial";
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile() {
    stream_.close();
    std::error_code ignored;
    if (is_open_) fs::remove(partial_, ignored);
  }

  // Each error is a sentence.
  std::expected<void, std::string> open() {
    std::error_code ignored;
    for (const fs::path& path : {out_, partial_})
      if (fs::exists(path, ignored))
        return std::unexpected(path_text(path) + " already exists: choose another name");
    stream_.open(partial_, std::ios::binary);
    if (!stream_) return std::unexpected(path_text(partial_) + " cannot be created");
    is_open_ = true;
    return {};
  }
  bool write(std::string_view bytes) {
    bytes_ += bytes.size();
    return static_cast<bool>(
        stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())));
  }
  std::expected<void, std::string> finish() {
    stream_.close();
    if (!stream_) return std::unexpected(path_text(partial_) + " cannot be written");
    if (const auto renamed = rename_file(partial_, out_); !renamed)
      return std::unexpected(path_text(partial_) + " cannot be renamed to " + path_text(out_) +
                             ": " + renamed.error().reason);
    is_open_ = false;
    return {};
  }
  std::uint64_t bytes() const { return bytes_; }
  bool is_good() const { return stream_.good(); }

 private:
  fs::path out_;
  fs::path partial_;
  std::ofstream stream_;
  bool is_open_ = false;
  std::uint64_t bytes_ = 0;
};

DownloadRequest request_for(const std::string& url, const RecorderCapture& capture) {
  DownloadRequest request{.origin = url, .path = kPath};
  if (!capture.since.empty()) request.parameters.emplace_back("since", capture.since);
  if (!capture.until.empty()) request.parameters.emplace_back("until", capture.until);
  for (const std::string& counterset : capture.countersets)
    request.parameters.emplace_back("counterset", counterset);
  if (capture.scrub) request.parameters.emplace_back("scrub", "true");
  return request;
}

// For what this command can't do.
std::string curl_command(const DownloadRequest& request, const std::string& out,
                         const std::string& options) {
  std::string command = "curl " + options + "-G -o " + out;
  for (const auto& [name, value] : request.parameters)
    command += " --data-urlencode \"" + name + '=' + value + '"';
  return command + ' ' + request.origin + request.path;
}

std::string failure_text(DownloadFailure failure, const std::string& url) {
  switch (failure) {
    case DownloadFailure::kBadAddress:
      return url +
             " is not the address of an exporter; write, for example, --url http://127.0.0.1:10182";
    case DownloadFailure::kNoServer:
      return "nothing listens at " + url +
             "; start the exporter, or specify its address with --url";
    case DownloadFailure::kStopped:
      return "stopped; nothing is kept";
    case DownloadFailure::kNoAnswer:
      break;
  }
  return url + " did not send a complete answer; does an exporter listen there, without TLS?";
}

std::string refusal_text(const DownloadAnswer& answer, const DownloadRequest& request,
                         const std::string& out) {
  const std::string sentence = sentence_in(answer.error);
  switch (answer.status) {
    case 401:
      return request.origin +
             " requires a user and a password, which this command cannot send; use " +
             curl_command(request, out, "-u USER ");
    case 403:
      return request.origin + " refuses access: " + sentence;
    case 404:
      return request.origin + " has no recordings: an exporter of an older version listens there";
    case 429:
      return request.origin + " is busy: " + sentence + "; try again in " +
             (answer.retry_after.empty() ? std::string("a moment") : answer.retry_after + " s");
    case 503:
      return request.origin + ": " + sentence + "; wait for a sample, or set recorder.memory";
    default:
      return request.origin + " answers with status " + std::to_string(answer.status) + ": " +
             sentence;
  }
}

std::optional<std::string> wrong_name(const std::string& out) {
  if (ascii_lower(out).ends_with(".zip")) return std::nullopt;
  return out + ": a capture from the recorder is a single file; choose a name that ends in .zip";
}

}  // namespace

std::string sentence_in(std::string_view document) {
  const auto parsed = nlohmann::json::parse(document, nullptr, false);
  if (parsed.is_object() && parsed.contains("detail") && parsed["detail"].is_string())
    return parsed["detail"];
  return std::string(document.substr(0, document.find('\n')));
}

int capture_from_recorder(const RecorderCapture& capture) {
  if (const auto why = wrong_name(capture.out)) return fail(*why, kExitUsage);
  const auto url = url_of(capture);
  if (!url) return url.error();
  const DownloadRequest request = request_for(*url, capture);
  if (!url->starts_with("http:") && !url->starts_with("https:"))
    return fail(failure_text(DownloadFailure::kBadAddress, *url), kExitUsage);
  if (url->starts_with("https:"))
    return fail(*url + " uses TLS, which this command does not support; use " +
                curl_command(request, capture.out, ""));
  PartialFile file(path_of(capture.out));
  if (const auto opened = file.open(); !opened) return fail(opened.error());
  const StopSignal stop;
  std::expected<DownloadAnswer, DownloadFailure> answer;
  {
    ProgressLine progress("waiting for " + *url);
    answer = download(request, [&](std::string_view bytes) {
      if (stop.token().stop_requested() || !file.write(bytes)) return false;
      progress.show("received " + counted(file.bytes(), "byte"));
      return true;
    });
  }
  if (!answer && answer.error() == DownloadFailure::kStopped && !file.is_good())
    return fail(capture.out + " cannot be written");
  if (!answer) return fail(printable(failure_text(answer.error(), *url)));
  constexpr int kOk = 200;
  if (answer->status != kOk) return fail(printable(refusal_text(*answer, request, capture.out)));
  if (const auto finished = file.finish(); !finished) return fail(finished.error());
  std::cout << capture.out << ": " << counted(file.bytes(), "byte") << " from " << *url << '\n';
  if (!capture.scrub)
    std::cout
        << "  the capture contains names of this machine's processes, disks and connections\n";
  std::cout << "  to view it: winperf_exporter query --source replay:" << capture.out << '\n';
  return kExitOk;
}

}  // namespace winperf
