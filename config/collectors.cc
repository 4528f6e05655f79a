#include "config/collectors.h"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "collectors/match/nearest.h"

namespace winperf {
namespace {

constexpr ReadObject kAd[] = {{.name = "DirectoryServices|NTDS"}};
constexpr ReadObject kAdcs[] = {{.name = "Certification Authority"}};
constexpr ReadObject kAdfs[] = {{.name = "AD FS"}};
constexpr ReadObject kCache[] = {{.name = "Cache"}};
constexpr ReadObject kCpu[] = {{.name = "Processor Information"}};
// For windows_cs_logical_processors.
constexpr ReadObject kCs[] = {{.name = "Processor Information"}};
constexpr ReadObject kDfsr[] = {{.name = "DFS Replication Connections", .part = "connection"},
                                {.name = "DFS Replicated Folders", .part = "folder"},
                                {.name = "DFS Replication Service Volumes", .part = "volume"}};
constexpr ReadObject kDhcp[] = {{.name = "DHCP Server", .part = "server_metrics"}};
constexpr ReadObject kDns[] = {{.name = "DNS", .part = "metrics"}};
constexpr ReadObject kExchange[] = {
    {.name = "MSExchange ADAccess Processes", .part = "adaccessprocesses"},
    {.name = "MSExchangeTransport Queues", .part = "transportqueues"},
    {.name = "MSExchange HttpProxy", .part = "httpproxy"},
    {.name = "MSExchange ActiveSync", .part = "activesync"},
    {.name = "MSExchange Availability Service", .part = "availabilityservice"},
    {.name = "MSExchange OWA", .part = "outlookwebaccess"},
    {.name = "MSExchangeAutodiscover", .part = "autodiscover"},
    {.name = "MSExchange WorkloadManagement Workloads", .part = "workloadmanagement"},
    {.name = "MSExchange RpcClientAccess", .part = "rpcclientaccess"},
    {.name = "MSExchange MapiHttp Emsmdb", .part = "mapihttpemsmdb"}};
constexpr ReadObject kGpu[] = {{.name = "GPU Engine"},
                               {.name = "GPU Adapter Memory"},
                               {.name = "GPU Local Adapter Memory"},
                               {.name = "GPU Non Local Adapter Memory"},
                               {.name = "GPU Process Memory"}};
constexpr ReadObject kHyperv[] = {
    {.name = "Hyper-V DataStore", .part = "datastore"},
    {.name = "Hyper-V Dynamic Memory Balancer", .part = "dynamic_memory_balancer"},
    {.name = "Hyper-V Hypervisor Root Partition", .part = "hypervisor_root_partition"},
    {.name = "Hyper-V Legacy Network Adapter", .part = "legacy_network_adapter"},
    {.name = "Hyper-V VM Vid Partition", .part = "virtual_machine_vid_partition"},
    {.name = "Hyper-V Virtual Network Adapter Drop Reasons",
     .part = "virtual_network_adapter_drop_reasons"},
    {.name = "Hyper-V Virtual SMB", .part = "virtual_smb"},
    {.name = "Hyper-V Hypervisor Logical Processor", .part = "hypervisor_logical_processor"},
    {.name = "Hyper-V Hypervisor Root Virtual Processor",
     .part = "hypervisor_root_virtual_processor"},
    {.name = "Hyper-V Hypervisor Virtual Processor", .part = "hypervisor_virtual_processor"},
    {.name = "Hyper-V Dynamic Memory VM", .part = "dynamic_memory_vm"},
    {.name = "Hyper-V Virtual Machine Health Summary", .part = "virtual_machine_health_summary"},
    {.name = "Hyper-V Virtual Network Adapter", .part = "virtual_network_adapter"},
    {.name = "Hyper-V Virtual Storage Device", .part = "virtual_storage_device"},
    {.name = "Hyper-V Virtual Switch", .part = "virtual_switch"},
    {.name = "Hyper-V Hypervisor"}};
constexpr ReadObject kIis[] = {
    {.name = "Web Service", .include = "site-include", .exclude = "site-exclude"},
    {.name = "Web Service Cache"},
    {.name = "APP_POOL_WAS", .include = "app-include", .exclude = "app-exclude"},
    {.name = "HTTP Service Request Queues", .include = "site-include", .exclude = "site-exclude"},
    // Its instances are named after process and pool: "4711_Pool".
    {.name = "W3SVC_W3WP", .include = "app-include", .exclude = "app-exclude", .prefix = "\\d+_"}};
constexpr ReadObject kLogicalDisk[] = {{.name = "LogicalDisk",
                                        .include = "volume-include",
                                        .exclude = "volume-exclude",
                                        .part = "metrics"}};
constexpr ReadObject kMemory[] = {{.name = "Memory"}};
constexpr ReadObject kMsmq[] = {{.name = "MSMQ Queue"}};
constexpr ReadObject kMssql[] = {{.name = "SQLServer:Access Methods", .part = "accessmethods"},
                                 {.name = "SQLServer:Availability Replica", .part = "availreplica"},
                                 {.name = "SQLServer:Buffer Manager", .part = "bufman"},
                                 {.name = "SQLServer:Databases", .part = "databases"},
                                 {.name = "SQLServer:Database Replica", .part = "dbreplica"},
                                 {.name = "SQLServer:General Statistics", .part = "genstats"},
                                 {.name = "SQLServer:Locks", .part = "locks"},
                                 {.name = "SQLServer:Memory Manager", .part = "memmgr"},
                                 {.name = "SQLServer:SQL Errors", .part = "sqlerrors"},
                                 {.name = "SQLServer:SQL Statistics", .part = "sqlstats"},
                                 {.name = "SQLServer:Transactions", .part = "transactions"},
                                 {.name = "SQLServer:Wait Statistics", .part = "waitstats"}};
constexpr ReadObject kNet[] = {{.name = "Network Interface",
                                .include = "nic-include",
                                .exclude = "nic-exclude",
                                .part = "metrics"}};
constexpr ReadObject kNetframework[] = {
    {.name = ".NET CLR Exceptions", .part = "clrexceptions"},
    {.name = ".NET CLR Interop", .part = "clrinterop"},
    {.name = ".NET CLR Jit", .part = "clrjit"},
    {.name = ".NET CLR Loading", .part = "clrloading"},
    {.name = ".NET CLR LocksAndThreads", .part = "clrlocksandthreads"},
    {.name = ".NET CLR Memory", .part = "clrmemory"},
    {.name = ".NET CLR Remoting", .part = "clrremoting"},
    {.name = ".NET CLR Security", .part = "clrsecurity"}};
constexpr ReadObject kNps[] = {{.name = "NPS Authentication Server"},
                               {.name = "NPS Accounting Server"}};
constexpr ReadObject kPagefile[] = {{.name = "Paging File"}};
constexpr ReadObject kPhysicalDisk[] = {
    {.name = "PhysicalDisk", .include = "disk-include", .exclude = "disk-exclude"}};
constexpr ReadObject kProcess[] = {{.name = "Process", .include = "include", .exclude = "exclude"}};
constexpr ReadObject kRemoteFx[] = {{.name = "RemoteFX Network"}, {.name = "RemoteFX Graphics"}};
constexpr ReadObject kSmb[] = {{.name = "SMB Server Shares"}};
constexpr ReadObject kSmbclient[] = {{.name = "SMB Client Shares"}};
constexpr ReadObject kSmtp[] = {
    {.name = "SMTP Server", .include = "server-include", .exclude = "server-exclude"}};
constexpr ReadObject kSystem[] = {{.name = "System"}};
constexpr ReadObject kTcp[] = {{.name = "TCPv4", .part = "metrics"},
                               {.name = "TCPv6", .part = "metrics"}};
constexpr ReadObject kTerminal[] = {{.name = "Terminal Services Session"},
                                    {.name = "Terminal Services"},
                                    {.name = "Remote Desktop Connection Broker Counterset"}};
constexpr ReadObject kThermalzone[] = {{.name = "Thermal Zone Information"}};
constexpr ReadObject kTime[] = {{.name = "Windows Time Service", .part = "ntp"}};
constexpr ReadObject kUdp[] = {{.name = "UDPv4"}, {.name = "UDPv6"}};
constexpr ReadObject kVmware[] = {{.name = "VM Memory"}, {.name = "VM Processor"}};

constexpr ReadObject kClrExceptions[] = {{.name = ".NET CLR Exceptions"}};
constexpr ReadObject kClrInterop[] = {{.name = ".NET CLR Interop"}};
constexpr ReadObject kClrJit[] = {{.name = ".NET CLR Jit"}};
constexpr ReadObject kClrLoading[] = {{.name = ".NET CLR Loading"}};
constexpr ReadObject kClrLocks[] = {{.name = ".NET CLR LocksAndThreads"}};
constexpr ReadObject kClrMemory[] = {{.name = ".NET CLR Memory"}};
constexpr ReadObject kClrRemoting[] = {{.name = ".NET CLR Remoting"}};
constexpr ReadObject kClrSecurity[] = {{.name = ".NET CLR Security"}};

constexpr ReadTopic kAdapters[] = {{.topic = FactTopic::kAdapters,
                                    .include = "nic-include",
                                    .exclude = "nic-exclude",
                                    .part = "nic_info"}};
constexpr ReadTopic kBoot[] = {{.topic = FactTopic::kOs}};
constexpr ReadTopic kClock[] = {{.topic = FactTopic::kTime, .part = "system_time"},
                                {.topic = FactTopic::kTime, .part = "clock_source"}};
constexpr ReadTopic kConnections[] = {
    {.topic = FactTopic::kConnections, .part = "connections_state"}};
constexpr ReadTopic kQuotas[] = {{.topic = FactTopic::kQuotas}};
constexpr ReadTopic kLicense[] = {{.topic = FactTopic::kLicense}};
constexpr ReadTopic kDnsErrors[] = {
    {.topic = FactTopic::kDnsStatistics,
     .part = "wmi_stats",
     .note = "only administrators may read windows_dns_wmi_stats_total: give the service such an "
             "account, or remove \"dns_statistics\" from facts"}};
constexpr ReadTopic kDisks[] = {{.topic = FactTopic::kDisks}};
constexpr ReadTopic kIisVersion[] = {{.topic = FactTopic::kIis}};
constexpr ReadTopic kLogons[] = {{.topic = FactTopic::kLogons}};
constexpr ReadTopic kMachine[] = {{.topic = FactTopic::kOs}, {.topic = FactTopic::kMemory}};
constexpr ReadTopic kOs[] = {
    {.topic = FactTopic::kOs}, {.topic = FactTopic::kTime}, {.topic = FactTopic::kMemory}};
constexpr ReadTopic kPagefiles[] = {{.topic = FactTopic::kPagefiles}};
constexpr ReadTopic kPrinters[] = {
    {.topic = FactTopic::kPrinters, .include = "include", .exclude = "exclude"}};
constexpr ReadTopic kProcesses[] = {
    {.topic = FactTopic::kProcesses, .include = "include", .exclude = "exclude"}};
constexpr ReadTopic kProcessors[] = {{.topic = FactTopic::kProcessors}};
constexpr ReadTopic kScopes[] = {
    {.topic = FactTopic::kDhcpScopes,
     .part = "scope_metrics",
     .note =
         "only administrators and members of the group DHCP Users may read windows_dhcp_scope_*: "
         "add the service's account to it, or remove \"dhcp_scopes\" from facts"}};
constexpr ReadTopic kServices[] = {
    {.topic = FactTopic::kServices, .include = "include", .exclude = "exclude"},
    {.topic = FactTopic::kServiceStatus, .include = "include", .exclude = "exclude"}};
constexpr ReadTopic kSessions[] = {{.topic = FactTopic::kSessions}};
constexpr ReadTopic kSizes[] = {{.topic = FactTopic::kMemory}};
constexpr ReadTopic kSqlServers[] = {{.topic = FactTopic::kSqlServers, .part = "info"}};
constexpr ReadTopic kTasks[] = {
    {.topic = FactTopic::kTasks, .include = "include", .exclude = "exclude"}};
constexpr ReadTopic kTextfile[] = {{.topic = FactTopic::kTextfile}};
constexpr ReadTopic kVolumes[] = {{.topic = FactTopic::kVolumes,
                                   .include = "volume-include",
                                   .exclude = "volume-exclude",
                                   .part = "metrics"}};

// docs/migrating.md has the reasons, too.
constexpr MissingPart kBitlocker[] = {{.what = "the state of BitLocker is not read: keep "
                                               "windows_exporter for it, on another port",
                                       .part = "bitlocker_status",
                                       .is_on_without_asking = false}};
constexpr MissingPart kClusters[] = {
    {"failover clusters are not read: keep windows_exporter for them, on another port"}};
constexpr MissingPart kContainers[] = {
    {"containers are not read: keep windows_exporter for them, on another port"}};
constexpr MissingPart kFiles[] = {
    {"sizes and times of files are not read: let a script write them for the topic textfile"}};
constexpr MissingPart kGpuSizes[] = {
    {"only its counters are read: sizes of adapters and the label device_id are missing"}};
constexpr MissingPart kTeradici[] = {
    {"windows_exporter no longer has it: add the objects that \"winperf_exporter list\" shows to "
     "countersets"}};
constexpr MissingPart kUpdates[] = {
    {"Windows updates are not read: keep windows_exporter for them, on another port"}};

constexpr Collector kCollectors[] = {
    {.name = "ad", .objects = kAd},
    {.name = "adcs", .objects = kAdcs},
    {.name = "adfs", .objects = kAdfs},
    {.name = "cache", .objects = kCache},
    {.name = "container", .missing = kContainers},
    {.name = "cpu", .objects = kCpu},
    {.name = "cpu_info", .topics = kProcessors},
    {.name = "dfsr", .objects = kDfsr},
    {.name = "dhcp", .objects = kDhcp, .topics = kScopes},
    {.name = "diskdrive", .topics = kDisks},
    {.name = "dns", .objects = kDns, .topics = kDnsErrors},
    {.name = "exchange", .objects = kExchange},
    {.name = "file", .missing = kFiles},
    {.name = "fsrmquota", .topics = kQuotas},
    {.name = "gpu", .objects = kGpu, .missing = kGpuSizes},
    {.name = "hyperv", .objects = kHyperv},
    {.name = "iis", .objects = kIis, .topics = kIisVersion},
    {.name = "license", .topics = kLicense},
    {.name = "logical_disk", .objects = kLogicalDisk, .topics = kVolumes, .missing = kBitlocker},
    {.name = "memory", .objects = kMemory, .topics = kSizes},
    {.name = "mscluster", .missing = kClusters},
    {.name = "msmq", .objects = kMsmq},
    {.name = "mssql", .objects = kMssql, .topics = kSqlServers},
    {.name = "net", .objects = kNet, .topics = kAdapters},
    {.name = "netframework", .objects = kNetframework},
    {.name = "nps", .objects = kNps},
    {.name = "os", .topics = kOs},
    {.name = "pagefile", .objects = kPagefile, .topics = kPagefiles},
    {.name = "performancecounter"},
    {.name = "physical_disk", .objects = kPhysicalDisk},
    {.name = "printer", .topics = kPrinters},
    {.name = "process", .objects = kProcess, .topics = kProcesses},
    {.name = "remote_fx", .objects = kRemoteFx},
    {.name = "scheduled_task", .topics = kTasks},
    {.name = "service", .topics = kServices},
    {.name = "smb", .objects = kSmb},
    {.name = "smbclient", .objects = kSmbclient},
    {.name = "smtp", .objects = kSmtp},
    {.name = "system", .objects = kSystem, .topics = kBoot},
    {.name = "tcp", .objects = kTcp, .topics = kConnections},
    {.name = "terminal_services", .objects = kTerminal, .topics = kSessions},
    {.name = "textfile", .topics = kTextfile},
    {.name = "thermalzone", .objects = kThermalzone},
    {.name = "time", .objects = kTime, .topics = kClock},
    {.name = "udp", .objects = kUdp},
    {.name = "update", .missing = kUpdates},
    {.name = "vmware", .objects = kVmware},
    // Collectors of older versions, whose configurations are still in use.
    {.name = "cs", .objects = kCs, .topics = kMachine},
    {.name = "filetime", .missing = kFiles},
    {.name = "logon", .topics = kLogons},
    {.name = "mscluster_cluster", .missing = kClusters},
    {.name = "mscluster_network", .missing = kClusters},
    {.name = "mscluster_node", .missing = kClusters},
    {.name = "mscluster_resource", .missing = kClusters},
    {.name = "mscluster_resourcegroup", .missing = kClusters},
    {.name = "netframework_clrexceptions", .objects = kClrExceptions},
    {.name = "netframework_clrinterop", .objects = kClrInterop},
    {.name = "netframework_clrjit", .objects = kClrJit},
    {.name = "netframework_clrloading", .objects = kClrLoading},
    {.name = "netframework_clrlocksandthreads", .objects = kClrLocks},
    {.name = "netframework_clrmemory", .objects = kClrMemory},
    {.name = "netframework_clrremoting", .objects = kClrRemoting},
    {.name = "netframework_clrsecurity", .objects = kClrSecurity},
    {.name = "perfdata"},
    {.name = "teradici_pcoip", .missing = kTeradici},
};

constexpr std::string_view kDefaults[] = {"cpu", "logical_disk",  "memory",  "net",
                                          "os",  "physical_disk", "service", "system"};

}  // namespace

std::span<const Collector> collectors() { return kCollectors; }

const Collector* find_collector(std::string_view name) {
  const auto found = std::ranges::find(kCollectors, name, &Collector::name);
  return found == std::end(kCollectors) ? nullptr : found;
}

std::vector<std::string> alternatives_of(const ReadObject& object) {
  std::vector<std::string> names;
  for (const auto name : object.name | std::views::split('|'))
    names.emplace_back(std::string_view(name));
  return names;
}

std::vector<std::vector<std::string>> reads_of(const Collector& collector) {
  constexpr std::string_view kDefaultInstance = "SQLServer:";
  std::vector<std::vector<std::string>> reads;
  for (const ReadObject& object : collector.objects) {
    reads.push_back(alternatives_of(object));
    if (object.name.starts_with(kDefaultInstance))
      reads.push_back({"MSSQL$*:" + std::string(object.name.substr(kDefaultInstance.size()))});
  }
  return reads;
}

std::string_view nearest_collector(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Collector& known : kCollectors) names.push_back(known.name);
  return nearest(name, names);
}

std::expected<std::vector<std::string>, std::string> objects_of(std::string_view collector) {
  const Collector* const found = find_collector(collector);
  if (found == nullptr) return std::unexpected(std::string(nearest_collector(collector)));
  std::vector<std::string> names;
  for (const ReadObject& object : found->objects)
    std::ranges::move(alternatives_of(object), std::back_inserter(names));
  return names;
}

std::vector<FactTopic> topics_of(std::string_view collector) {
  std::vector<FactTopic> topics;
  const Collector* const found = find_collector(collector);
  if (found == nullptr) return topics;
  for (const ReadTopic& read : found->topics)
    if (std::ranges::find(topics, read.topic) == topics.end()) topics.push_back(read.topic);
  return topics;
}

bool has_parts(const Collector& collector) {
  const auto is_part = [](const auto& read) { return !read.part.empty(); };
  return std::ranges::any_of(collector.objects, is_part) ||
         std::ranges::any_of(collector.topics, is_part) ||
         std::ranges::any_of(collector.missing, is_part);
}

bool is_missing(const Collector& collector) {
  return collector.objects.empty() && collector.topics.empty() && !collector.missing.empty();
}

std::span<const std::string_view> default_collectors() { return kDefaults; }

}  // namespace winperf
