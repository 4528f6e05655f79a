// The PerfLib V2 functions with their buffer protocol taken care of: owned bytes or an Error.
// PerflibConnection has the client of a machine.
//
// A buffer that is too small becomes as large as the system says and a quarter larger, because the
// answer may have grown in between; there are ten attempts and a limit of bytes. The next call for
// a query's data starts with its last good size and a quarter more. Nothing is parsed here; only
// the reported size is checked against the buffer. Errors: kBufferLimit (bytes, or number of
// GUIDs), kBusy (still growing after ten attempts), kBadLength (a reported size larger than the
// buffer), kAccessDenied, kNotRegistered, kNotRunning, kOsError. Thread rule: one thread at a time.
// Source: Learn, PerfQueryCounterData; docs/perflib-path.md.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"

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
      : api_(&api), handle_(handle), limits_(limits) {}
  PerflibQuery(PerflibQuery&& other) noexcept;
  PerflibQuery& operator=(PerflibQuery&& other) noexcept;
  ~PerflibQuery() { close(); }

  // PERF_COUNTER_IDENTIFIER blocks; the system writes their Status.
  [[nodiscard]] std::expected<void, Error> add(std::span<std::byte> identifiers);
  [[nodiscard]] std::expected<void, Error> remove(std::span<std::byte> identifiers);
  // The identifiers of the query, each with the index of its result.
  [[nodiscard]] std::expected<Bytes, Error> info();
  [[nodiscard]] std::expected<Bytes, Error> data();

 private:
  void close();

  PerflibApi* api_;
  std::optional<PerflibHandle> handle_;
  PerflibLimits limits_;
  std::size_t data_bytes_ = 0;
};

class PerflibClient {
 public:
  // `machine`: empty for this machine. `api` outlives the client and its queries.
  PerflibClient(PerflibApi& api, std::u16string machine, PerflibLimits limits = {})
      : api_(api), machine_(std::move(machine)), limits_(limits) {}

  [[nodiscard]] std::expected<std::vector<Guid>, Error> countersets();
  // Empty if no instance is active.
  [[nodiscard]] std::expected<Bytes, Error> instances(const Guid& counterset);
  [[nodiscard]] std::expected<Bytes, Error> registration(const Guid& counterset,
                                                         RegistrationInfo info,
                                                         std::uint32_t argument = 0);
  [[nodiscard]] std::expected<PerflibQuery, Error> open();

 private:
  PerflibApi& api_;
  std::u16string machine_;
  PerflibLimits limits_;
};

}  // namespace winperf
