#include "tests/simulator/network/network.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "collectors/sources/platform.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/registry_source.h"
#include "tests/simulator/server/server_machine.h"

namespace winperf::simulator {
namespace {

class RemoteRegistry final : public RegistrySource {
 public:
  RemoteRegistry(Host& host, const QueryLimits& limits)
      : RegistrySource(host.machine(), limits), host_(host) {}

  std::expected<Reply, Error> query(std::string_view value_name, StopToken stop) override {
    if (const auto refusal = meet(true)) return std::unexpected(*refusal);
    return RegistrySource::query(value_name, std::move(stop));
  }
  std::expected<std::size_t, Error> query_in(const ReplyRoom& room, std::string_view value_name,
                                             StopToken stop) override {
    if (const auto refusal = meet(true)) return std::unexpected(*refusal);
    return RegistrySource::query_in(room, value_name, std::move(stop));
  }
  std::vector<std::expected<winperf::Bytes, Error>> text_tables(TextTable table,
                                                                Language language) override {
    if (const auto refusal = meet(false)) return {std::unexpected(*refusal)};
    return RegistrySource::text_tables(table, language);
  }
  bool supports_metadata() override { return !meet(false) && RegistrySource::supports_metadata(); }
  std::uint64_t provider_generation() override {
    return meet(false) ? 0 : RegistrySource::provider_generation();
  }

 private:
  std::optional<Error> meet(bool is_query) {
    const std::uint32_t refusal = host_.meet(is_query);
    if (refusal == kSuccess) return std::nullopt;
    return Error{.code = refusal == kAccessDenied ? ErrorCode::kAccessDenied : ErrorCode::kOsError,
                 .where = kConnecting,
                 .os_code = refusal};
  }

  Host& host_;
};

}  // namespace

Host& Network::host(std::string_view machine) {
  std::string name = plain_name(machine);
  const std::lock_guard lock(mutex_);
  if (usual_ == nullptr) usual_ = std::make_shared<const ServerData>(usual_server_data());
  std::unique_ptr<Host>& host = hosts_[name];
  if (host == nullptr) host = std::make_unique<Host>(std::move(name), usual_, time_);
  return *host;
}

std::expected<std::unique_ptr<CounterSource>, SourceError> Network::registry_of(
    const std::string& machine, const QueryLimits& limits) {
  return std::make_unique<RemoteRegistry>(host(machine), limits);
}

}  // namespace winperf::simulator
