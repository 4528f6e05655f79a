// A configuration in YAML or JSON, and an edit of it: the input is the text, a NUL, a key, a NUL
// and its new value. Whatever the text: it is valid or refused at a place in it, and read again it
// is the same. An edit is refused, or its result is valid and edits back to the value that was
// there.
#include <string>
#include <string_view>

#include "collectors/base/printable.h"
#include "config/config.h"
#include "tests/config/config_edit.h"
#include "tests/fuzz/text_input.h"

namespace winperf::fuzz {
namespace {

constexpr std::size_t kMostBytes = 4096;

void check_errors(const ConfigErrors& errors, std::string_view text) {
  require(!errors.empty(), "a refusal has a reason");
  for (const ConfigError& error : errors) {
    require(!error.message.empty(), "a reason says something");
    require(error.line <= text.size() + 1, "the place is in the text");
    require(error.column <= text.size() + 2, "the column, too");
  }
}

void check_edit(std::string_view text, std::string_view key, std::string_view value) {
  const auto edit = set_config_value(text, "fuzz", key, value);
  if (!edit) {
    require(!edit.error().empty(), "a refused edit has a reason");
    return;
  }
  require(parse_config(edit->text, "fuzz").has_value(), "an edited configuration is valid");
  const auto same = set_config_value(edit->text, "fuzz", key, value);
  require(same && same->text == edit->text, "the same edit again changes nothing");
}

}  // namespace

std::vector<Input> seeds() {
  using namespace std::string_view_literals;
  auto inputs = inputs_of(
      {"interval: 5s\ncountersets:\n- Memory\n- name: Process\n  instances: {include: ['w.*']}\n\0interval\0007s"sv,
       "{\"listen\": {\"port\": 1, \"address\": \"::1\"}, \"log\": {\"level\": \"warn\"}}\0listen.port\0002"sv,
       "listen:\n- {port: 1, serve: [metrics]}\n- {port: 2, hosts: [a.b]}\ntargets: [{host: 'web-*'}]\0log.file\0w.log"sv,
       "collect: [iis, cpu]\nmetrics: {profiles: [windows_exporter]} # c\r\nfacts: [os]\0metrics.path\0/m"sv,
       "a: &x [*x]\n? b\n: - !!str c\n--- \n...\0a\0b"sv,
       "\xEF\xBB\xBFinterval: \"5\\u0073\"\0interval\0\xC3\xA4"sv,
       "countersets: [{names: ['a', 'b'], metrics: [{counter: c, name: d}]}]\0limits.query_timeout\0001s"sv});
  const std::string_view example = example_config();
  inputs.push_back(inputs_of({example.substr(0, example.find('\n', 3000))}).front());
  return inputs;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const std::string input = fuzz::text_of(data, size, fuzz::kMostBytes);
  std::string_view rest = input;
  const std::string_view text = fuzz::take_part(rest);
  const std::string_view key = fuzz::take_part(rest);
  const auto config = parse_config(text, "fuzz");
  if (config) {
    const auto again = parse_config(text, "fuzz");
    fuzz::require(again && *again == *config, "read again it is the same");
  } else {
    fuzz::check_errors(config.error(), text);
  }
  fuzz::check_edit(text, key, rest);
  return 0;
}
