#include <iostream>
#include <optional>

#include "config/example.h"
#include "service/commands/commands.h"
#include "service/commands/new_file.h"
#include "service/console/exit_code.h"
#include "service/run/setup.h"

namespace winperf {
namespace {

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

int init_config(const ConfigInitOptions& options) {
  const auto text = example_config_with(unless_empty(options.address), unless_empty(options.port));
  if (!text) {
    complain(text.error());
    return kExitUsage;
  }
  if (options.out.empty()) {
    std::cout << *text;
    return kExitOk;
  }
  if (options.undo) return remove_unchanged_file(options.out, *text);
  return write_new_file(options.out, *text, options.force, kExitOk);
}

}  // namespace winperf
