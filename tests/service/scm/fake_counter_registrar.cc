#include "tests/service/scm/fake_counter_registrar.h"

namespace winperf::testing {

ServiceResult<bool> FakeCounterRegistrar::begin(const std::string& call,
                                                const std::string& arguments) {
  calls.push_back(arguments.empty() ? call : call + ' ' + arguments);
  if (const auto error = failing.find(call); error != failing.end())
    return std::unexpected(
        SystemError{error->second, "Windows error " + std::to_string(error->second)});
  return !doing_nothing.contains(call);
}

ServiceResult<void> FakeCounterRegistrar::end(const std::string& call) const {
  if (const auto error = failing_after.find(call); error != failing_after.end())
    return std::unexpected(
        SystemError{error->second, "Windows error " + std::to_string(error->second)});
  return {};
}

ServiceResult<CounterFacts> FakeCounterRegistrar::facts() {
  if (const auto error = failing.find("facts"); error != failing.end())
    return std::unexpected(SystemError{error->second, "unreadable"});
  return now;
}

ServiceResult<void> FakeCounterRegistrar::put_key(const CounterKey& key) {
  const auto has_effect = begin("put_key", key.library.value_or("-"));
  if (!has_effect) return std::unexpected(has_effect.error());
  if (!now.key) now.key.emplace();
  now.key->library = key.library;
  now.key->open = key.open;
  now.key->collect = key.collect;
  now.key->close = key.close;
  now.key->supports_metadata = key.supports_metadata;
  return {};
}

ServiceResult<void> FakeCounterRegistrar::remove_key() {
  const auto has_effect = begin("remove_key");
  if (!has_effect) return std::unexpected(has_effect.error());
  now.key.reset();
  now.first_title.reset();
  return {};
}

ServiceResult<void> FakeCounterRegistrar::put_event_source(const std::string& message_file) {
  const auto has_effect = begin("put_event_source", message_file);
  if (!has_effect) return std::unexpected(has_effect.error());
  now.message_file = message_file;
  return {};
}

ServiceResult<void> FakeCounterRegistrar::remove_event_source() {
  const auto has_effect = begin("remove_event_source");
  if (!has_effect) return std::unexpected(has_effect.error());
  now.message_file.reset();
  return {};
}

void FakeCounterRegistrar::assign_indices() {
  if (!now.key) now.key.emplace();
  now.key->first_counter = next_index;
  now.key->first_help = next_index + 1;
  now.key->last_counter = next_index + 2 * (names - 1);
  now.key->last_help = *now.key->last_counter + 1;
  now.first_title = "winperf_exporter";
  next_index += 2 * names;
}

void FakeCounterRegistrar::take_indices() {
  if (!now.key) return;
  now.key->first_counter.reset();
  now.key->last_counter.reset();
  now.key->first_help.reset();
  now.key->last_help.reset();
  now.first_title.reset();
}

ServiceResult<void> FakeCounterRegistrar::load_titles(const std::string& command_line) {
  const auto has_effect = begin("load_titles", command_line);
  if (!has_effect) return std::unexpected(has_effect.error());
  if (*has_effect) assign_indices();
  return end("load_titles");
}

ServiceResult<void> FakeCounterRegistrar::unload_titles(const std::string& command_line) {
  const auto has_effect = begin("unload_titles", command_line);
  if (!has_effect) return std::unexpected(has_effect.error());
  if (*has_effect) take_indices();
  return end("unload_titles");
}

// Calls are "lodctr.exe" and "unlodctr.exe" or, for a manifest or its provider, those with "/M".
ServiceResult<void> FakeCounterRegistrar::run(const std::string& command_line) {
  const bool removes = command_line.find("unlodctr.exe") != std::string::npos;
  const bool is_manifest = command_line.find(" /M:") != std::string::npos ||
                           command_line.find(" /G:") != std::string::npos;
  const std::string call =
      std::string(removes ? "unlodctr.exe" : "lodctr.exe") + (is_manifest ? "/M" : "");
  const auto has_effect = begin(call, command_line);
  if (!has_effect) return std::unexpected(has_effect.error());
  if (!*has_effect) return {};
  if (is_manifest) {
    now.v2_countersets = removes ? 0 : 2;
  } else if (removes) {
    take_indices();
  } else {
    assign_indices();
  }
  return end(call);
}

void FakeCounterRegistrar::set_v1(const std::string& library) {
  now.key = counter_key_for(library);
  now.message_file = library;
  assign_indices();
}

}  // namespace winperf::testing
