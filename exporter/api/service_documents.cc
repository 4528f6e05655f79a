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
#include "exporter/json/worker_objects.h"

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

namespace {

void append_scraper(std::string& out, const Scraper& scraper) {
  json::append_field(out, "{\"address\":", scraper.address);
  json::append_field(out, ",\"user_agent\":", text_or_null(scraper.user_agent));
  json::append_field(out, ",\"last_scrape\":", scraper.last_scrape);
  json::append_field(out, ",\"age_seconds\":", scraper.age_seconds);
  json::append_field(out, ",\"interval_seconds\":", scraper.interval_seconds);
  json::append_field(out, ",\"scrapes\":", scraper.scrapes);
  json::append_field(out, ",\"early_scrapes\":", scraper.early_scrapes);
  json::append_field(out, ",\"format\":", scraper.format);
  json::append_field(out, ",\"compressed\":", scraper.is_compressed);
  out += '}';
}

}  // namespace

std::string scrapers_document(std::span<const Scraper> scrapers) {
  std::string out = "{\"scrapers\":[";
  json::append_list(out, scrapers, append_scraper);
  return out + "]}\n";
}

std::string config_document(std::string_view file, const Settings& settings) {
  const auto append = [](std::string& out, const Setting& setting) {
    const bool is_of_file = setting.line != 0;
    const char* const source = !setting.option.empty() ? "command line"
                               : is_of_file            ? "file"
                                                       : "default";
    json::append_field(out, "{\"key\":", setting.key);
    out += ",\"value\":" + setting.value;
    json::append_field(out, ",\"source\":", std::string_view(source));
    json::append_field(out, ",\"line\":", is_of_file ? std::optional(setting.line) : std::nullopt);
    json::append_field(out, ",\"option\":", text_or_null(setting.option));
    out += '}';
  };
  std::string out = "{\"file\":";
  json::append_value(out, file.empty() ? std::nullopt : std::optional(file));
  out += ",\"keys\":[";
  json::append_list(out, settings, append);
  return out + "]}\n";
}

std::string workers_document(const Sample* sample, const FactSnapshot* facts,
                             std::span<const WorkerState> of_targets) {
  std::vector<WorkerState> workers;
  if (sample != nullptr) workers = sample->workers;
  if (facts != nullptr) workers.insert(workers.end(), facts->workers.begin(), facts->workers.end());
  workers.insert(workers.end(), of_targets.begin(), of_targets.end());
  std::string out = "{\"workers\":[";
  json::append_list(out, workers, json::append_worker);
  out += "],\"providers\":[";
  if (sample != nullptr) json::append_list(out, sample->providers, json::append_provider);
  return out + "]}\n";
}

}  // namespace winperf::api
