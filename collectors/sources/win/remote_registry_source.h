// HKEY_PERFORMANCE_DATA of another machine, by RegConnectRegistry: one handle for the counters, and
// one for the ordinary values of its registry, each opened when it is first needed.
//
// The query runs on the other machine, in its own service; the handles are real ones, and closing
// them frees what the other machine holds for us. A handle is closed by release(), by the
// destructor, and after an error that a fresh start may cure; the next call connects again. Not
// being able to connect is not repeated here: each attempt may take as long as the network lets it.
// Text tables come from the performance data, and then from Perflib's keys, because here there are
// no files to fall back on. The machine's own language is read there, too.
// Not validated: the blocks and tables; only that their size fits the buffer.
// Errors, besides those of QueryPolicy: that of connecting, with `where` "remote.connect";
// kNoSuchName. Thread rule: one thread at a time.
// Source: Learn, RegConnectRegistryW and "Using the Registry Functions to Consume Counter Data".
#pragma once

#include <windows.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/base/win/key_reader.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/sources/query_policy.h"
#include "collectors/sources/source.h"
#include "collectors/sources/win/wine_quirk.h"

namespace winperf {

class RemoteRegistrySource final : public CounterSource {
 public:
  // `machine`: a name as machine_name() gives it.
  RemoteRegistrySource(std::string_view machine, const QueryLimits& limits);

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
  void release() override;

 private:
  // Connects to a predefined key of the machine, unless `key` is one already. A Win32 code.
  std::uint32_t connect(HKEY predefined, UniqueKey& key) const;
  // `run`: (const QueryCalls&), which makes the query and returns an expected.
  template <class Run>
  auto query_data(std::string_view value_name, const Run& run)
      -> std::invoke_result_t<Run, const QueryCalls&>;
  // A key below the machine's HKEY_LOCAL_MACHINE. Without a connection it has no values.
  KeyReader local_key(const std::wstring& path);
  [[nodiscard]] std::expected<Bytes, Error> key_text(const std::string& key,
                                                     const std::string& value_name);
  [[nodiscard]] std::uint16_t language_id();

  std::wstring machine_;  // with its two backslashes
  QueryPolicy policy_;
  WineQuirk quirk_ = WineQuirk::detect();
  UniqueKey data_;
  UniqueKey local_;
};

}  // namespace winperf
