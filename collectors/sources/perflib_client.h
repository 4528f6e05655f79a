// The PerfLib V2 functions with their buffer protocol taken care of: owned bytes or an Error.
//
// A buffer that is too small is made as large as the system says, and a quarter larger, because the
// answer may have grown in between; that is tried ten times and ends at a limit of bytes. The last
// good size of a query's data is where its next one starts. Nothing is parsed here; only that the
// reported size fits the buffer is checked.
// Errors: kBufferLimit (bytes), kBusy (still growing after ten tries), kBadLength (a reported size
// larger than the buffer), kAccessDenied, kNotRegistered, kNotRunning, kOsError.
// Thread rule: one thread at a time.
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

// What a Win32 error code of these functions means here; `where` is static text.
Error perflib_error(std::uint32_t os_code, const char* where);

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

  // PERF_COUNTER_IDENTIFIER blocks; their Status is written into them.
  std::expected<void, Error> add(std::span<std::byte> identifiers);
  std::expected<void, Error> remove(std::span<std::byte> identifiers);
  // The identifiers of the query, each with the index of its result.
  std::expected<Bytes, Error> info();
  std::expected<Bytes, Error> data();

 private:
  void close();

  PerflibApi* api_;
  std::optional<PerflibHandle> handle_;
  PerflibLimits limits_;
  std::size_t data_bytes_ = 0;
};

class PerflibClient {
 public:
  // `machine`: empty for this one. `api` outlives the client and its queries.
  PerflibClient(PerflibApi& api, std::u16string machine, PerflibLimits limits = {})
      : api_(api), machine_(std::move(machine)), limits_(limits) {}

  std::expected<std::vector<Guid>, Error> countersets();
  // No active instance is an empty answer.
  std::expected<Bytes, Error> instances(const Guid& counterset);
  std::expected<Bytes, Error> registration(const Guid& counterset, RegistrationInfo info,
                                           std::uint32_t argument = 0);
  std::expected<PerflibQuery, Error> open();

 private:
  PerflibApi& api_;
  std::u16string machine_;
  PerflibLimits limits_;
};

}  // namespace winperf
