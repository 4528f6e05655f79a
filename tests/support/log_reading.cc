#include "tests/support/log_reading.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "collectors/blg/format.h"
#include "collectors/blg/log_layout.h"
#include "collectors/blg/log_reader.h"
#include "collectors/blg/log_records.h"
#include "collectors/blg/log_source.h"
#include "collectors/blg/sample_values.h"
#include "collectors/catalog/catalog.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"

namespace winperf::testing {
namespace {

using Require = std::function<void(bool, const char*)>;
using Blocks = std::vector<Bytes>;

void read_item(const blg::Item& item, Blocks& blocks, const Require& require) {
  const auto counter = blg::read_counter_item(item.body);
  require(counter.has_value() == (item.body.size() >= 36), "a counter's item is whole or refused");
  const auto instances = blg::read_instances_item(item.body);
  if (instances) {
    std::size_t text = 0;
    for (const auto& instance : instances->instances) text += instance.name().size();
    // A unit of 2 bytes becomes 3 at most.
    require(instances->instances.size() * 26 <= item.body.size(), "instances lie in their item");
    require(text * 2 <= item.body.size() * 3, "names are not more than their bytes");
  }
  const auto block = blg::block_of(item.body);
  require(block.data() == item.body.bytes().data() && block.size() <= item.body.size(),
          "a block lies in its item");
  if (item.kind == static_cast<std::uint8_t>(blg::ItemKind::kWholeObject))
    blocks.emplace_back(block.begin(), block.end());
}

// Whether all of its items are sound.
bool read_sample(const blg::Record& record, Blocks& blocks, const Require& require) {
  auto items = blg::ItemWalk::over(record.bytes());
  if (!items) return false;
  std::size_t bytes = 8;
  while (const auto item = items->next()) {
    if (!*item) return false;
    bytes += 8 + (*item)->body.size();
    require(bytes <= record.bytes().size(), "items lie in their record, one after another");
    read_item(**item, blocks, require);
  }
  return true;
}

void read_others(const blg::Record& record, const Require& require) {
  const auto registration = blg::read_registration(record.bytes());
  require(!registration || registration->registration.size() + registration->counter_names.size() +
                                   registration->name_bytes.size() <
                               record.bytes().size(),
          "a registration lies in its record");
  const auto list = blg::read_counter_list(record.bytes());
  require(list.counters.size() * 52 <= record.bytes().size(), "counters lie in their list");
  const auto names = blg::read_name_record(record.bytes());
  require(!names || names->pairs.size() < record.bytes().size(), "names lie in their record");
}

// The blocks of every sample, of all machines; nothing for a sample that is an error.
using Samples = std::vector<std::optional<Blocks>>;

bool is_sample(const blg::JoinedRecord& read) {
  return read.type == static_cast<std::uint8_t>(blg::RecordType::kSample) ||
         (read.record && blg::is_sample(read.record->bytes()));
}

// From where the reader is. `left_over`: where a sample may have lost its beginning.
Samples read_records(blg::LogReader& reader, const std::string& log,
                     std::optional<std::uint64_t> left_over, const Require& require) {
  Samples samples;
  std::size_t bytes = 0;
  while (const auto read = reader.next()) {
    if (samples.empty() && !read->record && read->record.error().offset == left_over) continue;
    const bool sample = is_sample(*read);
    Blocks blocks;
    bool sound = false;
    if (read->record) {
      bytes += 72 + read->record->bytes().size();
      require(bytes <= log.size(), "records are not more than the log");
      require(read->record->place().event <= log.size(), "a record lies in the log");
      sound = sample && read_sample(*read->record, blocks, require);
      read_others(*read->record, require);
    } else {
      require(read->record.error().offset <= log.size(), "an error lies in the log");
      require(kind_of(read->record.error().code) == ErrorKind::kCorrupt, "damage is corrupt data");
    }
    if (sample) samples.push_back(sound ? std::optional(std::move(blocks)) : std::nullopt);
  }
  return samples;
}

// In the order of the file, or of the source.
Samples read_records(const std::string& log, bool has_wrapped, const Require& require) {
  std::istringstream stream(log);
  auto reader = blg::LogReader::open(stream);
  if (!reader) return {};
  const Samples in_file = read_records(*reader, log, std::nullopt, require);
  if (!has_wrapped) return in_file;
  const auto oldest = reader->oldest_run();
  require(oldest.has_value(), "a log that has wrapped has an older run");
  reader->start_at(*oldest);
  return read_records(*reader, log, oldest->event, require);
}

// Its replies have a result for each counterset, whatever the log holds.
void read_countersets(const blg::BlgSource& source, const Samples& expected,
                      const Require& require) {
  const auto recording = source.v2_countersets();
  if (recording == nullptr) return;
  const std::size_t countersets = recording->countersets()->size() / Guid::kBytes;
  require(v2::parse_identifiers(*recording->order()).all.size() == countersets,
          "each counterset has its place");
  for (std::uint32_t sample = 0; sample < recording->samples(); ++sample) {
    const auto reply = recording->reply(sample);
    require(reply.has_value() == expected[sample].has_value(), "a sample has a reply or an error");
    if (!reply) continue;
    const auto data = v2::DataView::parse(*reply);
    require(data && data->result_count() == countersets, "a reply is sound");
    v2::ResultWalk results = data->results();
    std::size_t sound = 0;
    while (const auto result = results.next()) sound += *result ? 1U : 0U;
    require(sound == countersets, "each counterset has a result");
  }
}

void check_logged(const LoggedObject& object, const Require& require) {
  const CountersetSample& values = *object.values;
  const std::size_t cells = values.rows() * values.columns();
  require(cells != 0 || values.schema->multi_instance, "an object without instances has values");
  require(values.columns() != 0, "an object has counters");
  require(cells <= blg::kMaxCells, "cells are limited");
  require(values.raw.size() == cells && values.reason.size() == cells &&
              values.own_clocks.size() == cells,
          "there is one of each for a cell");
}

void check_cooked(const CountersetSample& sample, const Require& require) {
  for (std::size_t cell = 0; cell < sample.reason.size(); ++cell)
    require(sample.reason[cell] != NoValue::kNone || std::isfinite(sample.cooked[cell]),
            "a value is finite");
}

// All samples of one machine; their blocks are appended to those of the machines before it.
void replay(blg::BlgSource& source, const Samples& expected, Samples& samples,
            const Require& require) {
  require(source.sample_count() == expected.size(), "the source has the samples of the log");
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  ObjectSampler sampler;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto reply = source.query("Global", {});
    require(reply.has_value() == expected[i].has_value(), "a sample has a reply or an error");
    if (!reply) continue;
    if (!samples[i]) samples[i].emplace();
    samples[i]->insert(samples[i]->end(), reply->blocks.begin(), reply->blocks.end());
    for (const LoggedObject& object : reply->logged) check_logged(object, require);
    const SampledObjects taken = sampler.take(*reply, catalog, 1, {});
    for (const auto& sample : taken.samples) check_cooked(*sample, require);
  }
  const auto end = source.query("Global", {});
  require(!end && end.error().code == ErrorCode::kEndOfCapture, "a replay ends");
}

std::vector<std::size_t> sizes_of(Samples samples) {
  std::vector<std::size_t> sizes;
  for (auto& blocks : samples) {
    sizes.push_back(blocks ? 1 : 0);
    if (!blocks) continue;
    std::ranges::sort(*blocks);
    for (const Bytes& block : *blocks) sizes.push_back(block.size());
  }
  return sizes;
}

}  // namespace

void read_all_of_log(const std::string& log, const Require& require) {
  const auto machines = blg::BlgSource::open(std::make_unique<std::istringstream>(log), "log");
  const bool has_wrapped = machines && machines->front()->summary().oldest_run;
  const Samples expected = read_records(log, has_wrapped, require);
  if (!machines) return require(!machines.error().text.empty(), "a refusal has a reason");
  require(!machines->empty(), "a log has a machine");
  Samples samples(expected.size());
  for (const auto& source : *machines) {
    replay(*source, expected, samples, require);
    const auto names = source->text_tables(TextTable::kCounter, Language::kEnglish);
    require(names.size() == 1, "there is one name table");
  }
  read_countersets(*machines->front(), expected, require);
  require(sizes_of(samples) == sizes_of(expected), "read again, the samples are the same");
  const auto& summary = machines->front()->summary();
  require((summary.damaged > 0) == summary.first_damage.has_value(), "damage has a first place");
  require((summary.missing_values > 0) == summary.first_missing.has_value(),
          "missing values have a first one");
  require(!blg::describe(summary).empty(), "a log can be described");
}

}  // namespace winperf::testing
