#include "collectors/facts/fact_source.h"
#include "collectors/facts/textfile_reader.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

FactAnswer read_topic(const FactRequest& request) {
  switch (request.topic) {
    case FactTopic::kOs:
      return read_os();
    case FactTopic::kTime:
      return read_time();
    case FactTopic::kMemory:
      return read_memory();
    case FactTopic::kPagefiles:
      return read_pagefiles();
    case FactTopic::kProcessors:
      return read_processors();
    case FactTopic::kDisks:
      return read_disks();
    case FactTopic::kVolumes:
      return read_volumes();
    case FactTopic::kAdapters:
      return read_adapters();
    case FactTopic::kConnections:
      return read_connections();
    case FactTopic::kServices:
      return read_services();
    case FactTopic::kServiceStatus:
      return read_service_status();
    case FactTopic::kLogons:
      return read_logons();
    case FactTopic::kSessions:
      return read_sessions();
    case FactTopic::kTasks:
      return read_tasks();
    case FactTopic::kPrinters:
      return read_printers();
    case FactTopic::kQuotas:
      return read_quotas();
    case FactTopic::kLicense:
      return read_license();
    case FactTopic::kIis:
      return read_iis();
    case FactTopic::kSqlServers:
      return read_sql_servers();
    case FactTopic::kDnsStatistics:
      return read_dns_statistics();
    case FactTopic::kDhcpScopes:
      return read_dhcp_scopes();
    case FactTopic::kProcesses:
      return read_processes();
    case FactTopic::kTextfile:
      return list_textfiles(request.folders);
  }
  return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "facts"});
}

class WindowsFacts final : public FactSource {
 public:
  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    return read_topic(request);
  }
  std::expected<FileAnswer, Error> read_file(const FileQuestion& question,
                                             std::chrono::milliseconds time,
                                             const StopToken&) override {
    return read_textfile(question, std::chrono::steady_clock::now() + time);
  }
};

}  // namespace

std::unique_ptr<FactSource> make_fact_source() { return std::make_unique<WindowsFacts>(); }

}  // namespace winperf
