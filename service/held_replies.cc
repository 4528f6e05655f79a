#include "service/held_replies.h"

namespace winperf {
namespace {
constexpr std::string_view kEverything = "Global";
}

bool HeldReplies::begin_round(const std::stop_token& stop) {
  replies_.clear();
  if (!is_recording_) return true;
  const auto reply = query(kEverything, stop);
  return reply || (reply.error().code != ErrorCode::kEndOfCapture &&
                   reply.error().code != ErrorCode::kCancelled);
}

std::expected<Reply, Error> HeldReplies::query(std::string_view value_name, std::stop_token stop) {
  const std::string_view asked = is_recording_ ? kEverything : value_name;
  auto known = replies_.find(asked);
  if (known == replies_.end())
    known = replies_.emplace(asked, inner_.query(asked, std::move(stop))).first;
  return known->second;
}

}  // namespace winperf
