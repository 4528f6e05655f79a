#include "config/migration/collectors.h"

namespace winperf::migration {
namespace {

constexpr ReadObject kAd[] = {{"DirectoryServices|NTDS", "", ""}};
constexpr ReadObject kAdcs[] = {{"Certification Authority", "", ""}};
constexpr ReadObject kAdfs[] = {{"AD FS", "", ""}};
constexpr ReadObject kCache[] = {{"Cache", "", ""}};
constexpr ReadObject kCpu[] = {{"Processor Information", "", ""}};
constexpr ReadObject kDfsr[] = {{"DFS Replication Connections", "", ""},
                                {"DFS Replicated Folders", "", ""},
                                {"DFS Replication Service Volumes", "", ""}};
constexpr ReadObject kDhcp[] = {{"DHCP Server", "", ""}};
constexpr ReadObject kDns[] = {{"DNS", "", ""}};
constexpr ReadObject kExchange[] = {{"MSExchange ADAccess Processes", "", ""},
                                    {"MSExchangeTransport Queues", "", ""},
                                    {"MSExchange HttpProxy", "", ""},
                                    {"MSExchange ActiveSync", "", ""},
                                    {"MSExchange Availability Service", "", ""},
                                    {"MSExchange OWA", "", ""},
                                    {"MSExchangeAutodiscover", "", ""},
                                    {"MSExchange WorkloadManagement Workloads", "", ""},
                                    {"MSExchange RpcClientAccess", "", ""},
                                    {"MSExchange MapiHttp Emsmdb", "", ""}};
constexpr ReadObject kHyperv[] = {{"Hyper-V Hypervisor Logical Processor", "", ""},
                                  {"Hyper-V Hypervisor Root Virtual Processor", "", ""},
                                  {"Hyper-V Hypervisor Virtual Processor", "", ""},
                                  {"Hyper-V Dynamic Memory VM", "", ""},
                                  {"Hyper-V Virtual Machine Health Summary", "", ""},
                                  {"Hyper-V Virtual Network Adapter", "", ""},
                                  {"Hyper-V Virtual Storage Device", "", ""},
                                  {"Hyper-V Virtual Switch", "", ""}};
constexpr ReadObject kIis[] = {{"Web Service", "site-include", "site-exclude"},
                               {"Web Service Cache", "", ""},
                               {"APP_POOL_WAS", "app-include", "app-exclude"},
                               {"HTTP Service Request Queues", "site-include", "site-exclude"},
                               // Its instances are called by process and pool, "4711_Pool".
                               {"W3SVC_W3WP", "app-include", "app-exclude", "\\d+_"}};
constexpr ReadObject kLogicalDisk[] = {{"LogicalDisk", "volume-include", "volume-exclude"}};
constexpr ReadObject kMemory[] = {{"Memory", "", ""}};
constexpr ReadObject kMsmq[] = {{"MSMQ Queue", "", ""}};
constexpr ReadObject kMssql[] = {{"SQLServer:Access Methods", "", ""},
                                 {"SQLServer:Availability Replica", "", ""},
                                 {"SQLServer:Buffer Manager", "", ""},
                                 {"SQLServer:Databases", "", ""},
                                 {"SQLServer:Database Replica", "", ""},
                                 {"SQLServer:General Statistics", "", ""},
                                 {"SQLServer:Locks", "", ""},
                                 {"SQLServer:Memory Manager", "", ""},
                                 {"SQLServer:SQL Errors", "", ""},
                                 {"SQLServer:SQL Statistics", "", ""},
                                 {"SQLServer:Transactions", "", ""},
                                 {"SQLServer:Wait Statistics", "", ""}};
constexpr ReadObject kNet[] = {{"Network Interface", "nic-include", "nic-exclude"}};
constexpr ReadObject kNetframework[] = {{".NET CLR Exceptions", "", ""},
                                        {".NET CLR Interop", "", ""},
                                        {".NET CLR Jit", "", ""},
                                        {".NET CLR Loading", "", ""},
                                        {".NET CLR LocksAndThreads", "", ""},
                                        {".NET CLR Memory", "", ""},
                                        {".NET CLR Remoting", "", ""},
                                        {".NET CLR Security", "", ""}};
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
    "for it, which can run beside this program";

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
