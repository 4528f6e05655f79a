#include "tests/simulator/v2_replies.h"

#include <utility>

#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/identifier.h"
#include "collectors/wire/v2/registration.h"
#include "tests/simulator/processor_information.h"
#include "tests/simulator/v2_bytes.h"

namespace winperf::simulator {
namespace {

CountersetDefinition small_set() {
  return {.guid = kProcessorInformation,
          .name = u"Set",
          .counters = {{.id = 5, .name = u"five", .bytes = 4},
                       {.id = 7, .name = u"seven", .bytes = 8, .base_id = 9},
                       {.id = 9, .bytes = 4}}};
}

const std::vector<InstanceValues>& small_rows() {
  static const std::vector<InstanceValues> rows{{u"one", 1, {1, 2, 3}},
                                                {u"zw\u00F6lf", 12, {4, 5, 6}}};
  return rows;
}

using Require = void (*)(bool, const char*);

void check_error(const Error& error, std::size_t size, Require require) {
  require(kind_of(error.code) == ErrorKind::kCorrupt, "what is wrong with bytes is corrupt data");
  require(error.offset <= size, "an error lies within the bytes");
}

void read_result(const v2::ResultView& result, std::size_t size, Require require) {
  v2::RowWalk walk = result.rows();
  v2::RowWalk::Row row;
  std::size_t rows = 0;
  std::size_t values = 0;
  while (true) {
    const auto more = walk.next(row);
    if (!more) check_error(more.error(), size, require);
    if (!more || !*more) break;
    ++rows;
    values += row.values.size();
    if (row.instance) {
      require(row.instance->byte_length() >= 8, "an instance has a header");
      (void)row.instance->name();
    }
    for (const v2::CounterValue& value : row.values) (void)value.number();
  }
  require(rows <= 1 + size / 8 && values <= size / 8, "no more values than bytes can hold");
}

void read_data(std::span<const std::byte> bytes, Require require) {
  const auto data = v2::DataView::parse(bytes);
  if (!data) {
    check_error(data.error(), bytes.size(), require);
    return;
  }
  (void)data->clocks();
  v2::ResultWalk walk = data->results();
  std::size_t results = 0;
  while (const auto result = walk.next()) {
    ++results;
    if (!*result) {
      check_error(result->error(), bytes.size(), require);
    } else {
      read_result(**result, bytes.size(), require);
    }
  }
  require(results <= 1 + bytes.size() / 16, "no more results than bytes can hold");
}

}  // namespace

namespace {

// A result of every kind. Three ids, so that their block does not end at a multiple of 8.
std::vector<Bytes> results_of_every_kind(const CountersetDefinition& set, Padding padding) {
  const std::vector<std::size_t> all{0, 1, 2};
  const InstanceValues unnamed{u"", 0, {1, 2, 3}};
  return {error_result(4201), table_result({set, {1}, {unnamed}, false, false, padding}),
          table_result({set, all, {unnamed}, true, false, padding}),
          table_result({set, {0}, small_rows(), false, true, padding}),
          table_result({set, all, small_rows(), true, true, padding})};
}

std::string padding_note(Padding padding) {
  return ", padding " + std::to_string(static_cast<int>(padding));
}

}  // namespace

std::vector<V2Reply> v2_data_replies(Padding padding) {
  const CountersetDefinition set = small_set();
  const std::vector<Bytes> kinds = results_of_every_kind(set, padding);
  std::vector<V2Reply> replies;
  for (const Bytes& kind : kinds)
    replies.push_back({"kind " + std::to_string(replies.size()) + padding_note(padding),
                       data_reply({}, {&kind, 1}, padding)});
  replies.push_back({"all kinds" + padding_note(padding), data_reply({}, kinds, padding)});
  return replies;
}

std::vector<V2Reply> v2_data_replies() {
  std::vector<V2Reply> replies{{"nothing", data_reply({}, {})}};
  for (const Padding padding : kEveryPadding)
    for (V2Reply& reply : v2_data_replies(padding)) replies.push_back(std::move(reply));
  return replies;
}

std::vector<V2Reply> v2_other_replies() {
  const CountersetDefinition set = small_set();
  const std::vector<std::pair<std::uint32_t, std::u16string>> names{
      {5, u"five"}, {7, u""}, {9, u"x"}};
  const std::vector<v2::CounterRequest> requests{
      {.counterset = set.guid},
      {.counterset = set.guid, .counter_id = 5, .instance_name = u"_Total"}};
  return {{"registration", counterset_info(set)},
          {"names", string_table(names)},
          {"relative names", string_table(names, true)},
          {"text", text(u"Processor Information")},
          {"guid", guid_bytes(set.guid)},
          {"instances", instance_list(small_rows())},
          {"identifiers", identifier_list(requests)},
          {"built identifiers", v2::build_identifiers(requests)}};
}

void read_all_of_v2(std::span<const std::byte> bytes, Require require) {
  const std::size_t size = bytes.size();
  read_data(bytes, require);

  const auto counterset = v2::parse_counterset(bytes);
  if (!counterset) check_error(counterset.error(), size, require);
  if (counterset) {
    require(counterset->counters.size() * 48 <= size, "no more counters than bytes can hold");
    for (const Error& problem : counterset->problems) check_error(problem, size, require);
  }
  const v2::StringTable table = v2::parse_string_table(bytes);
  require(table.texts.size() * 8 <= size, "no more strings than bytes can hold");
  for (const Error& problem : table.problems) check_error(problem, size, require);
  const auto text = v2::parse_string(bytes);
  if (!text) check_error(text.error(), size, require);
  const auto guid = v2::parse_guid_bytes(bytes);
  require(guid.has_value() == (size >= 16), "a GUID is 16 bytes");
  const v2::InstanceList instances = v2::parse_instances(bytes);
  require(instances.all.size() * 8 <= size, "no more instances than bytes can hold");
  for (const Error& problem : instances.problems) check_error(problem, size, require);
  const v2::Identifiers identifiers = v2::parse_identifiers(bytes);
  require(identifiers.all.size() * 40 <= size, "no more identifiers than bytes can hold");
  if (identifiers.problem) check_error(*identifiers.problem, size, require);
}

}  // namespace winperf::simulator
