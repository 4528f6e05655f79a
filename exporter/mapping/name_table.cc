#include "exporter/mapping/name_table.h"

#include <algorithm>
#include <vector>

#include "collectors/base/ascii.h"
#include "exporter/profiles/name_template.h"

namespace winperf {
namespace {

constexpr std::string_view kInstallation = "installation";

constexpr std::string_view kLabel = "sql_instance";
constexpr std::string_view kDefault = "MSSQLSERVER";

// The first one that fits counts. Analysis Services has its version in the name of the default
// instance's objects only, so it is left out.
constexpr InstallationRow kRows[] = {
    {"MSSQL${installation:first}:{rest}", "SQLServer:{rest}", kLabel},
    {"SQLServer:{rest}", "SQLServer:{rest}", kLabel, kDefault},
    {"SQLAgent${installation:first}:{rest}", "SQLAgent:{rest}", kLabel},
    {"SQLAgent:{rest}", "SQLAgent:{rest}", kLabel, kDefault},
    {"MSOLAP${installation:first}:{rest}", "MSAS:{rest}", kLabel},
    {"MSAS{version:number}:{rest}", "MSAS:{rest}", kLabel, kDefault},
    {"MSAS {version:number}:{rest}", "MSAS:{rest}", kLabel, kDefault},
    {"MSRS {product:first}${installation:first}:{rest}", "MSRS {product} {rest}", kLabel},
    {"MSRS {product:first}${installation}", "MSRS {product}", kLabel},
    {"MSRS {product}", "MSRS {product}", kLabel, kDefault},
    {"ReportServer${installation:first}:{rest}", "ReportServer:{rest}", kLabel},
    {"ReportServer:{rest}", "ReportServer:{rest}", kLabel, kDefault},
};

std::string_view value_of(const std::vector<LabelPart>& parts, std::string_view name) {
  const auto found = std::ranges::find(parts, name, &LabelPart::name);
  return found == parts.end() ? std::string_view() : std::string_view(found->value);
}

// The template with the parts in their places.
std::string filled(std::string_view text, const std::vector<LabelPart>& parts) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    result += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    result += value_of(parts, text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return result;
}

}  // namespace

std::span<const InstallationRow> installation_rows() { return kRows; }

Installation installation_of(std::string_view object) {
  for (const InstallationRow& row : kRows) {
    const auto parts = match_name(row.name, object);
    if (!parts) continue;
    const std::string_view value = value_of(*parts, kInstallation);
    // A name that should have one and has none isn't of this form.
    if (value.empty() && row.default_value.empty()) continue;
    return {.object = filled(row.object, *parts),
            .label = row.label,
            .value = std::string(value.empty() ? row.default_value : value)};
  }
  return {.object = std::string(object)};
}

namespace {

constexpr ObjectRow af(std::string_view object, std::string_view words, std::string_view family) {
  return {.object = object, .words = words, .af = family};
}

constexpr ObjectRow kObjects[] = {
    {.object = "Processor Information", .instance_label = "core", .words = "cpu"},
    {.object = "Processor",
     .instance_label = "core",
     .words = "cpu",
     .newer = "Processor Information",
     .words_with_newer = "legacy_cpu"},
    {"LogicalDisk", "volume"},
    {"PhysicalDisk", "disk"},
    {"Network Interface|Network Adapter", "nic"},
    {"Process|Process V2", "process"},
    {"Thread", "thread", "process"},
    {"Paging File", "file"},
    af("IPv4", "ip", "ipv4"),
    af("IPv6", "ip", "ipv6"),
    af("ICMP", "icmp", "ipv4"),
    af("ICMPv6", "icmp", "ipv6"),
    af("TCPv4", "tcp", "ipv4"),
    af("TCPv6", "tcp", "ipv6"),
    af("UDPv4", "udp", "ipv4"),
    af("UDPv6", "udp", "ipv6"),
    {"Web Service|SMTP Server|Microsoft FTP Service", "site"},
    {"APP_POOL_WAS|W3SVC_W3WP|HTTP Service Request Queues", "app"},
    {"ASP.NET Applications|ASP.NET Apps *", "app"},
    {".NET CLR *", "process"},
    {"SQLServer:Databases|SQLServer:Database Replica|SQLServer:Database Mirroring", "database"},
    {"SMB Client Shares|SMB Server Shares", "share"},
    {"DFS Replicated Folders", "folder"},
    {"DFS Replication Connections", "connection"},
    {"DFS Replication Service Volumes", "volume"},
    {"Print Queue", "printer"},
    {"MSMQ Queue|MSExchangeTransport Queues|Server Work Queues", "queue"},
    {"Certification Authority", "template"},
    {"Terminal Services Session|RemoteFX Network|RemoteFX Graphics", "session"},
    {"Thermal Zone Information", "zone"},
    {"Hyper-V Hypervisor Logical Processor", "core"},
    {"Hyper-V Dynamic Memory VM|Hyper-V VM Vid Partition", "vm"},
    {"Hyper-V Virtual Switch", "switch"},
    {"Hyper-V Virtual Storage Device", "device"},
    {"Hyper-V Virtual Network Adapter|Hyper-V Legacy Network Adapter", "adapter"},
    {.object = "BITS Net Utilization", .words = "background_transfer"},
};

constexpr CounterRow grows(std::string_view object, std::string_view counter) {
  return {.object = object, .counter = counter, .cumulative = true};
}

constexpr CounterRow called(std::string_view object, std::string_view counter,
                            std::string_view words) {
  return {.object = object, .counter = counter, .words = words};
}

constexpr CounterRow in_unit(std::string_view object, std::string_view counter,
                             std::string_view words, std::string_view unit, double factor = 1) {
  return {.object = object, .counter = counter, .words = words, .unit = unit, .factor = factor};
}

// Of counters that are parts of one number.
constexpr CounterRow part(std::string_view object, std::string_view counter, std::string_view words,
                          std::string_view label, std::string_view value) {
  return {.object = object, .counter = counter, .words = words, .label = label, .value = value};
}

constexpr CounterRow growing_part(std::string_view object, std::string_view counter,
                                  std::string_view words, std::string_view label,
                                  std::string_view value) {
  CounterRow row = part(object, counter, words, label, value);
  row.cumulative = true;
  return row;
}

// The running total is that of another counter.
constexpr CounterRow only_cooked(std::string_view object, std::string_view counter,
                                 std::string_view covered_by, std::string_view words) {
  return {.object = object,
          .counter = counter,
          .shown = Shown::kCooked,
          .covered_by = covered_by,
          .words = words};
}

// `words`: where it is shown nevertheless, because one of the others is missing.
constexpr CounterRow covered_by(std::string_view object, std::string_view counter,
                                std::string_view others,
                                std::optional<std::string_view> words = {}) {
  return {.object = object,
          .counter = counter,
          .shown = Shown::kNothing,
          .covered_by = others,
          .words = words};
}

constexpr CounterRow left_out(std::string_view object, std::string_view counter) {
  return {.object = object, .counter = counter, .shown = Shown::kNothing};
}

constexpr CounterRow sized(std::string_view object, std::string_view counter, std::string_view base,
                           double base_factor) {
  return {.object = object, .counter = counter, .base = base, .base_factor = base_factor};
}

constexpr CounterRow id(std::string_view object, std::string_view counter, std::string_view words) {
  return {.object = object, .counter = counter, .shown = Shown::kId, .words = words};
}

constexpr double kMebi = 1048576;
constexpr double kPage = 4096;

constexpr std::string_view kCpu = "Processor|Processor Information";
constexpr std::string_view kDisk = "LogicalDisk|PhysicalDisk";
constexpr std::string_view kNic = "Network Interface|Network Adapter";
constexpr std::string_view kProcess = "Process|Process V2";
constexpr std::string_view kIcmp = "ICMP|ICMPv6";
constexpr std::string_view kIp = "IPv4|IPv6";
constexpr std::string_view kTcp = "TCPv4|TCPv6";
constexpr std::string_view kUdp = "UDPv4|UDPv6";

constexpr CounterRow kCounters[] = {
    // Interrupt and DPC time are parts of privileged time.
    part(kCpu, "% User Time", "time", "mode", "user"),
    part(kCpu, "% Privileged Time", "time", "mode", "privileged"),
    {.object = kCpu,
     .counter = "% Idle Time",
     .shown = Shown::kRaw,
     .covered_by = "% Processor Time",
     .words = "time",
     .label = "mode",
     .value = "idle"},
    only_cooked(kCpu, "% Processor Time", "% Idle Time", "processor_time"),
    only_cooked(kCpu, "% Priority Time", "", "priority_time"),
    part(kCpu, "% C1 Time", "cstate_time", "state", "c1"),
    part(kCpu, "% C2 Time", "cstate_time", "state", "c2"),
    part(kCpu, "% C3 Time", "cstate_time", "state", "c3"),
    part(kCpu, "C1 Transitions/sec", "cstate_transitions", "state", "c1"),
    part(kCpu, "C2 Transitions/sec", "cstate_transitions", "state", "c2"),
    part(kCpu, "C3 Transitions/sec", "cstate_transitions", "state", "c3"),
    // A number of the last tick, and a mean of 100 ns units that its type calls a percentage.
    left_out(kCpu, "DPC Rate"),
    left_out(kCpu, "Average Idle Time"),
    {.object = kCpu, .counter = "% Privileged Utility", .base_shared_with = "% Processor Utility"},
    in_unit(kCpu, "Processor Frequency", "processor_frequency", "hertz", 1e6),
    in_unit(kCpu, "% of Maximum Frequency", "maximum_frequency", "ratio", 0.01),

    sized("LogicalDisk", "% Free Space", "size", kMebi),
    called(kDisk, "Current Disk Queue Length", "current_queue_length"),
    part(kDisk, "% Disk Read Time", "time", "direction", "read"),
    part(kDisk, "% Disk Write Time", "time", "direction", "write"),
    covered_by(kDisk, "% Disk Time", "% Disk Read Time|% Disk Write Time", "all_time"),
    covered_by(kDisk, "Avg. Disk Read Queue Length", "% Disk Read Time"),
    covered_by(kDisk, "Avg. Disk Write Queue Length", "% Disk Write Time"),
    covered_by(kDisk, "Avg. Disk Queue Length", "% Disk Read Time|% Disk Write Time",
               "all_queue_length"),
    part(kDisk, "Disk Reads/sec", "transfers", "direction", "read"),
    part(kDisk, "Disk Writes/sec", "transfers", "direction", "write"),
    covered_by(kDisk, "Disk Transfers/sec", "Disk Reads/sec|Disk Writes/sec", "all_transfers"),
    part(kDisk, "Disk Read Bytes/sec", "", "direction", "read"),
    part(kDisk, "Disk Write Bytes/sec", "", "direction", "write"),
    covered_by(kDisk, "Disk Bytes/sec", "Disk Read Bytes/sec|Disk Write Bytes/sec", "all"),
    only_cooked(kDisk, "Avg. Disk sec/Read", "% Disk Read Time|Disk Reads/sec", "read"),
    only_cooked(kDisk, "Avg. Disk sec/Write", "% Disk Write Time|Disk Writes/sec", "write"),
    only_cooked(kDisk, "Avg. Disk sec/Transfer",
                "% Disk Read Time|% Disk Write Time|Disk Reads/sec|Disk Writes/sec", "transfer"),
    only_cooked(kDisk, "Avg. Disk Bytes/Read", "Disk Read Bytes/sec|Disk Reads/sec", "read"),
    only_cooked(kDisk, "Avg. Disk Bytes/Write", "Disk Write Bytes/sec|Disk Writes/sec", "write"),
    only_cooked(kDisk, "Avg. Disk Bytes/Transfer",
                "Disk Read Bytes/sec|Disk Write Bytes/sec|Disk Reads/sec|Disk Writes/sec",
                "transfer"),

    covered_by("Memory", "Available KBytes", "Available Bytes"),
    covered_by("Memory", "Available MBytes", "Available Bytes"),
    in_unit("Memory", "Commit Limit", "commit_limit", "bytes"),
    part("Memory", "Page Reads/sec", "page_operations", "direction", "read"),
    part("Memory", "Page Writes/sec", "page_operations", "direction", "write"),
    part("Memory", "Pages Input/sec", "pages", "direction", "input"),
    part("Memory", "Pages Output/sec", "pages", "direction", "output"),
    covered_by("Memory", "Pages/sec", "Pages Input/sec|Pages Output/sec", "all_pages"),
    called("Memory", "Transition Pages RePurposed/sec", "transition_pages_repurposed"),
    sized("Paging File", "% Usage", "size", kPage),

    part(kNic, "Bytes Received/sec", "", "direction", "received"),
    part(kNic, "Bytes Sent/sec", "", "direction", "sent"),
    covered_by(kNic, "Bytes Total/sec", "Bytes Received/sec|Bytes Sent/sec", "all"),
    part(kNic, "Packets Received/sec", "packets", "direction", "received"),
    part(kNic, "Packets Sent/sec", "packets", "direction", "sent"),
    covered_by(kNic, "Packets/sec", "Packets Received/sec|Packets Sent/sec", "all_packets"),
    part(kNic, "Packets Received Unicast/sec", "packets_unicast", "direction", "received"),
    part(kNic, "Packets Sent Unicast/sec", "packets_unicast", "direction", "sent"),
    part(kNic, "Packets Received Non-Unicast/sec", "packets_non_unicast", "direction", "received"),
    part(kNic, "Packets Sent Non-Unicast/sec", "packets_non_unicast", "direction", "sent"),
    growing_part(kNic, "Packets Received Discarded", "packets_discarded", "direction", "received"),
    growing_part(kNic, "Packets Outbound Discarded", "packets_discarded", "direction", "sent"),
    growing_part(kNic, "Packets Received Errors", "packets_errors", "direction", "received"),
    growing_part(kNic, "Packets Outbound Errors", "packets_errors", "direction", "sent"),
    grows(kNic, "Packets Received Unknown"),
    in_unit(kNic, "Current Bandwidth", "current_bandwidth", "bytes_per_second", 0.125),

    part(kProcess, "% User Time", "time", "mode", "user"),
    part(kProcess, "% Privileged Time", "time", "mode", "privileged"),
    only_cooked(kProcess, "% Processor Time", "% User Time|% Privileged Time", "processor_time"),
    part(kProcess, "IO Read Operations/sec", "io_operations", "mode", "read"),
    part(kProcess, "IO Write Operations/sec", "io_operations", "mode", "write"),
    part(kProcess, "IO Other Operations/sec", "io_operations", "mode", "other"),
    covered_by(kProcess, "IO Data Operations/sec",
               "IO Read Operations/sec|IO Write Operations/sec"),
    part(kProcess, "IO Read Bytes/sec", "io", "mode", "read"),
    part(kProcess, "IO Write Bytes/sec", "io", "mode", "write"),
    part(kProcess, "IO Other Bytes/sec", "io", "mode", "other"),
    covered_by(kProcess, "IO Data Bytes/sec", "IO Read Bytes/sec|IO Write Bytes/sec"),
    in_unit(kProcess, "Working Set", "working_set", "bytes"),
    in_unit(kProcess, "Working Set Peak", "working_set_peak", "bytes"),
    in_unit(kProcess, "Working Set - Private", "working_set_private", "bytes"),
    id(kProcess, "Creating Process ID", "creating_process_id"),
    part("Thread", "% User Time", "time", "mode", "user"),
    part("Thread", "% Privileged Time", "time", "mode", "privileged"),
    only_cooked("Thread", "% Processor Time", "% User Time|% Privileged Time", "processor_time"),
    id(".NET CLR Memory", "Process ID", "process_id"),

    part("System", "File Read Operations/sec", "file_operations", "mode", "read"),
    part("System", "File Write Operations/sec", "file_operations", "mode", "write"),
    part("System", "File Control Operations/sec", "file_operations", "mode", "control"),
    covered_by("System", "File Data Operations/sec",
               "File Read Operations/sec|File Write Operations/sec"),
    part("System", "File Read Bytes/sec", "file", "mode", "read"),
    part("System", "File Write Bytes/sec", "file", "mode", "write"),
    part("System", "File Control Bytes/sec", "file", "mode", "control"),

    part(kTcp, "Segments Received/sec", "segments", "direction", "received"),
    part(kTcp, "Segments Sent/sec", "segments", "direction", "sent"),
    covered_by(kTcp, "Segments/sec", "Segments Received/sec|Segments Sent/sec", "all_segments"),
    grows(kTcp, "Connection Failures"),
    grows(kTcp, "Connections Active"),
    grows(kTcp, "Connections Passive"),
    grows(kTcp, "Connections Reset"),
    part(kUdp, "Datagrams Received/sec", "datagrams", "direction", "received"),
    part(kUdp, "Datagrams Sent/sec", "datagrams", "direction", "sent"),
    covered_by(kUdp, "Datagrams/sec", "Datagrams Received/sec|Datagrams Sent/sec", "all_datagrams"),
    grows(kUdp, "Datagrams Received Errors"),
    part(kIp, "Datagrams Received/sec", "datagrams", "direction", "received"),
    part(kIp, "Datagrams Sent/sec", "datagrams", "direction", "sent"),
    covered_by(kIp, "Datagrams/sec", "Datagrams Received/sec|Datagrams Sent/sec", "all_datagrams"),
    growing_part(kIp, "Datagrams Received Discarded", "datagrams_discarded", "direction",
                 "received"),
    growing_part(kIp, "Datagrams Outbound Discarded", "datagrams_discarded", "direction", "sent"),
    grows(kIp, "Datagrams Outbound No Route"),
    grows(kIp, "Datagrams Received Address Errors"),
    grows(kIp, "Datagrams Received Header Errors"),
    grows(kIp, "Datagrams Received Unknown Protocol"),
    grows(kIp, "Fragment Re-assembly Failures"),
    grows(kIp, "Fragmentation Failures"),
    part(kIcmp, "Messages Received/sec", "messages", "direction", "received"),
    part(kIcmp, "Messages Sent/sec", "messages", "direction", "sent"),
    covered_by(kIcmp, "Messages/sec", "Messages Received/sec|Messages Sent/sec", "all_messages"),
    grows(kIcmp, "*"),

    grows("Server", "Errors *"),
    grows("Server", "Sessions *"),
    grows("Server", "Work Item Shortages"),
    grows("Server", "Blocking Requests Rejected"),
    grows("Server", "Pool Nonpaged Failures"),
    grows("Server", "Pool Paged Failures"),
    grows(".NET CLR Exceptions", "# of Exceps Thrown"),
    grows(".NET CLR Jit", "# of Methods Jitted"),
    grows(".NET CLR Memory", "# Gen * Collections"),
    grows(".NET CLR Memory", "# Induced GC"),
    grows("Web Service", "Total *"),
    grows("SMTP Server", "Total *|* Total|Messages Refused *|Badmailed Messages *"),
    grows("SMTP Server", "Message * Retries|NDRs Generated"),
    grows("RemoteFX Network", "Total *"),
    grows("DFS Replicated Folders|DFS Replication Connections",
          "*Files Received|*Bytes Received|Bandwidth Savings Using DFS Replication"),
    grows("DFS Replicated Folders", "* Generated|* Cleaned Up|*Cleanups Completed"),
    grows("DFS Replicated Folders", "File Installs *|Updates Dropped"),
    grows("DFS Replication Service Volumes", "Database *|USN Journal Records *"),
    covered_by("Server", "Bytes Total/sec", "Bytes Received/sec|Bytes Transmitted/sec", "all"),
    part("Server", "Bytes Received/sec", "", "direction", "received"),
    part("Server", "Bytes Transmitted/sec", "", "direction", "sent"),
};

constexpr ObjectRow kNoObject{};
constexpr CounterRow kNoCounter{};

bool matches_one(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return equal_names(pattern, name);
  const std::string_view begin = pattern.substr(0, star), end = pattern.substr(star + 1);
  return name.size() >= begin.size() + end.size() &&
         equal_names(begin, name.substr(0, begin.size())) &&
         equal_names(end, name.substr(name.size() - end.size()));
}

bool matches(std::string_view patterns, std::string_view name) {
  return std::ranges::any_of(alternatives(patterns),
                             [&](std::string_view pattern) { return matches_one(pattern, name); });
}

}  // namespace

std::span<const ObjectRow> object_rows() { return kObjects; }
std::span<const CounterRow> counter_rows() { return kCounters; }

const ObjectRow& object_row(std::string_view object) {
  const std::string name = installation_of(object).object;
  const auto found =
      std::ranges::find_if(kObjects, [&](const auto& row) { return matches(row.object, name); });
  return found == std::end(kObjects) ? kNoObject : *found;
}

const CounterRow& counter_row(std::string_view object, std::string_view counter) {
  const std::string name = installation_of(object).object;
  const auto found = std::ranges::find_if(kCounters, [&](const CounterRow& row) {
    return matches(row.object, name) && matches(row.counter, counter);
  });
  return found == std::end(kCounters) ? kNoCounter : *found;
}

}  // namespace winperf
