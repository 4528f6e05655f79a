// One V1 provider as a source: only its objects, in a block like the system's.
//
// A query is retried with more room like the registry's (query_policy.h). It has no name tables.
// Errors: kNotRegistered (no service of that name has a Performance key), those of HostedProvider,
// those of QueryPolicy. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/model/error.h"
#include "collectors/provider/guarded_room.h"
#include "collectors/provider/provider_machine.h"
#include "collectors/sources/query_policy.h"
#include "collectors/sources/source.h"

namespace winperf {

// One V1 provider, called as documented for the system: its library loaded and Open called once,
// Collect with room that may be too small, Close at the end, and the reply checked before it is
// read.
//
// Its reply is written between two inaccessible pages, so an out-of-bounds write ends the process.
// A provider whose Open has failed isn't called again until close(). Its library stays loaded until
// the process ends, because its threads may still run. Validated: that the pointer has moved by the
// size that it reports, that this fits the room, and that the objects' lengths lead there; not what
// the objects contain. Errors: those of ProviderMachine::load(); kOsError (Open or Collect returned
// os_code; the system allows Collect only success and ERROR_MORE_DATA), kBufferLimit
// (ERROR_MORE_DATA), kBadLength, kBadCount; `where` names the call. Thread rule: one thread.
// Source: Learn, "Creating a Performance Extension DLL".
class HostedProvider {
 public:
  // Valid until the next call.
  struct Objects {
    std::span<const std::byte> bytes;
    std::uint32_t count = 0;
  };

  // `machine` must outlive this object.
  HostedProvider(ProviderMachine& machine, ProviderRegistration registration)
      : machine_(machine), registration_(std::move(registration)) {}
  ~HostedProvider() { close(); }
  HostedProvider(const HostedProvider&) = delete;
  HostedProvider& operator=(const HostedProvider&) = delete;

  // `value_name`: a list of indices, "Global", "Costly" or "Foreign ...", with "OLD_" or "Metadata"
  // before it. `room`: the size that the provider may fill.
  [[nodiscard]] std::expected<Objects, Error> collect(std::string_view value_name,
                                                      std::size_t room);
  void close();

 private:
  [[nodiscard]] std::expected<void, Error> open();
  [[nodiscard]] std::expected<void, Error> load_and_open();
  std::u16string query_for(std::string_view value_name) const;

  ProviderMachine& machine_;
  ProviderRegistration registration_;
  std::unique_ptr<ProviderLibrary> library_;
  std::optional<std::expected<void, Error>> opened_;  // how, since the last close()
  GuardedRoom room_;
};

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
