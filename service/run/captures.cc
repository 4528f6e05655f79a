#include "service/run/captures.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/wording.h"
#include "config/quantity.h"
#include "service/run/recording.h"

namespace winperf {
namespace {

// Of countersets that fail at the same time. Only their names are kept.
constexpr std::size_t kMostNames = 20;
constexpr std::size_t kShownNames = 3;

Ticks100ns before(Ticks100ns time, std::chrono::milliseconds span) {
  constexpr std::int64_t kTicksPerMillisecond = kTicks100nsPerSecond / 1000;
  return {time.ticks - span.count() * kTicksPerMillisecond};
}

constexpr std::chrono::minutes kShortestSpan{1};

std::chrono::milliseconds half_of(std::chrono::milliseconds span) {
  return std::max<std::chrono::milliseconds>(kShortestSpan,
                                             std::chrono::floor<std::chrono::seconds>(span / 2));
}

// A client is told which parameter to change, and why after that.
std::string why_none(const api::Problem& problem) {
  const std::size_t end = problem.parameter.empty() ? std::string::npos : problem.detail.find(": ");
  return end == std::string::npos ? problem.detail : problem.detail.substr(end + 2);
}

}  // namespace

Captures::Captures(CaptureTools tools, Logger logger, ClockSource clocks,
                   ExporterRegistry& registry)
    : tools_(std::move(tools)),
      logger_(std::move(logger)),
      clocks_(std::move(clocks)),
      registry_(registry) {}

Captures::~Captures() { give_up_.request_stop(); }

void Captures::change(const CapturesConfig& config, const std::filesystem::path& folder) {
  wants_failures_ = config.counterset_fails;
  wants_samples_ = !config.counters.empty();
  if (!thread_.is_started() && !config.is_on()) return;
  if (config.is_on())
    for (const CaptureReason reason : kCaptureReasons) registry_.show_captures(name_of(reason));
  changes_.put([&](std::optional<CaptureNews>& news) {
    if (!news) news.emplace();
    news->plan = CapturePlan{.config = config, .folder = folder};
  });
  if (!thread_.is_started())
    thread_ = BackgroundThread([this] { run(); }, [this] { changes_.request_stop(); });
}

// A lack of memory costs a capture, and never samples.
void Captures::note_failure(const std::string& counterset) noexcept try {
  if (wants_failures_ && failed_.size() < kMostNames) failed_.push_back(counterset);
} catch (const std::exception&) {
  registry_.count_capture_failure();
}

void Captures::note_sample() noexcept try {
  if (failed_.empty() && !wants_samples_) return;
  changes_.put([&](std::optional<CaptureNews>& news) {
    if (!news) news.emplace();
    news->is_sampled = true;
    for (std::string& name : failed_)
      if (news->failed.size() < kMostNames) news->failed.push_back(std::move(name));
  });
  failed_.clear();
} catch (const std::exception&) {
  registry_.count_capture_failure();
}

bool Captures::end_by(SteadyTime deadline) {
  if (thread_.ended_by(deadline - kMargin)) return true;
  give_up_.request_stop();
  return thread_.ended_by(deadline);
}

void Captures::run() noexcept try { work(); } catch (const std::exception& error) {
  tell(error);
}

void Captures::tell(const std::exception& error) noexcept try {
  registry_.count_capture_failure();
  logger_->write(Event::kCaptureNotWritten, exception_text(error));
} catch (...) {  // without memory for the message, the metric alone says it
}

void Captures::work() {
  const StopToken stop = changes_.stop_token();
  while (!stop.stop_requested())
    if (auto news = changes_.wait(SteadyTime::max(), clocks_)) take(*std::move(news));
  if (auto news = changes_.wait({}, clocks_)) take(*std::move(news));
  if (config_.service_stops) capture(CaptureReason::kServiceStops, "the service stops", "");
}

// An exception, such as for lack of memory, ends the work on one piece of news alone.
void Captures::take(CaptureNews news) try {
  if (news.plan) follow(*std::move(news.plan));
  if (!news.failed.empty() && config_.counterset_fails)
    capture(CaptureReason::kCountersetFails,
            joined(news.failed, ", ", kShownNames) + (news.failed.size() == 1 ? " fails" : " fail"),
            "");
  if (news.is_sampled) look_at_counters();
} catch (const std::exception& error) {
  tell(error);
}

// A program that is restarted again and again must not push the first evidence out either.
void Captures::follow(CapturePlan plan) {
  const bool is_other_folder = plan.config.is_on() && (!files_ || files_->path() != plan.folder);
  if (is_other_folder) files_.emplace(std::move(plan.folder), tools_.prefix);
  bounds_.change(plan.config.counters, clocks_.steady_now());
  config_ = std::move(plan.config);
  if (!is_other_folder) return;
  files_->remove_unfinished();
  const Instant now = clocks_.now();
  const std::string recent = compact_time(before(now.wall, kPause));
  for (const CaptureFiles::File& file : files_->files())
    if (file.name.stamp > recent && file.name.stamp <= compact_time(now.wall))
      pace_of(file.name.reason).last = now.steady;
}

void Captures::look_at_counters() {
  for (const Crossing& crossing : bounds_.crossed_by(tools_.sample(), clocks_.steady_now()))
    if (!capture(CaptureReason::kCounter, crossing.bound, crossing.value, crossing.is_again))
      bounds_.put_back(crossing);
  for (const std::string& problem : bounds_.take_problems())
    logger_->write(Event::kSourceNotice, problem);
}

bool Captures::is_too_soon(CaptureReason reason, const std::string& subject, bool is_again) {
  CapturePace& pace = pace_of(reason);
  const SteadyTime now = clocks_.steady_now();
  const bool has_failed = pace.failed && now - *pace.failed < kRetryPause;
  const bool has_one = pace.last && now - *pace.last < kPause;
  if (!has_failed && !has_one) return false;
  if (is_again) return true;
  registry_.count_capture_left_out(name_of(reason));
  if (!has_one) return true;  // why was told
  if (!std::exchange(pace.is_told, true))
    logger_->write(Event::kCaptureNotWritten, subject,
                   "left out, because the last one for this reason was written less than " +
                       duration_text(std::chrono::milliseconds(kPause).count()) + " ago");
  return true;
}

bool Captures::capture(CaptureReason reason, const std::string& subject, const std::string& detail,
                       bool is_again) {
  if (is_too_soon(reason, subject, is_again)) return false;
  const std::string about = detail.empty() ? "" : detail + "; ";
  std::expected<std::string, std::string> written;
  try {
    written = write(reason);
  } catch (const std::exception& error) {
    written = std::unexpected(exception_text(error));
  }
  const SteadyTime now = clocks_.steady_now();
  if (written) {
    pace_of(reason) = {.last = now};
    registry_.count_capture(name_of(reason));
    logger_->write(Event::kCaptureWritten, subject, about + *written);
  } else {
    pace_of(reason).failed = now;
    registry_.count_capture_failure();
    logger_->write(Event::kCaptureNotWritten, subject, about + written.error());
  }
  return written.has_value();
}

// It may be too large. The latest part of it is better than nothing.
std::expected<Captures::Made, std::string> Captures::make(Ticks100ns until,
                                                          std::chrono::milliseconds span) const {
  for (;; span = half_of(span)) {
    auto archive = tools_.make({.since = before(until, span), .until = until}, give_up_.token());
    if (archive) return Made{.archive = *std::move(archive), .span = span};
    if (give_up_.stop_requested()) return std::unexpected("there was not enough time for it");
    if (!archive.error().is_too_large || span <= kShortestSpan)
      return std::unexpected(why_none(archive.error()));
  }
}

// There may be no time for the whole, so its latest minute comes first, then four times as much,
// and so on.
std::expected<Captures::Made, std::string> Captures::make_at_stop(Ticks100ns until) const {
  constexpr int kGrowth = 4;
  std::chrono::milliseconds span = std::min<std::chrono::milliseconds>(kShortestSpan, config_.span);
  auto best = make(until, span);
  while (span < config_.span && !give_up_.stop_requested()) {
    span = std::min(span * kGrowth, config_.span);
    auto more = make(until, span);
    if (!best || (more && more->span > best->span)) best = std::move(more);
  }
  return best;
}

std::expected<std::string, std::string> Captures::write(CaptureReason reason) {
  const Ticks100ns until = clocks_.wall_now();
  const auto made =
      reason == CaptureReason::kServiceStops ? make_at_stop(until) : make(until, config_.span);
  if (!made) return std::unexpected(made.error());
  const std::string& bytes = *made->archive.bytes.pieces().front();
  const auto stored =
      files_->store(capture_name(made->archive.name, reason), std::as_bytes(std::span(bytes)));
  if (!stored) return std::unexpected(stored.error());
  return path_text(stored->file) + " has what was recorded in the last " +
         duration_text(made->span.count()) + ", in " + counted(bytes.size(), "byte") +
         (stored->notice.empty() ? "" : "; " + stored->notice);
}

}  // namespace winperf
