#include "exporter/textfile/known_textfile.h"

#include <algorithm>
#include <utility>

namespace winperf {
namespace {

// After the second loss, and at most.
constexpr std::chrono::minutes kFirstRest{1};
constexpr std::chrono::minutes kLastRest{60};
constexpr unsigned kMaxDoublings = 6;

}  // namespace

void KnownTextfile::saw(std::uint64_t reading, std::optional<FileStamp> stamp) {
  if (!stamp) *this = {};
  looked_at = reading;
  seen_ = stamp;
  problem_.clear();
  if (is_news()) return;
  losses_ = 0;
  loss_.clear();
}

void KnownTextfile::refuse(std::string problem) {
  *this = {};
  problem_ = std::move(problem);
}

void KnownTextfile::lose(std::string sentence, SteadyTime now) {
  ++losses_;
  loss_ = std::move(sentence);
  if (losses_ <= kLossesBorne) return;
  const unsigned doublings = std::min(losses_ - kLossesBorne - 1, kMaxDoublings);
  rests_until_ = now + std::min(kLastRest, kFirstRest * (1 << doublings));
}

void KnownTextfile::take(std::uint64_t reading, TextfileContent content) {
  read_at = reading;
  losses_ = 0;
  loss_.clear();
  seen_ = content.stamp;
  const bool is_gone = content.parsed == nullptr && content.problem.empty();
  if (is_gone) return saw(reading, {});
  // What is the same is shared with what was made of it.
  const bool is_same = was_read_ && content_.parsed != nullptr && content.parsed != nullptr &&
                       content.digest == content_.digest &&
                       content.stamp.state.bytes == content_.stamp.state.bytes;
  if (is_same) content.parsed = content_.parsed;
  content_ = std::move(content);
  values_ = content_.parsed != nullptr ? content_.parsed->samples : 0;
  was_read_ = true;
}

void KnownTextfile::drop() { content_.parsed.reset(); }

double KnownTextfile::modified_seconds() const {
  const auto since_1970 = content_.stamp.state.modified.time_since_epoch();
  return std::chrono::duration<double>(since_1970).count();
}

std::shared_ptr<const ParsedTextfile> KnownTextfile::shown() const {
  return losses_ <= kLossesBorne && problem_.empty() ? content_.parsed : nullptr;
}

std::string KnownTextfile::trouble() const {
  if (!problem_.empty()) return problem_;
  if (losses_ > kLossesBorne) return loss_ + "; it is tried again after a while, which grows";
  if (!loss_.empty()) return loss_;
  if (was_read_) return content_.problem;
  return "it has not been read yet: reading the files before it took too long";
}

}  // namespace winperf
