// Writes the table of the exporter's own counters: as JSON for tests and generators, or as the
// string tables of the executable's resources, in which winperf_exporter.man finds its texts.
//
//   own_counters_dump json|rc FILE
//
// Runs while the program is built, so it uses nothing but the table. Source of the format: Learn,
// "STRINGTABLE resource", "Performance Counters Schema".
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "exporter/counters/own_counters.h"
#include "exporter/counters/v2_layout.h"

namespace winperf::own {
namespace {

struct Language {
  const char* name;
  const char* id;  // of the resources: the language and SUBLANG_DEFAULT
  OwnText ObjectRow::* object;
  OwnText CounterRow::* counter;
};
constexpr Language kLanguages[] = {
    {"english", "0x09, 0x01", &ObjectRow::english, &CounterRow::english},
    {"german", "0x07, 0x01", &ObjectRow::german, &CounterRow::german},
    {"french", "0x0C, 0x01", &ObjectRow::french, &CounterRow::french},
};

// As the schema of manifests has them.
const char* name_of(OwnType type) {
  switch (type) {
    case OwnType::kRawCount:
      return "perf_counter_rawcount";
    case OwnType::kLargeRawCount:
      return "perf_counter_large_rawcount";
    case OwnType::kLargeDelta:
      return "perf_counter_large_delta";
    case OwnType::kQueueLength100ns:
      return "perf_counter_100ns_queuelen_type";
    case OwnType::kBulkCount:
      return "perf_counter_bulk_count";
    case OwnType::kLargeRawFraction:
      return "perf_large_raw_fraction";
    case OwnType::kLargeRawBase:
      return "perf_large_raw_base";
    case OwnType::kTimer100ns:
      return "perf_100nsec_timer";
    case OwnType::kSampleFraction:
      return "perf_sample_fraction";
    case OwnType::kSampleBase:
      return "perf_sample_base";
    case OwnType::kAverageTimer:
      return "perf_average_timer";
    case OwnType::kAverageBulk:
      return "perf_average_bulk";
    case OwnType::kAverageBase:
      return "perf_average_base";
    case OwnType::kElapsedTime:
      return "perf_elapsed_time";
  }
  return "";
}

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[400];
  std::snprintf(text, sizeof(text), pattern, values...);
  return text;
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string json_text(const OwnText& text) {
  return "{\"name\": " + json_string(text.name) + ", \"help\": " + json_string(text.help) + '}';
}

std::string json_guid(const ProviderGuid& guid) {
  std::string text = format("\"{%08x-%04x-%04x-", guid.data1, guid.data2, guid.data3);
  for (std::size_t i = 0; i < sizeof(guid.data4); ++i)
    text += format(i == 2 ? "-%02x" : "%02x", guid.data4[i]);
  return text + "}\"";
}

// Both clocks' counters are in it too, with nothing but what PerfLib needs.
std::string json_counter(const ObjectRow& object, const V2Counter& counter) {
  std::string json = format(
      "\n      {\"id\": %u, \"type\": %u, \"type_name\": \"%s\", \"v2_bytes\": %u, "
      "\"reference\": %s, \"no_display\": %s, \"detail\": %u, \"scale\": %d",
      counter.id, static_cast<unsigned>(counter.type), name_of(counter.type), counter.bytes,
      (counter.attributes & kByReference) != 0 ? "true" : "false",
      (counter.attributes & kNoDisplay) != 0 ? "true" : "false",
      static_cast<unsigned>(counter.detail), counter.scale);
  if (counter.id >= object.counters.size()) return json + '}';
  const CounterRow& row = object.counters[counter.id];
  json += ",\n       \"symbol\": " + json_string(row.symbol) +
          format(", \"bytes\": %u, \"title_offset\": %u, \"name_id\": %u, \"help_id\": %u",
                 row.bytes, title_offset(object, counter.id), name_string(object, counter.id),
                 name_string(object, counter.id) + 1);
  if (counter.id + 1 < object.counters.size() && is_base(object.counters[counter.id + 1].type))
    json += format(", \"base\": %u", counter.id + 1);
  if (row.type == OwnType::kElapsedTime)
    json += format(", \"time\": %u, \"frequency\": %u", kTimeId, kFrequencyId);
  if (row.metric != nullptr) json += ", \"metric\": " + json_string(row.metric);
  for (const Language& language : kLanguages)
    json += format(",\n       \"%s\": ", language.name) + json_text(row.*language.counter);
  return json + '}';
}

std::string json_object(const ObjectRow& object) {
  std::string json =
      "\n    {\"symbol\": " + json_string(object.symbol) +
      ", \"guid\": " + json_guid(guid_of(object)) +
      format(", \"instances\": \"%s\", \"default_counter\": %zu, \"title_offset\": %u",
             object.has_instances ? "multiple" : "single", object.default_counter,
             title_offset(object)) +
      format(", \"name_id\": %u, \"help_id\": %u", name_string(object), name_string(object) + 1);
  for (const Language& language : kLanguages)
    json += format(",\n     \"%s\": ", language.name) + json_text(object.*language.object);
  json += ",\n     \"counters\": [";
  const char* separator = "";
  for (const V2Counter& counter : v2_counters(object)) {
    json += separator + json_counter(object, counter);
    separator = ",";
  }
  return json + "]}";
}

std::string json() {
  std::string json = "{\"provider\": " + json_guid(kProviderGuid) + ",\n  \"objects\": [";
  const char* separator = "";
  for (const ObjectRow* const object : kObjects) {
    json += separator + json_object(*object);
    separator = ",";
  }
  return json + "]}\n";
}

// In ASCII, which all resource compilers read alike. The texts are well-formed UTF-8 without
// characters of four bytes.
std::string rc_string(std::string_view text) {
  std::string quoted = "L\"";
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    if (byte(i) < 0x80) {
      if (text[i] == '"' || text[i] == '\\') quoted += text[i];
      quoted += text[i++];
    } else if (byte(i) < 0xE0) {
      quoted += format("\\x%04X", (byte(i) & 0x1FU) << 6 | (byte(i + 1) & 0x3FU));
      i += 2;
    } else {
      quoted += format(
          "\\x%04X", (byte(i) & 0x0FU) << 12 | (byte(i + 1) & 0x3FU) << 6 | (byte(i + 2) & 0x3FU));
      i += 3;
    }
  }
  return quoted + '"';
}

std::string rc_text(std::uint32_t id, const OwnText& text) {
  return format("  %u ", id) + rc_string(text.name) + '\n' + format("  %u ", id + 1) +
         rc_string(text.help) + '\n';
}

std::string rc() {
  std::string rc = "// Made by own_counters_dump.\n";
  for (const Language& language : kLanguages) {
    rc += std::string("STRINGTABLE\nLANGUAGE ") + language.id + "\nBEGIN\n";
    for (const ObjectRow* const object : kObjects) {
      rc += rc_text(name_string(*object), object->*language.object);
      for (std::size_t row = 0; row < object->counters.size(); ++row)
        rc += rc_text(name_string(*object, row), object->counters[row].*language.counter);
    }
    rc += "END\n";
  }
  return rc;
}

int dump(int argc, char** argv) {
  const std::string_view form = argc == 3 ? argv[1] : "";
  if (form != "json" && form != "rc") {
    std::fputs("usage: own_counters_dump json|rc FILE\n", stderr);
    return 2;
  }
  std::ofstream file(argv[2], std::ios::binary);
  file << (form == "json" ? json() : rc());
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "own_counters_dump: cannot write %s\n", argv[2]);
  return 1;
}

}  // namespace
}  // namespace winperf::own

int main(int argc, char** argv) { return winperf::own::dump(argc, argv); }
