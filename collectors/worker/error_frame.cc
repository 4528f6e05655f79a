#include "collectors/worker/error_frame.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace winperf::worker {
namespace {

constexpr std::size_t kMaxKept = 256;
constexpr const char* kUnknownPlace = "worker";

const char* kept(std::string_view text) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> all;
  const auto is_printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (!std::ranges::all_of(text, is_printable)) return kUnknownPlace;
  const std::lock_guard lock(mutex);
  auto found = all.find(text);
  if (found == all.end()) {
    if (all.size() >= kMaxKept) return kUnknownPlace;
    found = all.emplace(text).first;
  }
  return found->c_str();
}

}  // namespace

ErrorFrame frame_of(const Error& error) {
  ErrorFrame frame{.code = static_cast<std::uint32_t>(error.code),
                   .os_code = error.os_code,
                   .offset = error.offset,
                   .actual = error.actual,
                   .limit = error.limit,
                   .where = {}};
  std::string_view(error.where).copy(frame.where.data(), frame.where.size() - 1);
  return frame;
}

std::optional<Error> read_error(const ErrorFrame& frame) {
  if (frame.code >= kErrorCodeCount) return std::nullopt;
  const auto end = std::ranges::find(frame.where, '\0');
  const std::string_view where = end == frame.where.end()
                                     ? std::string_view(kUnknownPlace)
                                     : std::string_view(frame.where.begin(), end);
  return Error{.code = static_cast<ErrorCode>(frame.code),
               .where = kept(where),
               .offset = frame.offset,
               .actual = frame.actual,
               .limit = frame.limit,
               .os_code = frame.os_code};
}

}  // namespace winperf::worker
