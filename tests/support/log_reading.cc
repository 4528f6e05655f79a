#include "tests/support/log_reading.h"

#include <memory>
#include <sstream>
#include <vector>

#include "collectors/blg/counter_list.h"
#include "collectors/blg/format.h"
#include "collectors/blg/log_reader.h"
#include "collectors/blg/log_source.h"
#include "collectors/blg/name_record.h"
#include "collectors/blg/sample_record.h"

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
    for (const auto& instance : instances->instances) text += instance.name.size();
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
    require(bytes <= record.bytes().size(), "items lie in their record, one behind the other");
    read_item(**item, blocks, require);
  }
  return true;
}

void read_others(const blg::Record& record, const Require& require) {
  const auto list = blg::read_counter_list(record.bytes());
  require(list.counters.size() * 52 <= record.bytes().size(), "counters lie in their list");
  const auto names = blg::read_name_record(record.bytes());
  require(!names || names->pairs.size() < record.bytes().size(), "names lie in their record");
}

// The blocks of every sample that has some; empty for a sample that is an error.
std::vector<Blocks> read_records(const std::string& log, const Require& require) {
  std::istringstream stream(log);
  auto reader = blg::LogReader::open(stream);
  std::vector<Blocks> samples;
  if (!reader) return samples;
  std::size_t bytes = 0;
  while (const auto read = reader->next()) {
    const bool sample =
        read->type && *read->type == static_cast<std::uint8_t>(blg::RecordType::kSample);
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
    if (sample && !sound) samples.emplace_back();
    if (sample && sound && !blocks.empty()) samples.push_back(std::move(blocks));
  }
  return samples;
}

}  // namespace

void read_all_of_log(const std::string& log, const Require& require) {
  const std::vector<Blocks> samples = read_records(log, require);
  const auto source = BlgSource::open(std::make_unique<std::istringstream>(log), "log");
  if (!source) return require(!source.error().text.empty(), "a refusal has a reason");
  require((*source)->sample_count() == samples.size(), "the source has the samples of the log");
  for (const Blocks& expected : samples) {
    const auto reply = (*source)->query("Global", {});
    require(reply.has_value() == !expected.empty(), "a sample has blocks or an error");
    require(!reply || reply->blocks == expected, "read again, a sample is the same");
  }
  const auto end = (*source)->query("Global", {});
  require(!end && end.error().code == ErrorCode::kEndOfCapture, "a replay ends");
  const auto names = (*source)->text_tables(TextTable::kCounter, Language::kEnglish);
  require(names.size() == 1, "there is one name table");
  const auto& table = names.front();
  require(!table || table->size() <= log.size() + 2, "names are not more than the log");
  const auto& summary = (*source)->summary();
  require((summary.damaged > 0) == summary.first_damage.has_value(), "damage has a first place");
}

}  // namespace winperf::testing
