#include "exporter/api/service_documents.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

#include "collectors/base/wording.h"
#include "collectors/model/raw_reading.h"
#include "collectors/recorder/interruptions.h"
#include "config/quantity.h"
#include "exporter/api/history_query.h"
#include "exporter/json/json_text.h"

namespace winperf::api {
namespace {

std::optional<std::string_view> text_or_null(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

void append_message(std::string& out, const Message& message) {
  json::append_field(out, "{\"time\":", message.time);
  json::append_field(out, ",\"level\":", message.level);
  json::append_field(out, ",\"event\":", message.event);
  json::append_field(out, ",\"subject\":", text_or_null(message.subject));
  json::append_field(out, ",\"text\":", message.text);
  out += '}';
}

// Those from that time on.
std::span<const Message> since(std::span<const Message> messages, std::optional<Ticks100ns> time) {
  const auto first = std::ranges::find_if(
      messages, [&](const Message& message) { return !time || message.time >= *time; });
  return messages.subspan(static_cast<std::size_t>(first - messages.begin()));
}

struct Annotation {
  Ticks100ns time;
  std::optional<Ticks100ns> until{};
  std::optional<double> seconds{};
  std::string_view kind;
  std::string subject{};
  std::string text{};
};

void append_annotation(std::string& out, const Annotation& annotation) {
  json::append_field(out, "{\"time\":", annotation.time);
  json::append_field(out, ",\"until\":", annotation.until);
  json::append_field(out, ",\"seconds\":", annotation.seconds);
  json::append_field(out, ",\"kind\":", annotation.kind);
  json::append_field(out, ",\"subject\":", text_or_null(annotation.subject));
  json::append_field(out, ",\"text\":", annotation.text);
  out += '}';
}

double seconds_between(Ticks100ns from, Ticks100ns to) {
  return static_cast<double>(to.ticks - from.ticks) / static_cast<double>(kTicks100nsPerSecond);
}

// As people write it.
std::string rounded(double seconds) {
  return duration_text(std::max<std::int64_t>(std::llround(seconds), 1) * 1'000);
}

Annotation annotation_of(const recorder::Interruption& one) {
  // A clock may be adjusted by less.
  constexpr double kMuch = 1;
  const auto& names = one.countersets;
  const double wall = seconds_between(one.before.wall, one.after.wall);
  const double steady = std::chrono::duration<double>(one.after.steady - one.before.steady).count();
  Annotation annotation{.time = one.before.wall,
                        .kind = name_of(one.reason),
                        .subject = names.size() == 1 ? names.front() : ""};
  if (one.reason == NoValue::kClockBackwards) {
    annotation.time = one.after.wall;
    annotation.seconds = steady - wall;
    annotation.text = "the clock was set back by " + rounded(steady - wall);
    return annotation;
  }
  annotation.until = one.after.wall;
  annotation.seconds = wall;
  annotation.text = "no sample of " + counted(names.size(), "counterset") + " for " + rounded(wall);
  if (wall > steady + kMuch)
    annotation.text += "; the machine was suspended, or its clock was set forward";
  return annotation;
}

}  // namespace

std::expected<std::string, Problem> log_document(std::span<const Message> messages,
                                                 const Query& parameters, Ticks100ns now) {
  const auto count = count_in(parameters, kMostMessages);
  if (!count) return std::unexpected(count.error());
  const auto time = moment_in(parameters, "since", now);
  if (!time) return std::unexpected(time.error());
  const auto wanted = since(messages, *time);
  std::string out = "{\"messages\":[";
  json::append_list(out, wanted.last(std::min(wanted.size(), count->value_or(kUsualMessages))),
                    append_message);
  return out + "]}\n";
}

std::expected<std::string, Problem> annotations_document(std::span<const Message> landmarks,
                                                         const recorder::History* history,
                                                         const Query& parameters, Ticks100ns now) {
  const auto time = moment_in(parameters, "since", now);
  if (!time) return std::unexpected(time.error());
  std::vector<Annotation> all;
  for (const Message& message : since(landmarks, *time))
    all.push_back({.time = message.time,
                   .kind = message.event,
                   .subject = message.subject,
                   .text = message.text});
  if (history != nullptr) {
    const auto found =
        recorder::interruptions(*history, time->value_or(Ticks100ns{}), kMostInterruptions);
    if (!found) return std::unexpected(Problem{.status = 500, .detail = describe(found.error())});
    std::ranges::transform(*found, std::back_inserter(all), annotation_of);
  }
  std::ranges::stable_sort(all, {}, &Annotation::time);
  std::string out = "{\"annotations\":[";
  json::append_list(out, all, append_annotation);
  return out + "]}\n";
}

}  // namespace winperf::api
