// Windows' PDH as a PdhApi: its functions, called as documentation demands.
//
// Buffers grow as PDH says, up to a limit, and are asked for again if there is more meanwhile.
// Validated: that names and items lie within the buffer that PDH has filled. Not validated: what
// they say. A function that is missing is an error with its name (kUnsupported), or
// PDH_FUNCTION_NOT_FOUND as the status of what it would have said. If PDH refuses the numbers of
// all instances because of one, each is asked for by its raw values. A time base that PDH doesn't
// know yet is asked for again after a collection. Thread rule: one thread.
// Source: Learn, "Using the PDH Functions to Consume Counter Data" and the functions' pages.
#pragma once

#include "collectors/pdh/win/pdh_functions.h"
// After windows.h, which it includes.
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/win/unique_handle.h"
#include "collectors/pdh/pdh_api.h"

namespace winperf {

class PdhReader final : public PdhApi {
 public:
  // `library`: what the functions come from; it is freed last.
  explicit PdhReader(const PdhFunctions& functions, UniqueLibrary library = {})
      : library_(std::move(library)), call_(functions) {}
  ~PdhReader() override { close(); }
  PdhReader(const PdhReader&) = delete;
  PdhReader& operator=(const PdhReader&) = delete;

  [[nodiscard]] std::expected<std::vector<std::string>, Error> objects() override;
  [[nodiscard]] std::expected<PdhItems, Error> items(const PdhObject& object) override;
  [[nodiscard]] std::expected<std::vector<PdhDefinition>, Error> open(
      const PdhQuery& query) override;
  [[nodiscard]] std::expected<PdhCollection, Error> collect() override;
  void close() override;

 private:
  struct Added {
    std::string name;
    PDH_HCOUNTER handle = nullptr;
    bool needs_previous = true;          // by its type
    std::vector<PDH_RAW_COUNTER> raw{};  // of the last collection, by instance
    std::vector<std::string> instances{};
  };

  // In the machine's language; `english` if PDH doesn't say.
  std::wstring local_name(std::uint32_t index, const std::string& english);
  PDH_STATUS add(const std::wstring& object, const std::wstring& counter, bool has_instances,
                 PDH_HCOUNTER& handle);
  PDH_STATUS add_counter(const PdhQuery& query, const PdhQuery::Counter& counter,
                         const std::wstring& local, PDH_HCOUNTER& handle);
  [[nodiscard]] std::expected<std::vector<PdhDefinition>, Error> open_once(const PdhQuery& query);
  void describe_counter(PDH_HCOUNTER handle, PdhDefinition& definition);
  void ask_time_base(PDH_HCOUNTER handle, PdhDefinition& definition);
  void read_arrays(Added& counter, PdhValues& values);
  PDH_STATUS read_numbers(const Added& counter, PdhValues& values);
  PdhNumber calculate(const Added& counter, const Added& before, std::size_t place);
  void read_values(const Added& counter, PdhValues& values);

  UniqueLibrary library_;
  PdhFunctions call_;
  PDH_HQUERY query_ = nullptr;
  bool has_instances_ = false;
  std::wstring local_object_;  // of the open query
  std::vector<Added> added_;
};

}  // namespace winperf
