// HKEY_PERFORMANCE_DATA of this machine.
//
// A query runs the code of every provider that it concerns in this process, on this thread. It
// can't be interrupted; only its repetitions can (query_policy.h).
// The first query opens the key, which then stays open, because closing it unloads every provider's
// DLL. It is closed, if anything was queried, by release(), by the destructor, and after an error
// that a fresh start may cure. Providers are found when the key is opened, so a caller that sees
// provider_generation() change calls release(). Text tables need no closing. Not validated: the
// blocks; only that their size fits the buffer. Thread rule: one thread at a time, and one object
// in use per process: closing the key while another thread queries it would unload the DLLs that
// this query is running in.
// Source: Learn, "Using the Registry Functions to Consume Counter Data".
#pragma once

#include <windows.h>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/sources/query_policy.h"
#include "collectors/sources/source.h"
#include "collectors/sources/win/wine_quirk.h"

namespace winperf {

// The candidates for one name table on this machine, in order of preference.
//
// English: "Counter 009" of HKEY_PERFORMANCE_DATA, then perfc009.dat. HKEY_PERFORMANCE_TEXT isn't
// read: it gives the same table, so it can't be better if the first one is corrupt.
// Machine: "Counter" of HKEY_PERFORMANCE_NLSTEXT, then "Counter NNN" and perfcNNN.dat of the
// system's UI language.
// Not validated: the bytes; a table may be a stub, corrupt, or (help texts on Windows 10) English
// although another language was requested.
// Thread rule: that of `read`.
// Source: Learn, "Retrieving Counter Names and Help Text".

using ReadValue =
    std::function<std::expected<Bytes, Error>(HKEY key, const std::string& value_name)>;

[[nodiscard]] std::vector<std::expected<Bytes, Error>> read_text_tables(TextTable table,
                                                                        Language language,
                                                                        const ReadValue& read);

class RegistrySource final : public CounterSource {
 public:
  explicit RegistrySource(const QueryLimits& limits);
  ~RegistrySource() override { close_key(); }

  bool is_live() const override { return true; }
  [[nodiscard]] std::expected<Reply, Error> query(std::string_view value_name,
                                                  StopToken stop) override;
  [[nodiscard]] std::expected<std::size_t, Error> query_in(const ReplyRoom& room,
                                                           std::string_view value_name,
                                                           StopToken stop) override;
  [[nodiscard]] std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                     Language language) override;
  void limit_time(std::chrono::milliseconds time) override { policy_.limit_time(time); }
  bool supports_metadata() override;
  std::uint64_t provider_generation() override;
  void release() override { close_key(); }

 private:
  // `run`: (const QueryCalls&), which makes the query and returns an expected.
  template <class Run>
  auto query_key(std::string_view value_name, const Run& run)
      -> std::invoke_result_t<Run, const QueryCalls&>;
  [[nodiscard]] std::expected<Bytes, Error> read_text(HKEY key, const std::string& value_name);
  void close_key();

  QueryPolicy policy_;
  WineQuirk quirk_ = WineQuirk::detect();
  bool opened_ = false;  // whether anything was queried since the key was last closed
};

}  // namespace winperf
