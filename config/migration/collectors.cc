#include "config/migration/collectors.h"

namespace winperf::migration {
namespace {

constexpr ReadObject kAd[] = {{"DirectoryServices|NTDS", "", ""}};
constexpr ReadObject kAdcs[] = {{"Certification Authority", "", ""}};
constexpr ReadObject kAdfs[] = {{"AD FS", "", ""}};
constexpr ReadObject kCache[] = {{"Cache", "", ""}};
constexpr ReadObject kCpu[] = {{"Processor Information", "", ""}};
constexpr ReadObject kDfsr[] = {{"DFS Replication Connections", "", "", "", "connection"},
                                {"DFS Replicated Folders", "", "", "", "folder"},
                                {"DFS Replication Service Volumes", "", "", "", "volume"}};
constexpr ReadObject kDhcp[] = {{"DHCP Server", "", ""}};
constexpr ReadObject kDns[] = {{"DNS", "", ""}};
constexpr ReadObject kExchange[] = {
    {"MSExchange ADAccess Processes", "", "", "", "adaccessprocesses"},
    {"MSExchangeTransport Queues", "", "", "", "transportqueues"},
    {"MSExchange HttpProxy", "", "", "", "httpproxy"},
    {"MSExchange ActiveSync", "", "", "", "activesync"},
    {"MSExchange Availability Service", "", "", "", "availabilityservice"},
    {"MSExchange OWA", "", "", "", "outlookwebaccess"},
    {"MSExchangeAutodiscover", "", "", "", "autodiscover"},
    {"MSExchange WorkloadManagement Workloads", "", "", "", "workloadmanagement"},
    {"MSExchange RpcClientAccess", "", "", "", "rpcclientaccess"},
    {"MSExchange MapiHttp Emsmdb", "", "", "", "mapihttpemsmdb"}};
constexpr ReadObject kHyperv[] = {
    {"Hyper-V DataStore", "", "", "", "datastore"},
    {"Hyper-V Dynamic Memory Balancer", "", "", "", "dynamic_memory_balancer"},
    {"Hyper-V Hypervisor Root Partition", "", "", "", "hypervisor_root_partition"},
    {"Hyper-V Legacy Network Adapter", "", "", "", "legacy_network_adapter"},
    {"Hyper-V VM Vid Partition", "", "", "", "virtual_machine_vid_partition"},
    {"Hyper-V Virtual Network Adapter Drop Reasons", "", "", "",
     "virtual_network_adapter_drop_reasons"},
    {"Hyper-V Virtual SMB", "", "", "", "virtual_smb"},
    {"Hyper-V Hypervisor Logical Processor", "", "", "", "hypervisor_logical_processor"},
    {"Hyper-V Hypervisor Root Virtual Processor", "", "", "", "hypervisor_root_virtual_processor"},
    {"Hyper-V Hypervisor Virtual Processor", "", "", "", "hypervisor_virtual_processor"},
    {"Hyper-V Dynamic Memory VM", "", "", "", "dynamic_memory_vm"},
    {"Hyper-V Virtual Machine Health Summary", "", "", "", "virtual_machine_health_summary"},
    {"Hyper-V Virtual Network Adapter", "", "", "", "virtual_network_adapter"},
    {"Hyper-V Virtual Storage Device", "", "", "", "virtual_storage_device"},
    {"Hyper-V Virtual Switch", "", "", "", "virtual_switch"}};
constexpr ReadObject kIis[] = {{"Web Service", "site-include", "site-exclude"},
                               {"Web Service Cache", "", ""},
                               {"APP_POOL_WAS", "app-include", "app-exclude"},
                               {"HTTP Service Request Queues", "site-include", "site-exclude"},
                               // Its instances are called by process and pool, "4711_Pool".
                               {"W3SVC_W3WP", "app-include", "app-exclude", "\\d+_"}};
constexpr ReadObject kLogicalDisk[] = {{"LogicalDisk", "volume-include", "volume-exclude"}};
constexpr ReadObject kMemory[] = {{"Memory", "", ""}};
constexpr ReadObject kMsmq[] = {{"MSMQ Queue", "", ""}};
constexpr ReadObject kMssql[] = {{"SQLServer:Access Methods", "", "", "", "accessmethods"},
                                 {"SQLServer:Availability Replica", "", "", "", "availreplica"},
                                 {"SQLServer:Buffer Manager", "", "", "", "bufman"},
                                 {"SQLServer:Databases", "", "", "", "databases"},
                                 {"SQLServer:Database Replica", "", "", "", "dbreplica"},
                                 {"SQLServer:General Statistics", "", "", "", "genstats"},
                                 {"SQLServer:Locks", "", "", "", "locks"},
                                 {"SQLServer:Memory Manager", "", "", "", "memmgr"},
                                 {"SQLServer:SQL Errors", "", "", "", "sqlerrors"},
                                 {"SQLServer:SQL Statistics", "", "", "", "sqlstats"},
                                 {"SQLServer:Transactions", "", "", "", "transactions"},
                                 {"SQLServer:Wait Statistics", "", "", "", "waitstats"}};
constexpr ReadObject kNet[] = {{"Network Interface", "nic-include", "nic-exclude"}};
constexpr ReadObject kNetframework[] = {
    {".NET CLR Exceptions", "", "", "", "clrexceptions"},
    {".NET CLR Interop", "", "", "", "clrinterop"},
    {".NET CLR Jit", "", "", "", "clrjit"},
    {".NET CLR Loading", "", "", "", "clrloading"},
    {".NET CLR LocksAndThreads", "", "", "", "clrlocksandthreads"},
    {".NET CLR Memory", "", "", "", "clrmemory"},
    {".NET CLR Remoting", "", "", "", "clrremoting"},
    {".NET CLR Security", "", "", "", "clrsecurity"}};
constexpr ReadObject kNps[] = {{"NPS Authentication Server", "", ""},
                               {"NPS Accounting Server", "", ""}};
constexpr ReadObject kPagefile[] = {{"Paging File", "", ""}};
constexpr ReadObject kPhysicalDisk[] = {{"PhysicalDisk", "disk-include", "disk-exclude"}};
constexpr ReadObject kProcess[] = {{"Process", "include", "exclude"}};
constexpr ReadObject kRemoteFx[] = {{"RemoteFX Network", "", ""}, {"RemoteFX Graphics", "", ""}};
constexpr ReadObject kSmb[] = {{"SMB Server Shares", "", ""}};
constexpr ReadObject kSmbclient[] = {{"SMB Client Shares", "", ""}};
constexpr ReadObject kSmtp[] = {{"SMTP Server", "server-include", "server-exclude"}};
constexpr ReadObject kSystem[] = {{"System", "", ""}};
constexpr ReadObject kTcp[] = {{"TCPv4", "", ""}, {"TCPv6", "", ""}};
constexpr ReadObject kTerminal[] = {{"Terminal Services Session", "", ""},
                                    {"Remote Desktop Connection Broker Counterset", "", ""}};
constexpr ReadObject kThermalzone[] = {{"Thermal Zone Information", "", ""}};
constexpr ReadObject kTime[] = {{"Windows Time Service", "", ""}};
constexpr ReadObject kUdp[] = {{"UDPv4", "", ""}, {"UDPv6", "", ""}};
constexpr ReadObject kVmware[] = {{"VM Memory", "", ""}, {"VM Processor", "", ""}};

constexpr ReadObject kClrExceptions[] = {{".NET CLR Exceptions", "", ""}};
constexpr ReadObject kClrInterop[] = {{".NET CLR Interop", "", ""}};
constexpr ReadObject kClrJit[] = {{".NET CLR Jit", "", ""}};
constexpr ReadObject kClrLoading[] = {{".NET CLR Loading", "", ""}};
constexpr ReadObject kClrLocks[] = {{".NET CLR LocksAndThreads", "", ""}};
constexpr ReadObject kClrMemory[] = {{".NET CLR Memory", "", ""}};
constexpr ReadObject kClrRemoting[] = {{".NET CLR Remoting", "", ""}};
constexpr ReadObject kClrSecurity[] = {{".NET CLR Security", "", ""}};

constexpr std::string_view kRemoved = "today's windows_exporter does not have it any more";
constexpr std::string_view kNoCounters =
    "it reads no performance counters; keep windows_exporter "
    "for it, which can run beside this program on another port";

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
    {"gpu", {}, "name the countersets \"GPU Engine\" and \"GPU Adapter Memory\", where they are"},
    {"hyperv", kHyperv, ""},
    {"iis", kIis, ""},
    {"license", {}, kNoCounters},
    {"logical_disk", kLogicalDisk, ""},
    {"memory", kMemory, ""},
    {"mscluster", {}, kNoCounters},
    {"msmq", kMsmq, ""},
    {"mssql", kMssql,
     "these are the objects of the default instance; of a named one they begin with "
     "\"MSSQL$NAME:\" instead of \"SQLServer:\""},
    {"net", kNet, ""},
    {"netframework", kNetframework, ""},
    {"nps", kNps, ""},
    {"os", {}, kNoCounters},
    {"pagefile", kPagefile, ""},
    {"performancecounter", {}, ""},
    {"physical_disk", kPhysicalDisk,
     "its label was the disk's number; here it is the whole of the instance's name, such as "
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
    {"time", kTime, "only its counters; clock and time zone are not"},
    {"udp", kUdp, ""},
    {"update", {}, kNoCounters},
    {"vmware", kVmware, ""},
    // Of older versions, whose configurations are still in use.
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
std::span<const std::string_view> default_collectors() { return kDefaults; }

}  // namespace winperf::migration
