#include "collectors/pdh/pdh_record.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

namespace winperf {
namespace {

using RecordJson = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr const char* kRecordFormat = "winperf_exporter pdh record";
constexpr int kRecordVersion = 1;
constexpr const char* kRecordPlace = "pdh.record";

// Valid documents are flatter.
constexpr int kDeepest = 8;

// JSON of another shape.
struct OtherShape {};

const RecordJson& member(const RecordJson& from, const char* name) {
  if (!from.is_object()) throw OtherShape();
  const auto found = from.find(name);
  if (found == from.end()) throw OtherShape();
  return *found;
}

const RecordJson& list_in(const RecordJson& from) {
  if (!from.is_array()) throw OtherShape();
  return from;
}

std::string text_in(const RecordJson& from) {
  if (!from.is_string()) throw OtherShape();
  return from.get<std::string>();
}

bool flag_in(const RecordJson& from) {
  if (!from.is_boolean()) throw OtherShape();
  return from.get<bool>();
}

// JSON's own integers are 64 bits wide, with or without a sign.
template <class Integer>
Integer integer_in(const RecordJson& from) {
  if (from.is_number_unsigned()) {
    const auto number = from.get<std::uint64_t>();
    if (std::in_range<Integer>(number)) return static_cast<Integer>(number);
  } else if (from.is_number_integer()) {
    const auto number = from.get<std::int64_t>();
    if (std::in_range<Integer>(number)) return static_cast<Integer>(number);
  }
  throw OtherShape();
}

double double_in(const RecordJson& from) {
  if (from.is_number()) return from.get<double>();
  const std::string text = text_in(from);
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  throw OtherShape();
}

OrderedJson json_of_double(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

const RecordJson& tuple_in(const RecordJson& from, std::size_t size) {
  if (!from.is_array() || from.size() != size) throw OtherShape();
  return from;
}

std::vector<std::string> texts_in(const RecordJson& from) {
  std::vector<std::string> texts;
  for (const RecordJson& text : list_in(from)) texts.push_back(text_in(text));
  return texts;
}

OrderedJson json_of(const PdhObject& object) {
  return {{"name", object.name}, {"index", object.index}, {"instances", object.has_instances}};
}

PdhObject object_in(const RecordJson& from) {
  return {.name = text_in(member(from, "name")),
          .index = integer_in<std::uint32_t>(member(from, "index")),
          .has_instances = flag_in(member(from, "instances"))};
}

OrderedJson json_of(const PdhQuery& query) {
  OrderedJson counters = OrderedJson::array();
  for (const PdhQuery::Counter& counter : query.counters)
    counters.push_back(OrderedJson::array({counter.name, counter.index}));
  return {{"object", json_of(query.object)}, {"counters", std::move(counters)}};
}

PdhQuery query_in(const RecordJson& from) {
  PdhQuery query{.object = object_in(member(from, "object")), .counters = {}};
  for (const RecordJson& counter : list_in(member(from, "counters"))) {
    tuple_in(counter, 2);
    query.counters.push_back(
        {.name = text_in(counter[0]), .index = integer_in<std::uint32_t>(counter[1])});
  }
  return query;
}

OrderedJson json_of(const PdhItems& items) {
  return {{"object", items.object}, {"counters", items.counters}, {"instances", items.instances}};
}

PdhItems items_in(const RecordJson& from) {
  return {.object = text_in(member(from, "object")),
          .counters = texts_in(member(from, "counters")),
          .instances = texts_in(member(from, "instances"))};
}

OrderedJson json_of(const std::vector<PdhDefinition>& definitions) {
  OrderedJson list = OrderedJson::array();
  for (const PdhDefinition& one : definitions)
    list.push_back({{"name", one.name},
                    {"local_name", one.local_name},
                    {"add_status", one.add_status},
                    {"info_status", one.info_status},
                    {"type", value_of(one.type)},
                    {"default_scale", one.default_scale},
                    {"time_base_status", one.time_base_status},
                    {"time_base", one.time_base}});
  return list;
}

std::vector<PdhDefinition> definitions_in(const RecordJson& from) {
  std::vector<PdhDefinition> definitions;
  for (const RecordJson& one : list_in(from))
    definitions.push_back(
        {.name = text_in(member(one, "name")),
         .local_name = text_in(member(one, "local_name")),
         .add_status = integer_in<std::uint32_t>(member(one, "add_status")),
         .info_status = integer_in<std::uint32_t>(member(one, "info_status")),
         .type = CounterType{integer_in<std::uint32_t>(member(one, "type"))},
         .default_scale = integer_in<std::int32_t>(member(one, "default_scale")),
         .time_base_status = integer_in<std::uint32_t>(member(one, "time_base_status")),
         .time_base = integer_in<std::int64_t>(member(one, "time_base"))});
  return definitions;
}

OrderedJson json_of(const PdhCollection& collection) {
  OrderedJson counters = OrderedJson::array();
  for (const PdhValues& values : collection.counters) {
    OrderedJson raw = OrderedJson::array();
    for (const auto& [instance, item] : values.raw)
      raw.push_back(OrderedJson::array(
          {instance, item.status, item.first, item.second, item.multi_count, item.local_time}));
    OrderedJson numbers = OrderedJson::array();
    for (const auto& [instance, number] : values.numbers)
      numbers.push_back(
          OrderedJson::array({instance, number.status, json_of_double(number.value)}));
    counters.push_back({{"name", values.name},
                        {"raw_status", values.raw_status},
                        {"raw", std::move(raw)},
                        {"number_status", values.number_status},
                        {"numbers", std::move(numbers)}});
  }
  return counters;
}

PdhRawItem raw_in(const RecordJson& from) {
  constexpr std::size_t kMembers = 6;
  tuple_in(from, kMembers);
  return {.instance = text_in(from[0]),
          .raw = {.status = integer_in<std::uint32_t>(from[1]),
                  .first = integer_in<std::int64_t>(from[2]),
                  .second = integer_in<std::int64_t>(from[3]),
                  .multi_count = integer_in<std::uint32_t>(from[4]),
                  .local_time = integer_in<std::int64_t>(from[5])}};
}

PdhNumberItem number_in(const RecordJson& from) {
  constexpr std::size_t kMembers = 3;
  tuple_in(from, kMembers);
  return {.instance = text_in(from[0]),
          .number = {.status = integer_in<std::uint32_t>(from[1]), .value = double_in(from[2])}};
}

PdhCollection collection_in(const RecordJson& from) {
  PdhCollection collection;
  for (const RecordJson& one : list_in(from)) {
    PdhValues values{.name = text_in(member(one, "name")),
                     .raw_status = integer_in<std::uint32_t>(member(one, "raw_status")),
                     .number_status = integer_in<std::uint32_t>(member(one, "number_status"))};
    for (const RecordJson& raw : list_in(member(one, "raw"))) values.raw.push_back(raw_in(raw));
    for (const RecordJson& number : list_in(member(one, "numbers")))
      values.numbers.push_back(number_in(number));
    collection.counters.push_back(std::move(values));
  }
  return collection;
}

PdhRecord record_in(const RecordJson& from) {
  PdhRecord record{.counterset = text_in(member(from, "counterset")),
                   .query = query_in(member(from, "query")),
                   .widths = {},
                   .items = items_in(member(from, "items")),
                   .definitions = definitions_in(member(from, "definitions")),
                   .moments = {}};
  for (const RecordJson& widths : list_in(member(from, "widths"))) {
    tuple_in(widths, 2);
    record.widths.push_back({.bytes = integer_in<std::uint32_t>(widths[0]),
                             .base_bytes = integer_in<std::uint32_t>(widths[1])});
  }
  const RecordJson& moments = tuple_in(member(from, "moments"), record.moments.size());
  for (std::size_t i = 0; i < record.moments.size(); ++i)
    record.moments[i] = collection_in(moments[i]);
  return record;
}

// The first line of a file; there is nothing in it.
struct RecordsHead {};
RecordsHead head_in(const RecordJson& from) {
  if (text_in(member(from, "format")) != kRecordFormat ||
      integer_in<int>(member(from, "version")) != kRecordVersion)
    throw OtherShape();
  return {};
}

// Names may have been anything.
std::string dump(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

template <class Take>
auto read_json(std::string_view text, const char* where, const Take& take,
               std::size_t limit = kMaxPdhText)
    -> std::expected<decltype(take(RecordJson())), Error> {
  if (text.size() > limit)
    return std::unexpected(Error{
        .code = ErrorCode::kLimitExceeded, .where = where, .actual = text.size(), .limit = limit});
  Error error{.code = ErrorCode::kBadText, .where = where};
  // A deep document would take many times its own size.
  const auto flat = [](int depth, RecordJson::parse_event_t, RecordJson&) {
    if (depth > kDeepest) throw OtherShape();
    return true;
  };
  try {
    return take(RecordJson::parse(text, flat));
  } catch (const RecordJson::parse_error& wrong) {
    error.offset = wrong.byte;
  } catch (const RecordJson::exception&) {  // a number that is none
  } catch (const OtherShape&) {
  }
  return std::unexpected(error);
}

}  // namespace

std::string write_names(const std::vector<std::string>& names) { return dump(OrderedJson(names)); }
PdhRead<std::vector<std::string>> read_names(std::string_view text, const char* where) {
  return read_json(text, where, texts_in);
}

std::string write_object(const PdhObject& object) { return dump(json_of(object)); }
PdhRead<PdhObject> read_object(std::string_view text, const char* where) {
  return read_json(text, where, object_in);
}

std::string write_query(const PdhQuery& query) { return dump(json_of(query)); }
PdhRead<PdhQuery> read_query(std::string_view text, const char* where) {
  return read_json(text, where, query_in);
}

std::string write_items(const PdhItems& items) { return dump(json_of(items)); }
PdhRead<PdhItems> read_items(std::string_view text, const char* where) {
  return read_json(text, where, items_in);
}

std::string write_definitions(const std::vector<PdhDefinition>& definitions) {
  return dump(json_of(definitions));
}
PdhRead<std::vector<PdhDefinition>> read_definitions(std::string_view text, const char* where) {
  return read_json(text, where, definitions_in);
}

std::string write_collection(const PdhCollection& collection) { return dump(json_of(collection)); }
PdhRead<PdhCollection> read_collection(std::string_view text, const char* where) {
  return read_json(text, where, collection_in);
}

std::string records_head() {
  return dump({{"format", kRecordFormat}, {"version", kRecordVersion}}) + '\n';
}

std::string record_line(const PdhRecord& record) {
  OrderedJson widths = OrderedJson::array();
  for (const PdhWidths& one : record.widths)
    widths.push_back(OrderedJson::array({one.bytes, one.base_bytes}));
  OrderedJson moments = OrderedJson::array();
  for (const PdhCollection& moment : record.moments) moments.push_back(json_of(moment));
  return dump({{"counterset", record.counterset},
               {"query", json_of(record.query)},
               {"widths", std::move(widths)},
               {"items", json_of(record.items)},
               {"definitions", json_of(record.definitions)},
               {"moments", std::move(moments)}}) +
         '\n';
}

PdhRead<PdhRecord> read_record(std::string_view line) {
  return read_json(line, kRecordPlace, record_in, kMaxPdhRecord);
}

PdhRead<std::vector<PdhRecord>> read_records(std::string_view file) {
  std::vector<PdhRecord> records;
  bool has_head = false;
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = std::min(file.find('\n', at), file.size());
    const std::string_view line = file.substr(at, end - at);
    std::optional<Error> error;
    if (!has_head) {
      if (const auto head = read_json(line, kRecordPlace, head_in); !head) error = head.error();
      has_head = true;
    } else if (auto record = read_record(line)) {
      records.push_back(*std::move(record));
    } else {
      error = record.error();
    }
    if (error) {
      error->offset += at;
      return std::unexpected(*error);
    }
    at = end + 1;
  }
  if (!has_head) return std::unexpected(Error{.code = ErrorCode::kBadText, .where = kRecordPlace});
  return records;
}

}  // namespace winperf
