#include "service/run/start_diagnosis.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "config/config.h"
#include "exporter/http/http_server.h"

namespace winperf {
namespace {

std::string value_of(const std::vector<std::string>& arguments, std::string_view option) {
  const auto found = std::ranges::find(arguments, option);
  return found == arguments.end() || found + 1 == arguments.end() ? std::string() : *(found + 1);
}

}  // namespace

std::vector<std::string> split_command_line(std::string_view command_line) {
  std::vector<std::string> arguments;
  std::string argument;
  bool is_open = false;  // an argument has begun
  bool in_quotes = false;
  std::size_t backslashes = 0;
  for (const char c : command_line) {
    if (c == '\\') {
      ++backslashes;
      is_open = true;
      continue;
    }
    // In front of a quote two stand for one, and an odd one makes it a character like others. A
    // program's path, which comes first, has no quotes in it.
    const bool is_quote = c == '"' && (arguments.empty() || backslashes % 2 == 0);
    argument.append(c == '"' && !arguments.empty() ? backslashes / 2 : backslashes, '\\');
    backslashes = 0;
    if (is_quote) {
      in_quotes = !in_quotes;
      is_open = true;
    } else if ((c == ' ' || c == '\t') && !in_quotes) {
      if (is_open) arguments.push_back(std::exchange(argument, {}));
      is_open = false;
    } else {
      argument += c;
      is_open = true;
    }
  }
  argument.append(backslashes, '\\');
  if (is_open) arguments.push_back(std::move(argument));
  return arguments;
}

std::string diagnose_start(std::string_view command_line) {
  const std::vector<std::string> arguments = split_command_line(command_line);
  const std::string file = value_of(arguments, "--config");
  const auto config = file.empty() ? std::expected<Config, ConfigErrors>(default_config())
                                   : load_config_file(std::u8string(file.begin(), file.end()));
  if (!config) {
    std::string lines;
    for (const ConfigError& error : config.error())
      lines += (lines.empty() ? "" : "\n") + describe(error);
    return lines;
  }
  const std::string option = value_of(arguments, "--listen");
  const auto listen = option.empty() ? std::expected<ListenConfig, std::string>(config->listen)
                                     : parse_listen(option, config->listen);
  if (!listen) return listen.error();
  return cannot_listen(listen->address, listen->port).value_or("");
}

std::expected<ListenConfig, std::string> parse_listen(const std::string& text,
                                                      ListenConfig listen) {
  const std::size_t colon = text.rfind(':');
  const std::string message = "--listen wants ADDRESS:PORT, such as 127.0.0.1:10182, not \"";
  if (colon == std::string::npos) return std::unexpected(message + text + '"');
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, listen.port);
  if (error != std::errc() || stopped != end) return std::unexpected(message + text + '"');
  if (colon != 0) listen.address = text.substr(0, colon);
  return listen;
}

}  // namespace winperf
