// The seam between this program and the operating system: where the bytes come from.
//
// A source is one machine's. It answers with owned bytes and knows nothing of their meaning; a log
// of counters, which has no such bytes, with their values. Implementations: replay (here, any
// platform), the registry (win/), binary logs (collectors/blg).
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/sample.h"

namespace winperf {

using Bytes = std::vector<std::byte>;

// One object of a recording that holds values without the V1 block that they came in.
struct LoggedObject {
  // Everything but what is derived from the sample before: raw, base, reason, own_clocks.
  std::shared_ptr<const CountersetSample> values;
  std::vector<Error> problems;  // what of it could not be read
};

// The reply to one query: usually one V1 block, several where a replayed sample was recorded by
// several queries. It may hold more or fewer objects than were asked for.
struct Reply {
  std::vector<Bytes> blocks;
  std::vector<LoggedObject> logged{};
  std::uint64_t logged_bytes = 0;    // of the record that has them
  std::optional<Ticks100ns> time{};  // when it was recorded, where the recording says so
};

enum class TextTable { kCounter, kHelp };

// Where a name table comes from. English is the table of language 009; kMachine is the language of
// this machine.
enum class Language { kEnglish, kMachine };

class CounterSource {
 public:
  CounterSource() = default;
  CounterSource(const CounterSource&) = delete;
  CounterSource& operator=(const CounterSource&) = delete;
  virtual ~CounterSource() = default;

  // Whose counters these are, where there are several such sources; empty otherwise.
  virtual std::string machine() const { return {}; }

  // `value_name` is what HKEY_PERFORMANCE_DATA takes: "Global", "238 2", "MetadataGlobal", ...
  virtual std::expected<Reply, Error> query(std::string_view value_name, std::stop_token stop) = 0;

  // The bytes of a name table, each a candidate in order of preference (the registry's table first,
  // then perfcNNN.dat / perfhNNN.dat). The caller takes the first that parses to something useful.
  virtual std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                               Language language) = 0;

  // Whether the Metadata* value names may be used.
  virtual bool supports_metadata() = 0;

  // A number that changes when providers were added or removed since the last call: Perflib's
  // "Last Counter". Constant where the source cannot change.
  virtual std::uint64_t provider_generation() = 0;

  // Forgets cached providers, so that the next query loads them anew (RegCloseKey).
  virtual void release() = 0;
};

// Why a source could not be made, for the person who asked for it: unlike winperf::Error it carries
// text of its own, because it names a directory or says what to do instead.
struct SourceError {
  ErrorCode code = ErrorCode::kOsError;
  std::string text;  // UTF-8, one sentence, lower case, no full stop
};

}  // namespace winperf
