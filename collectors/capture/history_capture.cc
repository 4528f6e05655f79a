#include "collectors/capture/history_capture.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/os_code.h"
#include "collectors/base/wording.h"
#include "collectors/capture/block_writer.h"
#include "collectors/capture/name_list.h"
#include "collectors/capture/recorded_moments.h"
#include "collectors/capture/recorder.h"
#include "collectors/capture/reply_writer.h"
#include "collectors/capture/written_counters.h"
#include "collectors/catalog/catalog.h"
#include "collectors/wire/text.h"
#include "collectors/wire/v2/data_view.h"

namespace winperf::capture {
namespace {

using recorder::Frame;
using recorder::Shape;
using recorder::Track;

// How samples of one shape are written.
struct WrittenShape {
  HiddenIdentity hidden{};
  bool own_clocks = false;
  std::vector<WrittenCounter> counters{};
  std::uint32_t index = 0;  // of the object
  std::uint32_t help_index = 0;
  bool is_left_out = false;
};

class HistoryCapture {
 public:
  HistoryCapture(const HistoryQuery& query, Scrubber* scrubber, const PutFile& put)
      : query_(query), scrubber_(scrubber), put_(put) {}

  [[nodiscard]] std::expected<CaptureSummary, std::string> run(const recorder::History& history);

 private:
  // A counterset.
  struct Line {
    const Track* track = nullptr;
    TrackReader reader;
    bool is_v2 = false;
    std::optional<Registration> registration{};
    std::uint32_t parents = 0;  // the index of the object that names them
    CapturedCounterset summary{};
  };

  void choose(const recorder::History& history);
  std::optional<std::string> why_left_out(const Track& track) const;
  [[nodiscard]] std::expected<void, std::string> plan();
  void note(const Frame& frame, const Shape& shape, std::size_t line);
  void learn(const std::shared_ptr<const InstanceSet>& instances);
  void name_shapes();
  void name_v1(const CountersetSchema& schema, WrittenShape& shape);
  void name_v2(const CountersetSchema& schema, WrittenShape& shape, Line& line);
  [[nodiscard]] std::expected<void, std::string> write_names();
  [[nodiscard]] std::expected<void, std::string> write_registrations();
  [[nodiscard]] std::expected<void, std::string> write_moment(std::span<const RecordedTime> moment);
  [[nodiscard]] std::expected<void, std::string> write_blocks(std::vector<WrittenObject> objects,
                                                              const Clocks& clocks);
  [[nodiscard]] std::expected<void, std::string> write_data(
      const std::map<std::size_t, Bytes>& results, const Clocks& clocks);
  [[nodiscard]] std::expected<void, std::string> put_scrubbed(const std::string& file,
                                                              BufferKind kind, Bytes bytes);
  void complain(std::string problem);
  [[nodiscard]] std::expected<void, std::string> check_stop() const;

  const HistoryQuery& query_;
  Scrubber* const scrubber_;
  const PutFile& put_;
  std::vector<Line> lines_;
  std::map<const Shape*, WrittenShape> shapes_;
  std::vector<std::pair<const Shape*, std::size_t>> order_;  // of the shapes, with their lines
  std::vector<RecordedTime> times_;
  std::vector<std::size_t> v2_lines_;  // in the order of their results
  NameList names_;
  NameList helps_;
  std::shared_ptr<const InstanceSet> learnt_;
  CaptureSummary summary_;
};

void HistoryCapture::complain(std::string problem) {
  auto& problems = summary_.problems;
  if (std::ranges::find(problems, problem) == problems.end())
    problems.push_back(std::move(problem));
}

// Often, because much may lie between two files.
std::expected<void, std::string> HistoryCapture::check_stop() const {
  if (query_.stop.stop_requested()) return std::unexpected("the exporter stops");
  return {};
}

const CountersetSchema& newest_schema(const Track& track) {
  return *track.chunks.back()->shape->schema;
}

// A capture's sample has each object once.
std::optional<std::string> HistoryCapture::why_left_out(const Track& track) const {
  const CountersetSchema& schema = newest_schema(track);
  if (schema.path != CounterPath::kRegistry && schema.path != CounterPath::kPerflib)
    return "it comes from a log";
  for (const Line& line : lines_) {
    const CountersetSchema& other = newest_schema(*line.track);
    if (schema.path == other.path && schema.guid == other.guid && schema.index == other.index)
      return in_quotes(line.track->name) + " is the same object";
  }
  return std::nullopt;
}

void HistoryCapture::choose(const recorder::History& history) {
  for (const auto& track : history.tracks) {
    const bool is_wanted = query_.countersets.empty() ||
                           std::ranges::any_of(query_.countersets, [&](const std::string& name) {
                             return equal_names(name, track->name);
                           });
    if (!is_wanted || track->machine != query_.machine) continue;
    if (const auto why = why_left_out(*track)) {
      complain(track->name + ": left out, because " + *why);
      continue;
    }
    lines_.push_back({.track = track.get(),
                      .reader = TrackReader(*track, query_.since, query_.until),
                      .is_v2 = newest_schema(*track).path == CounterPath::kPerflib,
                      .summary = {.name = track->name}});
  }
}

// Held, so that no other set is at its place.
void HistoryCapture::learn(const std::shared_ptr<const InstanceSet>& instances) {
  if (scrubber_ == nullptr || std::exchange(learnt_, instances) == instances) return;
  for (const InstanceSchema& instance : instances->instances) {
    scrubber_->learn(to_utf16(instance.name));
    scrubber_->learn(to_utf16(instance.parent));
  }
}

void HistoryCapture::note(const Frame& frame, const Shape& shape, std::size_t line) {
  const auto [entry, is_new] = shapes_.try_emplace(&shape);
  if (is_new) order_.emplace_back(&shape, line);
  WrittenShape& written = entry->second;
  written.own_clocks = written.own_clocks || (lines_[line].is_v2 && frame.has_own_clocks);
  written.hidden.note(*shape.schema, *frame.instances, frame.owner);
  times_.push_back({.at = frame.at, .clocks = frame.clocks, .track = line, .shape = &shape});
  learn(frame.instances);
}

std::expected<void, std::string> HistoryCapture::plan() {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (auto stop = check_stop(); !stop) return stop;
    const auto read = lines_[i].reader.for_frames(
        [&](const Frame& frame, const Shape& shape) { note(frame, shape, i); });
    if (!read) return std::unexpected(lines_[i].track->name + ": " + describe(read.error()));
  }
  name_shapes();
  return {};
}

void HistoryCapture::name_v1(const CountersetSchema& schema, WrittenShape& shape) {
  shape.index = names_.add(value_of(schema.index), schema.name);
  shape.help_index = helps_.add(value_of(schema.help_index), schema.help);
  for (WrittenCounter& counter : shape.counters) {
    if (counter.origin == Origin::kBase) continue;
    counter.index = names_.add(counter.index, counter.name);
    counter.help_index = helps_.add(counter.help_index, counter.help);
  }
}

void HistoryCapture::name_v2(const CountersetSchema& schema, WrittenShape& shape, Line& line) {
  if (!line.registration) line.registration.emplace(schema);
  if (line.registration->add(schema, shape.counters)) return;
  shape.is_left_out = true;
  complain(line.track->name + ": samples with an earlier registration are left out");
}

// The newest first, which others may contradict.
void HistoryCapture::name_shapes() {
  for (const auto& [shape, place] : order_ | std::views::reverse) {
    const CountersetSchema& schema = *shape->schema;
    WrittenShape& written = shapes_.at(shape);
    Line& line = lines_[place];
    written.counters = written_counters(schema, written.hidden, written.own_clocks);
    const bool is_of_other_path = (schema.path == CounterPath::kPerflib) != line.is_v2;
    written.is_left_out = written.counters.empty() || is_of_other_path;
    if (is_of_other_path)
      complain(line.track->name + ": samples that were read through another path are left out");
    else if (line.is_v2 && !written.is_left_out)
      name_v2(schema, written, line);
    else
      name_v1(schema, written);
  }
  for (const auto& [shape, place] : order_)
    if (lines_[place].registration)
      lines_[place].registration->add_identities(shapes_.at(shape).counters);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    lines_[i].parents = names_.reserve();
    if (lines_[i].registration) v2_lines_.push_back(i);
  }
}

std::expected<void, std::string> HistoryCapture::write_names() {
  // As every machine has it: the highest index of the names that Windows itself has.
  const std::string last = std::to_string(kLastBaseIndex);
  if (auto put = put_(kCounterTable, names_.table({"1", last})); !put) return put;
  return put_(kHelpTable, helps_.table({}));
}

std::expected<void, std::string> HistoryCapture::write_registrations() {
  if (v2_lines_.empty()) return {};
  Bytes guids;
  Bytes order;
  for (std::size_t place = 0; place < v2_lines_.size(); ++place) {
    const Registration& registration = *lines_[v2_lines_[place]].registration;
    const auto guid = std::as_bytes(std::span(registration.guid().bytes));
    guids.insert(guids.end(), guid.begin(), guid.end());
    const Bytes identifier = registration.identifier(static_cast<std::uint32_t>(place));
    order.insert(order.end(), identifier.begin(), identifier.end());
    for (const Registration::Reply& reply : registration.replies())
      if (auto put =
              put_(registration_file(registration.guid(), reply.info, reply.argument), reply.bytes);
          !put)
        return put;
  }
  if (auto put = put_(kCountersets, guids); !put) return put;
  return put_(kOrder, order);
}

std::expected<void, std::string> HistoryCapture::put_scrubbed(const std::string& file,
                                                              BufferKind kind, Bytes bytes) {
  if (scrubber_ != nullptr) {
    const auto places =
        kind == BufferKind::kBlock ? places_in_block(bytes) : places_in_v2_data(bytes);
    if (!places) return std::unexpected(file + ": " + describe(places.error()));
    scrubber_->scrub(bytes, *places);
  }
  return put_(file, bytes);
}

// Objects with the same time are in one block. There is always one, because samples are counted by
// their blocks.
std::expected<void, std::string> HistoryCapture::write_blocks(std::vector<WrittenObject> objects,
                                                              const Clocks& clocks) {
  std::uint32_t part = 0;
  auto rest = std::span(objects);
  do {
    const auto others = std::ranges::stable_partition(rest, [&](const WrittenObject& object) {
      return is_same_reply(object.sample->clocks, rest.front().sample->clocks);
    });
    const auto together = rest.first(rest.size() - others.size());
    Bytes block = write_block(together, clocks, query_.computer);
    if (auto put = put_scrubbed(block_file(summary_.samples, part++), BufferKind::kBlock,
                                std::move(block));
        !put)
      return put;
    rest = others;
  } while (!rest.empty());
  return {};
}

// `results`: by line. A counterset that has none wasn't sampled then.
std::expected<void, std::string> HistoryCapture::write_data(
    const std::map<std::size_t, Bytes>& results, const Clocks& clocks) {
  if (v2_lines_.empty()) return {};
  const Bytes none = v2::error_result(value_of(OsCode::kGuidNotFound));
  std::vector<Bytes> all;
  for (const std::size_t line : v2_lines_) {
    const auto found = results.find(line);
    all.push_back(found == results.end() ? none : found->second);
  }
  return put_scrubbed(v2_data_file(summary_.samples), BufferKind::kV2Data,
                      write_reply(all, clocks));
}

std::expected<void, std::string> HistoryCapture::write_moment(
    std::span<const RecordedTime> moment) {
  std::vector<std::shared_ptr<const CountersetSample>> samples;
  std::vector<WrittenObject> objects;
  std::map<std::size_t, Bytes> results;
  Clocks clocks = moment.front().clocks;
  for (const RecordedTime& time : moment) {
    if (auto stop = check_stop(); !stop) return stop;
    Line& line = lines_[time.track];
    auto sample = line.reader.next();
    if (!sample) return std::unexpected(line.track->name + ": " + describe(sample.error()));
    const WrittenShape& shape = shapes_.at(time.shape);
    if (*sample == nullptr || shape.is_left_out) continue;
    samples.push_back(*std::move(sample));
    if (line.is_v2) {
      results[time.track] = write_result(*samples.back(), shape.counters);
      clocks = time.clocks;
    } else {
      objects.push_back({.sample = samples.back().get(),
                         .counters = shape.counters,
                         .index = shape.index,
                         .help_index = shape.help_index,
                         .parents = line.parents});
    }
    if (line.summary.samples++ == 0) line.summary.first = time.at.wall;
    line.summary.last = time.at.wall;
  }
  if (samples.empty()) return {};
  if (auto written = write_blocks(std::move(objects), clocks); !written) return written;
  if (auto written = write_data(results, clocks); !written) return written;
  ++summary_.samples;
  return {};
}

std::expected<CaptureSummary, std::string> HistoryCapture::run(const recorder::History& history) {
  if (scrubber_ != nullptr) scrubber_->learn(to_utf16(query_.computer));
  choose(history);
  if (auto planned = plan(); !planned) return std::unexpected(planned.error());
  if (auto written = write_names(); !written) return std::unexpected(written.error());
  if (auto written = write_registrations(); !written) return std::unexpected(written.error());
  std::vector<bool> is_v2;
  for (const Line& line : lines_) is_v2.push_back(line.is_v2);
  for (const auto& moment : moments_of(std::move(times_), is_v2))
    if (auto written = write_moment(moment); !written) return std::unexpected(written.error());
  for (Line& line : lines_)
    if (line.summary.samples != 0) summary_.countersets.push_back(std::move(line.summary));
  summary_.v2_countersets = v2_lines_.size();
  return std::move(summary_);
}

}  // namespace

std::expected<CaptureSummary, std::string> capture_history(const recorder::History& history,
                                                           const HistoryQuery& query,
                                                           Scrubber* scrubber, const PutFile& put) {
  return HistoryCapture(query, scrubber, put).run(history);
}

}  // namespace winperf::capture
