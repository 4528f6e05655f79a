// A double of what Windows does with the exporter's own counters: it notes each request with its
// arguments, assigns indices as lodctr does, and any call can be told to fail or to do nothing.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "service/scm/counter_registrar.h"
#include "service/scm/counter_state.h"

namespace winperf::testing {

class FakeCounterRegistrar final : public CounterRegistrar {
 public:
  CounterFacts now{.key = {}, .message_file = {}, .v2_countersets = 0};
  std::vector<std::string> calls;                      // in order, with their arguments
  std::map<std::string, std::uint32_t> failing;        // by a call's first word; the code
  std::map<std::string, std::uint32_t> failing_after;  // although it had its effect
  std::set<std::string> doing_nothing;                 // by a call's first word: success, no effect
  std::set<std::string> missing_files;                 // all others exist
  std::uint32_t next_index = 5000;                     // of the next names
  std::uint32_t names = static_cast<std::uint32_t>(counter_names());  // in the .ini

  ServiceResult<CounterFacts> facts() override;
  bool has_file(const std::string& path) override { return !missing_files.contains(path); }
  std::string system_program(const std::string& name) override {
    return "C:\\Windows\\system32\\" + name;
  }
  ServiceResult<void> put_key(const CounterKey& key) override;
  ServiceResult<void> remove_key() override;
  ServiceResult<void> put_event_source(const std::string& message_file) override;
  ServiceResult<void> remove_event_source() override;
  ServiceResult<void> load_titles(const std::string& command_line) override;
  ServiceResult<void> unload_titles(const std::string& command_line) override;
  ServiceResult<void> run(const std::string& command_line) override;

  // As after a registration by V1 of this library.
  void set_v1(const std::string& library);

 private:
  // Notes the call. Whether it has an effect, or its error.
  ServiceResult<bool> begin(const std::string& call, const std::string& arguments = {});
  // What the call returns after its effect.
  ServiceResult<void> end(const std::string& call) const;
  void assign_indices();
  void take_indices();
};

}  // namespace winperf::testing
