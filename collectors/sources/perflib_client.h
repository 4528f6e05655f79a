// PerfLib's functions as a source, with their buffer protocol taken care of.
//
// A buffer that is too small grows to the reported size plus a quarter, because the answer may have
// grown in between; there are ten attempts and a limit of bytes. The next call for a query's data
// starts with its last good size and a quarter more. Nothing is parsed here; only the reported size
// is checked against the buffer. Errors: kBufferLimit (bytes, or number of GUIDs), kBusy (still
// growing after ten attempts), kBadLength (a reported size larger than the buffer), kAccessDenied,
// kNotRegistered, kNotRunning, kOsError. Thread rule: one thread at a time. Source: Learn,
// PerfQueryCounterData; docs/perflib-path.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/perflib_source.h"
#include "collectors/sources/source.h"
#include "collectors/wire/text.h"

namespace winperf {

// What a Win32 error code of these functions means; `where` becomes Error::where, so it is static
// text.
[[nodiscard]] Error perflib_error(std::uint32_t os_code, const char* where);

struct PerflibLimits {
  std::size_t max_bytes = 64U << 20;
};

// One query handle; closed by the destructor.
class PerflibQuery {
 public:
  PerflibQuery(PerflibApi& api, PerflibHandle handle, PerflibLimits limits)
      : api_(api), handle_(handle), limits_(limits) {}
  ~PerflibQuery();
  PerflibQuery(const PerflibQuery&) = delete;
  PerflibQuery& operator=(const PerflibQuery&) = delete;

  // PERF_COUNTER_IDENTIFIER blocks; the system writes their Status.
  [[nodiscard]] std::expected<void, Error> add(std::span<std::byte> identifiers);
  [[nodiscard]] std::expected<void, Error> remove(std::span<std::byte> identifiers);
  // The identifiers of the query, each with the index of its result.
  [[nodiscard]] std::expected<Bytes, Error> info();
  [[nodiscard]] std::expected<Bytes, Error> data();

 private:
  PerflibApi& api_;
  const PerflibHandle handle_;
  const PerflibLimits limits_;
  std::size_t data_bytes_ = 0;
};

// Each set is a query handle. Each call adds one identifier, so that an invalid one doesn't affect
// others; the order of the results is queried after every change. A handle that fails is closed.
class PerflibClient final : public PerflibSource {
 public:
  // `machine`: in UTF-8; empty for this one. `api` outlives the client.
  PerflibClient(PerflibApi& api, std::string_view machine, PerflibLimits limits = {})
      : api_(api), machine_(to_utf16(machine)), limits_(limits) {}
  // Of this machine.
  PerflibClient(std::unique_ptr<PerflibApi> api, PerflibLimits limits)
      : owned_(std::move(api)), api_(*owned_), limits_(limits) {}

  [[nodiscard]] std::expected<std::vector<Guid>, Error> countersets() override;
  [[nodiscard]] std::expected<Bytes, Error> instances(const Guid& counterset) override;
  [[nodiscard]] std::expected<Bytes, Error> registration(const Guid& counterset,
                                                         RegistrationInfo info,
                                                         std::uint32_t argument = 0) override;
  PerflibSet new_set() override { return PerflibSet{++last_set_}; }
  [[nodiscard]] std::expected<std::vector<ResultPlace>, Error> open(
      PerflibSet set, std::span<const v2::CounterRequest> requests) override;
  [[nodiscard]] std::expected<Bytes, Error> collect(PerflibSet set) override;
  void close(PerflibSet set) override { sets_.erase(set); }

  // For how long open() adds requests; the others have to wait for the next call (kPending).
  void limit_time(std::chrono::milliseconds time) { max_time_ = time; }
  [[nodiscard]] std::expected<std::unique_ptr<PerflibQuery>, Error> open_query();

 private:
  struct Member {
    v2::CounterRequest request;
    bool is_added = false;
    ResultPlace place{};
  };
  struct Set {
    std::unique_ptr<PerflibQuery> query{};
    std::vector<Member> members{};
    bool is_ordered = true;  // the place of each one that was added is known
  };

  // Removes requests that aren't wanted any more. If that fails, a new handle is set up without
  // them.
  static void withdraw(Set& set, std::span<const v2::CounterRequest> wanted);
  // Opens the handle, and adds missing requests.
  [[nodiscard]] std::expected<void, Error> complete(Set& set);
  [[nodiscard]] static std::expected<void, Error> add(Set& set, Member& member);
  [[nodiscard]] static std::expected<void, Error> find_places(Set& set);

  std::unique_ptr<PerflibApi> owned_;
  PerflibApi& api_;
  std::u16string machine_;
  PerflibLimits limits_;
  std::optional<std::chrono::milliseconds> max_time_;
  std::map<PerflibSet, Set> sets_;
  std::uint32_t last_set_ = 0;
};

}  // namespace winperf
