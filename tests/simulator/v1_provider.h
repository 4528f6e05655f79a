// A V1 provider: the three functions of a performance extension DLL, and what its Performance key
// says. Thread rule: the host calls one at a time.
// Source: Learn, "Creating a Performance Extension DLL", PM_OPEN_PROC and its neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/block_builder.h"

namespace winperf::simulator {

// The values of HKLM\SYSTEM\CurrentControlSet\Services\<service>\Performance.
struct PerformanceKey {
  std::u16string service{};
  // The names by which the system looks for the functions in the DLL. Empty: there is no such
  // value, which is legal for Open and Close.
  std::string open = "Open";
  std::string collect = "Collect";
  std::string close = "Close";
  std::vector<std::uint32_t> object_list{};              // empty: called for every query
  bool supports_metadata = false;                        // "Collect Supports Metadata"
  bool disabled = false;                                 // "Disable Performance Counters"
  std::optional<std::vector<std::u16string>> devices{};  // Linkage\Export
  bool library_is_32_bit = false;  // Windows reads it through PerfHost, and nobody can load it
  bool library_is_missing = false;
};

class V1Provider {
 public:
  explicit V1Provider(PerformanceKey performance_key) : key(std::move(performance_key)) {}
  V1Provider(const V1Provider&) = delete;
  V1Provider& operator=(const V1Provider&) = delete;
  virtual ~V1Provider() = default;

  // `device_names`: the strings of Linkage\Export as they stand in the registry, each with its NUL
  // and one more at the end; null if there is no such value.
  virtual std::uint32_t open(const char16_t* device_names) = 0;
  // `data` moves past what was written, at most `bytes`; these become what was written. Only
  // success and ERROR_MORE_DATA are allowed.
  virtual std::uint32_t collect(std::u16string_view query, std::byte*& data, std::uint32_t& bytes,
                                std::uint32_t& object_types) = 0;
  virtual std::uint32_t close() = 0;

  // Names of its objects and counters, as lodctr has put them into the name table.
  using Names = std::vector<std::pair<std::uint32_t, std::u16string>>;
  virtual Names names() const = 0;
  // The same in the machine's language.
  virtual Names local_names() const { return names(); }
  // Texts that explain them, by the title indices of these.
  virtual Names helps() const { return {}; }

  // False while its Performance key is gone. Its names stay in the table, as on Windows.
  virtual bool is_registered() const { return true; }

  PerformanceKey key;
  // What its DLL exports.
  std::set<std::string> exports{"Open", "Collect", "Close"};
};

// A well-behaved provider with the objects that a function builds.
class ObjectProvider final : public V1Provider {
 public:
  struct Object {
    std::uint32_t index = 0;
    bool costly = false;
    // With data, or the definitions alone.
    std::function<testing::ObjectBuilder(bool metadata)> build;
    std::function<bool()> is_there{};  // without it, it always is
  };
  ObjectProvider(PerformanceKey performance_key, std::vector<Object> objects, Names names)
      : V1Provider(std::move(performance_key)),
        objects_(std::move(objects)),
        names_(std::move(names)) {}

  std::uint32_t open(const char16_t* device_names) override;
  std::uint32_t collect(std::u16string_view query, std::byte*& data, std::uint32_t& bytes,
                        std::uint32_t& object_types) override;
  std::uint32_t close() override;
  Names names() const override { return names_; }
  Names local_names() const override { return local.empty() ? names_ : local; }

  Names local;  // names in the machine's language; empty: they are English

  int opened = 0;
  int closed = 0;
  // What Collect was called with, the latest ones: an executable may run for days.
  static constexpr std::size_t kMostQueries = 100;
  std::vector<std::u16string> queries;
  // What Open was called with: everything as far as the two NULs at the end, these included.
  std::optional<std::u16string> devices;

 private:
  std::vector<Object> objects_;
  Names names_;
};

// The bytes of one object, as they stand in a block.
testing::ByteVector object_bytes(const testing::ObjectBuilder& object);

// The parts of a value name: words between blanks.
std::vector<std::u16string_view> words_of(std::u16string_view text);
bool equal_ignoring_case(std::u16string_view a, std::u16string_view b);

}  // namespace winperf::simulator
