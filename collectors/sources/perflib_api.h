// The seam to PerfLib V2: Windows' nine consumer functions, with Windows' own buffer protocol.
//
// Implementations: advapi32.dll (win/), the simulator of the tests. Each function returns a Win32
// error code. Those with a buffer write at most its size and set `actual` to the bytes (of
// enumerate_countersets(): the GUIDs) that they stored, or with kNotEnoughMemory to what they need
// now, which may grow again before the next call. What `actual` says after any other error is
// undefined. The bytes that come back are not checked by anybody.
// Thread rule: calls for one query one at a time; what else may run together, the implementation
// says.
// Source: perflib.h of the Windows SDK; Learn, PerfOpenQueryHandle and its neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "collectors/model/guid.h"

namespace winperf {

// PerfRegInfoType: what of a registration is asked for.
enum class RegistrationInfo : std::uint32_t {
  kCounterset = 1,      // PERF_COUNTERSET_REG_INFO with all counters
  kCounter = 2,         // one PERF_COUNTER_REG_INFO; the argument is the counter's id
  kCountersetName = 3,  // text; the argument of 3 to 6 is a language, 0 the default one
  kCountersetHelp = 4,  // text
  kCounterNames = 5,    // table of texts by counter id
  kCounterHelps = 6,    // table of texts
  kProviderName = 7,    // text
  kProviderGuid = 8,    // GUID
  kCountersetEnglishName = 9,
  kCounterEnglishNames = 10,
};

// The Win32 error codes that have a meaning of their own here.
enum class PerflibCode : std::uint32_t {
  kSuccess = 0,
  kPathNotFound = 3,  // status of an identifier: no such instance right now
  kAccessDenied = 5,
  kNotEnoughMemory = 8,  // the buffer is too small; a real lack of memory is kOutOfMemory
  kOutOfMemory = 14,
  kInvalidParameter = 87,
  kAlreadyExists = 183,  // status of an identifier: the query has it already
  kNoData = 232,         // a counter by reference without a reference
  kNotSupported = 50,
  kGuidNotFound = 4200,         // no provider has registered the counterset
  kInstanceNotFound = 4201,     // no instance is active: the provider may not be running
  kItemNotFound = 4202,         // the set has no such counter
  kInvalidRegistration = 4211,  // the provider's answer contradicts its registration
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
  // `identifiers`: PERF_COUNTER_IDENTIFIER blocks, whose Status is written. Success says nothing
  // about the single blocks.
  virtual std::uint32_t add_counters(PerflibHandle query, Bytes identifiers) = 0;
  virtual std::uint32_t delete_counters(PerflibHandle query, Bytes identifiers) = 0;
};

}  // namespace winperf
