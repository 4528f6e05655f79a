
#include <windows.h>

// After windows.h.
#include <wbemidl.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/returned_buffer.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"

namespace winperf {
namespace {

using Record = SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX;
constexpr DWORD kMaxProcessorBytes = 16U << 20;

// A set of logical processors: one mask for each group of 64.
using Masks = std::vector<GROUP_AFFINITY>;

struct Socket {
  Masks masks;
  std::uint32_t cores = 0;
  std::uint64_t l2_bytes = 0;
  std::uint64_t l3_bytes = 0;
};

struct Cache {
  GROUP_AFFINITY mask;
  BYTE level;
  DWORD bytes;
};

struct Topology {
  std::vector<Socket> sockets;
  std::vector<GROUP_AFFINITY> cores;
  std::vector<Cache> caches;
};

// The caller must check bounds, because the data may have grown between the calls.
[[nodiscard]] std::expected<ReturnedBuffer, Error> query_topology() {
  DWORD needed = 0;
  GetLogicalProcessorInformationEx(RelationAll, nullptr, &needed);
  auto filled = fill_returned(needed, kMaxProcessorBytes, ERROR_INSUFFICIENT_BUFFER,
                              [](ReturnedBuffer& buffer, ULONG& size) -> DWORD {
                                auto* const records = static_cast<Record*>(buffer.data());
                                if (!GetLogicalProcessorInformationEx(RelationAll, records, &size))
                                  return GetLastError();
                                buffer.filled(size);
                                return NO_ERROR;
                              });
  if (!filled) return os_failure(filled.error(), "processors");
  return *std::move(filled);
}

// The complete masks in a processor record.
Masks masks_of(const Record& record, std::size_t bytes) {
  const PROCESSOR_RELATIONSHIP& processor = record.Processor;
  constexpr std::size_t kBefore =
      offsetof(Record, Processor) + offsetof(PROCESSOR_RELATIONSHIP, GroupMask);
  if (bytes < kBefore) return {};
  const std::size_t most = (bytes - kBefore) / sizeof(GROUP_AFFINITY);
  const std::size_t count = std::min<std::size_t>(processor.GroupCount, most);
  return {processor.GroupMask, processor.GroupMask + count};
}

void add_record(Topology& topology, const Record& record, std::size_t bytes) {
  if (record.Relationship == RelationProcessorPackage) {
    topology.sockets.push_back({.masks = masks_of(record, bytes)});
  } else if (record.Relationship == RelationProcessorCore) {
    const Masks masks = masks_of(record, bytes);
    if (!masks.empty()) topology.cores.push_back(masks.front());
  } else if (record.Relationship == RelationCache &&
             bytes >= offsetof(Record, Cache) + sizeof(CACHE_RELATIONSHIP)) {
    topology.caches.push_back({record.Cache.GroupMask, record.Cache.Level, record.Cache.CacheSize});
  }
}

// Up to the first incomplete record.
Topology parse(ReturnedBuffer& buffer) {
  Topology topology;
  const auto* const first = static_cast<const std::byte*>(buffer.data());
  struct Head {
    LOGICAL_PROCESSOR_RELATIONSHIP relationship;
    DWORD size;
  };
  for (std::size_t at = 0; at < buffer.bytes();) {
    const auto* const head = buffer.at<Head>(first + at);
    if (head == nullptr || head->size < sizeof(Head)) break;
    if (buffer.range(first + at, head->size) == nullptr) break;
    add_record(topology, *reinterpret_cast<const Record*>(first + at), head->size);
    at += head->size;
  }
  return topology;
}

bool holds(const Masks& masks, const GROUP_AFFINITY& part) {
  return std::ranges::any_of(masks, [&part](const GROUP_AFFINITY& mask) {
    return mask.Group == part.Group && (mask.Mask & part.Mask) != 0;
  });
}

void place(Topology& topology) {
  for (Socket& socket : topology.sockets) {
    for (const GROUP_AFFINITY& core : topology.cores)
      if (holds(socket.masks, core)) ++socket.cores;
    for (const Cache& cache : topology.caches) {
      if (!holds(socket.masks, cache.mask)) continue;
      if (cache.level == 2) socket.l2_bytes += cache.bytes;
      if (cache.level == 3) socket.l3_bytes += cache.bytes;
    }
  }
}

void add_texts(FactRow& row) {
  const KeyReader key(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0");
  const auto add = [&](std::string_view field, const wchar_t* value) {
    put_known(row, field, without_blanks_at_end(to_utf8(key.text(value).value_or(L""))));
  };
  add("name", L"ProcessorNameString");
  add("description", L"Identifier");
  SYSTEM_INFO system{};
  GetNativeSystemInfo(&system);  // its numbers are WMI's
  row.text("architecture", std::to_string(system.wProcessorArchitecture));
}

void add_numbers(FactRow& row, const Socket& socket) {
  int logical = 0;
  for (const GROUP_AFFINITY& mask : socket.masks)
    logical += std::popcount(static_cast<std::uint64_t>(mask.Mask));
  if (socket.cores > 0) row.number("cores", socket.cores);
  if (logical > 0) row.number("logical_processors", logical);
  if (socket.l2_bytes > 0) row.number("l2_cache", static_cast<double>(socket.l2_bytes));
  if (socket.l3_bytes > 0) row.number("l3_cache", static_cast<double>(socket.l3_bytes));
}

}  // namespace

FactAnswer read_processors_without_wmi() {
  auto buffer = query_topology();
  if (!buffer) return std::unexpected(buffer.error());
  Topology topology = parse(*buffer);
  place(topology);
  FactTable table;
  for (const Socket& socket : topology.sockets) {
    const std::size_t number = table.rows.size();
    FactRow& row = table.add().text("device_id", "CPU" + std::to_string(number));
    add_texts(row);
    add_numbers(row, socket);
  }
  return table;
}

namespace {

constexpr std::wstring_view kNamespace = L"root\\cimv2";

// The load is left out on purpose: WMI measures it for a second.
[[nodiscard]] std::expected<FactTable, Error> query_processors() {
  auto answer = query_wmi(kNamespace,
                          L"SELECT DeviceID, Name, Description, Architecture, Family, "
                          L"NumberOfCores, NumberOfLogicalProcessors, L2CacheSize, L3CacheSize, "
                          L"NumberOfEnabledCore, ThreadCount FROM Win32_Processor");
  // The last two exist since Windows 10; before, WMI refuses a query that has them.
  if (answer || answer.error().os_code != static_cast<std::uint32_t>(WBEM_E_INVALID_QUERY))
    return answer;
  return query_wmi(kNamespace,
                   L"SELECT DeviceID, Name, Description, Architecture, Family, NumberOfCores, "
                   L"NumberOfLogicalProcessors, L2CacheSize, L3CacheSize FROM Win32_Processor");
}

void add_text(FactRow& row, std::string_view field, const FactRow& from, std::string_view name) {
  put_known(row, field, without_blanks_at_end(text_property(from, name)));
}

void add_kibibytes(FactRow& row, std::string_view field, const FactRow& from,
                   std::string_view name) {
  constexpr double kBytesPerKibibyte = 1'024;
  if (const auto size = number_property(from, name)) row.number(field, *size * kBytesPerKibibyte);
}

FactRow row_of(const FactRow& processor) {
  FactRow row;
  add_text(row, "device_id", processor, "DeviceID");
  add_text(row, "name", processor, "Name");
  add_text(row, "description", processor, "Description");
  copy_as_text(processor, "Architecture", row, "architecture");
  copy_as_text(processor, "Family", row, "family");
  copy_property(processor, "NumberOfCores", row, "cores");
  copy_property(processor, "NumberOfEnabledCore", row, "enabled_cores");
  copy_property(processor, "NumberOfLogicalProcessors", row, "logical_processors");
  copy_property(processor, "ThreadCount", row, "threads");
  add_kibibytes(row, "l2_cache", processor, "L2CacheSize");
  add_kibibytes(row, "l3_cache", processor, "L3CacheSize");
  return row;
}

}  // namespace

FactAnswer read_processors() {
  const auto answer = query_processors();
  if (!answer || answer->rows.empty()) return read_processors_without_wmi();
  FactTable table;
  table.problems = answer->problems;
  for (const FactRow& processor : answer->rows) table.rows.push_back(row_of(processor));
  return table;
}

}  // namespace winperf
