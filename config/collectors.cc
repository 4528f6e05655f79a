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
constexpr ReadObject kDfsr[] = {{.name = "DFS Replication Connections", .part = "connection"},
                                {.name = "DFS Replicated Folders", .part = "folder"},
                                {.name = "DFS Replication Service Volumes", .part = "volume"}};
constexpr ReadObject kDhcp[] = {{.name = "DHCP Server"}};
constexpr ReadObject kDns[] = {{.name = "DNS"}};
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
    {.name = "Hyper-V Virtual Switch", .part = "virtual_switch"}};
constexpr ReadObject kIis[] = {
    {.name = "Web Service", .include = "site-include", .exclude = "site-exclude"},
    {.name = "Web Service Cache"},
    {.name = "APP_POOL_WAS", .include = "app-include", .exclude = "app-exclude"},
    {.name = "HTTP Service Request Queues", .include = "site-include", .exclude = "site-exclude"},
    // Its instances are named after process and pool: "4711_Pool".
    {.name = "W3SVC_W3WP", .include = "app-include", .exclude = "app-exclude", .prefix = "\\d+_"}};
constexpr ReadObject kLogicalDisk[] = {
    {.name = "LogicalDisk", .include = "volume-include", .exclude = "volume-exclude"}};
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
constexpr ReadObject kNet[] = {
    {.name = "Network Interface", .include = "nic-include", .exclude = "nic-exclude"}};
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
constexpr ReadObject kTcp[] = {{.name = "TCPv4"}, {.name = "TCPv6"}};
constexpr ReadObject kTerminal[] = {{.name = "Terminal Services Session"},
                                    {.name = "Remote Desktop Connection Broker Counterset"}};
constexpr ReadObject kThermalzone[] = {{.name = "Thermal Zone Information"}};
constexpr ReadObject kTime[] = {{.name = "Windows Time Service"}};
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

constexpr std::string_view kRemoved = "windows_exporter no longer has this collector";
constexpr std::string_view kNoCounters =
    "it reads no performance counters: keep windows_exporter for it, on another port";

constexpr Collector kCollectors[] = {
    {"ad", kAd, ""},
    {"adcs", kAdcs, ""},
    {"adfs", kAdfs, ""},
    {"cache", kCache, ""},
    {"container", {}, kNoCounters},
    {"cpu", kCpu, ""},
    {"cpu_info", {}, kNoCounters},
    {"dfsr", kDfsr, ""},
    {"dhcp", kDhcp, ""},
    {"diskdrive", {}, kNoCounters},
    {"dns", kDns, ""},
    {"exchange", kExchange, ""},
    {"file", {}, kNoCounters},
    {"fsrmquota", {}, kNoCounters},
    {"gpu",
     {},
     "its data is in the countersets \"GPU Engine\" and \"GPU Adapter Memory\": add those that the "
     "machine has"},
    {"hyperv", kHyperv, ""},
    {"iis", kIis, ""},
    {"license", {}, kNoCounters},
    {"logical_disk", kLogicalDisk, ""},
    {"memory", kMemory, ""},
    {"mscluster", {}, kNoCounters},
    {"msmq", kMsmq, ""},
    {"mssql", kMssql,
     "these are the objects of the default instance; those of a named instance begin with "
     "\"MSSQL$NAME:\" instead of \"SQLServer:\""},
    {"net", kNet, ""},
    {"netframework", kNetframework, ""},
    {"nps", kNps, ""},
    {"os", {}, kNoCounters},
    {"pagefile", kPagefile, ""},
    {"performancecounter", {}, ""},
    {"physical_disk", kPhysicalDisk,
     "its label was the disk's number; here it is the whole name of the instance, such as "
     "\"0 C:\""},
    {"printer", {}, kNoCounters},
    {"process", kProcess, ""},
    {"remote_fx", kRemoteFx, ""},
    {"scheduled_task", {}, kNoCounters},
    {"service", {}, kNoCounters},
    {"smb", kSmb, ""},
    {"smbclient", kSmbclient, ""},
    {"smtp", kSmtp, ""},
    {"system", kSystem, ""},
    {"tcp", kTcp, ""},
    {"terminal_services", kTerminal, ""},
    {"textfile", {}, kNoCounters},
    {"thermalzone", kThermalzone, ""},
    {"time", kTime,
     "only its counters were migrated; the clock and the time zone have no counterpart"},
    {"udp", kUdp, ""},
    {"update", {}, kNoCounters},
    {"vmware", kVmware, ""},
    // Collectors of older versions, whose configurations are still in use.
    {"cs", {}, kRemoved},
    {"logon", {}, kRemoved},
    {"mscluster_cluster", {}, kNoCounters},
    {"mscluster_network", {}, kNoCounters},
    {"mscluster_node", {}, kNoCounters},
    {"mscluster_resource", {}, kNoCounters},
    {"mscluster_resourcegroup", {}, kNoCounters},
    {"netframework_clrexceptions", kClrExceptions, ""},
    {"netframework_clrinterop", kClrInterop, ""},
    {"netframework_clrjit", kClrJit, ""},
    {"netframework_clrloading", kClrLoading, ""},
    {"netframework_clrlocksandthreads", kClrLocks, ""},
    {"netframework_clrmemory", kClrMemory, ""},
    {"netframework_clrremoting", kClrRemoting, ""},
    {"netframework_clrsecurity", kClrSecurity, ""},
    {"teradici_pcoip", {}, kRemoved},
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

std::span<const std::string_view> default_collectors() { return kDefaults; }

}  // namespace winperf
