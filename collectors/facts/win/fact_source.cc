#include "collectors/facts/fact_source.h"

#include <algorithm>
#include <iterator>

#include "collectors/facts/textfile_reader.h"
#include "collectors/facts/win/service_configs.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

struct Reader {
  FactTopic topic;
  FactAnswer (*read)();
};

constexpr Reader kReaders[] = {
    {FactTopic::kOs, read_os},
    {FactTopic::kTime, read_time},
    {FactTopic::kMemory, read_memory},
    {FactTopic::kPagefiles, [] { return read_pagefiles(); }},
    {FactTopic::kProcessors, read_processors},
    {FactTopic::kDisks, read_disks},
    {FactTopic::kVolumes, read_volumes},
    {FactTopic::kAdapters, read_adapters},
    {FactTopic::kConnections, read_connections},
    {FactTopic::kServiceStatus, read_service_status},
    {FactTopic::kLogons, read_logons},
    {FactTopic::kSessions, read_sessions},
    {FactTopic::kTasks, read_tasks},
    {FactTopic::kPrinters, read_printers},
    {FactTopic::kQuotas, read_quotas},
    {FactTopic::kLicense, read_license},
    {FactTopic::kIis, [] { return read_iis(); }},
    {FactTopic::kSqlServers, [] { return read_sql_servers(); }},
    {FactTopic::kDnsStatistics, read_dns_statistics},
    {FactTopic::kDhcpScopes, read_dhcp_scopes},
    {FactTopic::kProcesses, read_processes},
};
static_assert(std::size(kReaders) + 2 == kFactTopicCount, "all but text files and services");

class WindowsFacts final : public FactSource {
 public:
  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    if (request.topic == FactTopic::kTextfile) return list_textfiles(request.folders);
    if (request.topic == FactTopic::kServices) return read_services(configs_);
    const auto* const found = std::ranges::find(kReaders, request.topic, &Reader::topic);
    if (found != std::end(kReaders)) return found->read();
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "facts"});
  }
  std::expected<FileAnswer, Error> read_file(const FileQuestion& question,
                                             std::chrono::milliseconds time,
                                             const StopToken&) override {
    return read_textfile(question, std::chrono::steady_clock::now() + time);
  }

 private:
  ServiceConfigs configs_;
};

}  // namespace

std::unique_ptr<FactSource> make_fact_source() { return std::make_unique<WindowsFacts>(); }

}  // namespace winperf
