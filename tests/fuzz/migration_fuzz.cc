// windows_exporter's settings: a file, a service's command line and a condition of WQL, each of
// which any text may be. Whatever it is, a migration results in a configuration that this program
// accepts, and a condition in patterns that compile.
#include <string>
#include <string_view>

#include "collectors/base/utf8.h"
#include "collectors/match/filter.h"
#include "config/config.h"
#include "config/migration/command_words.h"
#include "config/migration/entries.h"
#include "config/migration/migrate.h"
#include "tests/fuzz/text_input.h"

namespace winperf::fuzz {
namespace {

void check_settings(const std::expected<migration::Settings, std::string>& settings) {
  if (!settings) {
    require(!settings.error().empty(), "a refusal has a reason");
    return;
  }
  const auto migrated = migration::migrate(*settings);
  require(migrated.has_value(), "whatever the settings, there is a result");
  require(parse_config(migrated->text, "fuzz").has_value(), "the result is a configuration");
  for (const migration::Message& message : migrated->messages)
    require(!message.text.contains('\n'), "a message is one line");
}

void check_condition(std::string_view condition) {
  const auto patterns = migration::patterns_of_wql(condition);
  if (!patterns || valid_bytes(condition) != condition.size()) return;
  for (const auto* const list : {&patterns->include, &patterns->exclude})
    for (const std::string& pattern : *list)
      require(Pattern::compile(pattern).has_value(), "a pattern compiles");
}

}  // namespace

std::vector<Input> seeds() {
  return inputs_of(
      {"collectors:\n  enabled: cpu,cs,logical_disk,service,process\ncollector:\n  service:\n"
       "    include: 'w.*'\n  logical_disk:\n    volume-exclude: \"C:|D:\"\nlog:\n  level: debug\n",
       "collectors: {enabled: '[defaults],performancecounter'}\ncollector:\n  performancecounter:\n"
       "    objects: |-\n      - name: m\n        object: Memory\n        counters:\n"
       "        - {name: \"Pages/sec\", metric: m_pages, type: counter}\n",
       "\"C:\\Program Files\\windows_exporter\\windows_exporter.exe\" --collectors.enabled "
       "\"cpu,iis\" --collector.iis.site-include=\"a.*\" --web.listen-address=:9182 --no-x",
       "ENABLED_COLLECTORS=cpu,iis LISTEN_PORT=5000 EXTRA_FLAGS=\"--log.level debug\"",
       "Name LIKE 'win%' OR Name='a''b' OR name like \"x_[a-c]%\"",
       "NOT Name = 'x' AND Name <> \"y\" and not (Name LIKE '%z')"});
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const std::string text = fuzz::text_of(data, size, 2048);
  fuzz::check_settings(migration::read_file(text, "fuzz"));
  fuzz::check_settings(migration::read_flags(migration::words_of_service(text)));
  fuzz::check_condition(text);
  return 0;
}
