#include "collectors/worker/error_frame.h"

#include <algorithm>
#include <string_view>

#include "collectors/base/kept_text.h"

namespace winperf::worker {
namespace {

constexpr const char* kUnknownPlace = "worker";

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
               .where = kept_text(where, kUnknownPlace),
               .offset = frame.offset,
               .actual = frame.actual,
               .limit = frame.limit,
               .os_code = frame.os_code};
}

}  // namespace winperf::worker
