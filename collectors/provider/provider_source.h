// One V1 provider as a source: its objects alone, in a block as the system makes it.
//
// A query is repeated with more room as the registry's are (query_policy.h). Names are not here.
// Errors: kNotRegistered (no service of that name has a Performance key), those of HostedProvider,
// those of QueryPolicy. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/provider/hosted_provider.h"
#include "collectors/provider/provider_machine.h"
#include "collectors/sources/query_policy.h"
#include "collectors/sources/source.h"

namespace winperf {

// Writes PERF_DATA_BLOCK: what the system puts before the objects of a reply.
// Thread rule: any thread. Source: winperf.h, PERF_DATA_BLOCK.

// Header and name, a multiple of 8.
[[nodiscard]] std::size_t block_head_bytes(std::u16string_view computer_name);

// `block`: the whole block, whose objects begin after block_head_bytes().
void write_block_head(std::span<std::byte> block, const BlockMoment& moment,
                      std::u16string_view computer_name, std::uint32_t object_count);

class ProviderSource final : public PolicySource {
 public:
  ProviderSource(std::unique_ptr<ProviderMachine> machine, std::string service,
                 const QueryLimits& limits, ClockSource clocks)
      : PolicySource(limits, std::move(clocks)),
        machine_(std::move(machine)),
        service_(std::move(service)) {}

  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  // Calls Close.
  void release() override { provider_.reset(); }

 private:
  [[nodiscard]] std::expected<std::size_t, Error> ask(std::string_view value_name,
                                                      const Query& query) override;
  [[nodiscard]] std::expected<void, Error> find_provider();
  // One block in `buffer`.
  [[nodiscard]] std::expected<std::size_t, Error> fill(std::string_view value_name,
                                                       std::span<std::byte> buffer);

  std::unique_ptr<ProviderMachine> machine_;
  std::string service_;
  std::optional<HostedProvider> provider_;
};

}  // namespace winperf
