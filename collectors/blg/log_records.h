// The records in a log, except for the counter list (log_layout.h), and the names in them. All
// strings of records end with a NUL. Lengths and counts are checked where they are read: an offset
// of an error is from the start of the record. Lifetime: not longer than the record's bytes. Thread
// rule: immutable, except for ItemWalk. Source: docs/blg.md, "Instances", "Name tables",
// "Registrations", "Samples".
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/counter_type.h"
#include "collectors/model/guid.h"
#include "collectors/wire/byte_view.h"

namespace winperf::blg {

// An instance as a log stores it: one text, "parent/name#number", as in counter paths; the number
// distinguishes instances with the same parent and name, and the first one has none. A name that
// contains a slash or ends like a number is ambiguous in such a text. Source: Learn, "Specifying a
// Counter Path".
struct InstanceName {
  std::string parent;  // empty if there is none
  std::string name;
  std::uint32_t number = 0;
  bool operator==(const InstanceName&) const = default;
};

// If `parent` is given, slashes in the text belong to the name.
InstanceName parse_instance_name(std::string_view text, std::string_view parent = {});

// "name#number"
std::string numbered_name(const InstanceName& instance);

// "\\\\HOST" without its backslashes.
std::string machine_name(std::string_view text);

// The same text for names that differ only in the case of ASCII letters.
std::string key_of(const InstanceName& instance);

// The UTF-16 text before the first NUL; kBadText if there is none.
[[nodiscard]] std::expected<ByteView, Error> until_nul(const ByteView& text);

// Name table record: the machine, and a part of its name table in the form of NameTable.
//
//   \\machine NUL index NUL text NUL index NUL text NUL ...     UTF-16LE
//
// A log has several of them for one machine; the table is split between pairs. The names are in the
// language of the machine that recorded the log, which the log doesn't record.
// Validated: the machine's name, and that the text ends with a NUL, so that records can be joined.
// Not validated: the pairs (NameTable does that).
struct NameRecord {
  std::string machine;  // UTF-8, without its backslashes
  std::span<const std::byte> pairs;
};

[[nodiscard]] std::expected<NameRecord, Error> read_name_record(std::span<const std::byte> record);

// Registration record: what the provider of a whole V2 counterset has registered.
//
//   u32 length of all | u32, u32, u32 bytes of the three that follow | PERF_COUNTERSET_REG_INFO
//   with its counters | the table of the counters' names | the counterset's name, UTF-16 with its
//   NUL
//
// Validated: lengths nest; the registration has its GUID, the name ends. Not validated: the
// registration's counters and their names (wire/v2/registration.h does that).
struct RegistrationRecord {
  Guid guid{};
  std::string name;                     // UTF-8
  std::vector<std::byte> registration;  // PERF_COUNTERSET_REG_INFO and what belongs to it
  std::vector<std::byte> counter_names;
  std::vector<std::byte> name_bytes;
};

[[nodiscard]] std::expected<RegistrationRecord, Error> read_registration(
    std::span<const std::byte> record);

// Sample record: what was collected at one time, with an item for each entry of the counter list.
//
//   "BL" 3 0 | u32 length of all | items: "BL" 3, u8 kind | u32 length with this header | body
//
// Validated: the lengths of record and items nest. An item with an impossible length is an Error
// that ends the walk, so the rest of the record is lost. The readers below check the items' bodies.
struct Item {
  std::uint8_t kind = 0;  // ItemKind, or an unknown kind
  ByteView body;
};

// Whether these bytes begin and end like a sample: a record that does is one, regardless of its
// type.
bool is_sample(std::span<const std::byte> record);

class ItemWalk {
 public:
  [[nodiscard]] static std::expected<ItemWalk, Error> over(std::span<const std::byte> record);

  [[nodiscard]] std::optional<std::expected<Item, Error>> next();

 private:
  explicit ItemWalk(const ByteView& rest) : rest_(rest) {}

  ByteView rest_;
};

// The raw value of one counter at one time.
struct RawValue {
  std::uint32_t status = 0;  // a PDH_CSTATUS_* code
  std::uint64_t first = 0;   // FirstValue
  std::uint64_t second = 0;  // SecondValue: the counter's time or base, depending on its type
};

// PDH_CSTATUS_VALID_DATA or PDH_CSTATUS_NEW_DATA.
constexpr bool is_valid(std::uint32_t status) { return status <= 1; }

// Whether SecondValue is the counter's time rather than its base.
constexpr bool second_is_time(const CounterTypeInfo& type) {
  return type.base == BaseKind::kNone || type.base == BaseKind::kMulti;
}

// ItemKind::kCounter.
struct CounterItem {
  RawValue value;
  std::uint64_t time = 0;  // FILETIME, local time
  std::uint32_t multi_count = 0;
};

// ItemKind::kInstances.
struct InstancesItem {
  struct Instance {
    ByteView name_bytes;  // UTF-16, without its NUL
    RawValue value;

    std::string name() const;  // UTF-8
  };

  std::uint32_t status = 0;
  std::uint64_t time = 0;  // FILETIME, local time
  std::vector<Instance> instances;
};

[[nodiscard]] std::expected<CounterItem, Error> read_counter_item(const ByteView& body);
// An instance without a sound name makes the whole item an error, because a value without a name is
// useless.
[[nodiscard]] std::expected<InstancesItem, Error> read_instances_item(const ByteView& body);
// Of an entry of such an item, whose size was proved.
RawValue value_in(const ByteView& listed);
// ItemKind::kWholeObject: the V1 block without the bytes after it; the whole body if it isn't a
// block, so that BlockView can report why.
std::span<const std::byte> block_of(const ByteView& body);

// ItemKind::kV2Reply: PERF_DATA_HEADER and one result, as PerfQueryCounterData returned them; bytes
// after its dwTotalSize are padding. Validated: there is one result, each row of which lies within
// it.
struct V2Reply {
  std::span<const std::byte> header;  // PERF_DATA_HEADER
  std::span<const std::byte> result;  // PERF_COUNTER_HEADER and its data
  std::uint64_t values = 0;           // 0 if the system answered with an error
};

[[nodiscard]] std::expected<V2Reply, Error> read_v2_reply(const ByteView& body);

}  // namespace winperf::blg
