// The seam to PerfLib V2: Windows' nine consumer functions, with Windows' own buffer protocol.
//
// Implementations: advapi32.dll (win/), the tests' simulator. perflib_client.h makes a source of
// them. Each function returns a Win32 error code (os_code.h). Those with a buffer write at most its
// size and set `actual` to the number of bytes (of enumerate_countersets(): GUIDs) that they
// stored; or, with kNotEnoughMemory, to what they need now, which may grow again before the next
// call. After any other error `actual` is undefined. The returned bytes are unchecked. Thread rule:
// one call at a time per query; further rules depend on the implementation. Source: perflib.h of
// the Windows SDK; Learn, PerfOpenQueryHandle and its neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "collectors/model/guid.h"

namespace winperf {

// PerfRegInfoType: which part of a registration is requested.
enum class RegistrationInfo : std::uint32_t {
  kCounterset = 1,      // PERF_COUNTERSET_REG_INFO with all counters
  kCounter = 2,         // one PERF_COUNTER_REG_INFO; the argument is the counter's id
  kCountersetName = 3,  // text; the argument of 3 to 6 is a language, 0 for the default
  kCountersetHelp = 4,  // text
  kCounterNames = 5,    // table of texts by counter id
  kCounterHelps = 6,    // table of texts
  kProviderName = 7,    // text
  kProviderGuid = 8,    // GUID
  kCountersetEnglishName = 9,
  kCounterEnglishNames = 10,
};

enum class PerflibHandle : std::uintptr_t {};

class PerflibApi {
 public:
  using Bytes = std::span<std::byte>;

  PerflibApi() = default;
  PerflibApi(const PerflibApi&) = delete;
  PerflibApi& operator=(const PerflibApi&) = delete;
  virtual ~PerflibApi() = default;

  // `machine`: a name or address, empty for this machine.
  virtual std::uint32_t enumerate_countersets(const std::u16string& machine, std::span<Guid> guids,
                                              std::uint32_t& actual) = 0;
  virtual std::uint32_t enumerate_instances(const std::u16string& machine, const Guid& counterset,
                                            Bytes buffer, std::uint32_t& actual) = 0;
  virtual std::uint32_t query_registration(const std::u16string& machine, const Guid& counterset,
                                           RegistrationInfo info, std::uint32_t argument,
                                           Bytes buffer, std::uint32_t& actual) = 0;
  virtual std::uint32_t open_query(const std::u16string& machine, PerflibHandle& query) = 0;
  virtual std::uint32_t close_query(PerflibHandle query) = 0;
  virtual std::uint32_t query_counter_info(PerflibHandle query, Bytes buffer,
                                           std::uint32_t& actual) = 0;
  virtual std::uint32_t query_counter_data(PerflibHandle query, Bytes buffer,
                                           std::uint32_t& actual) = 0;
  // `identifiers`: PERF_COUNTER_IDENTIFIER blocks, whose Status is written. Success doesn't mean
  // that each block was accepted.
  virtual std::uint32_t add_counters(PerflibHandle query, Bytes identifiers) = 0;
  virtual std::uint32_t delete_counters(PerflibHandle query, Bytes identifiers) = 0;
};

}  // namespace winperf
