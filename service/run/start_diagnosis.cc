#include "service/run/start_diagnosis.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/diagnosis/port_owner.h"
#include "config/config.h"
#include "exporter/http/http_server.h"
#include "service/log/logging.h"
#include "service/plan/setup.h"
#include "service/run/overrides.h"
#include "service/run/protection.h"

namespace winperf {
namespace {

constexpr std::string_view kBlanks = " \t";

bool is_inside(std::string_view line, std::size_t at, bool in_quotes) {
  return at < line.size() && (in_quotes || kBlanks.find(line[at]) == std::string_view::npos);
}

// A program's path has no quotes in it, so backslashes before one have no special meaning.
std::string take_program(std::string_view line, std::size_t& at) {
  std::string program;
  for (bool in_quotes = false; is_inside(line, at, in_quotes); ++at) {
    if (line[at] == '"') {
      in_quotes = !in_quotes;
    } else {
      program += line[at];
    }
  }
  return program;
}

std::string take_argument(std::string_view line, std::size_t& at) {
  std::string argument;
  bool in_quotes = false;
  while (is_inside(line, at, in_quotes)) {
    const std::size_t backslashes = std::min(line.find_first_not_of('\\', at), line.size()) - at;
    at += backslashes;
    const bool before_quote = at < line.size() && line[at] == '"';
    // Before a quote, two backslashes mean one, and an odd one escapes the quote.
    argument.append(before_quote ? backslashes / 2 : backslashes, '\\');
    if (!before_quote) {
      if (backslashes == 0) argument += line[at++];
    } else if (backslashes % 2 == 1) {
      argument += line[at++];
    } else if (in_quotes && line.substr(at).starts_with("\"\"")) {
      argument += '"';
      at += 2;
    } else {
      in_quotes = !in_quotes;
      ++at;
    }
  }
  return argument;
}

}  // namespace

std::vector<std::string> split_command_line(std::string_view command_line) {
  std::vector<std::string> arguments;
  std::size_t at = 0;
  while ((at = command_line.find_first_not_of(kBlanks, at)) != std::string_view::npos)
    arguments.push_back(arguments.empty() ? take_program(command_line, at)
                                          : take_argument(command_line, at));
  return arguments;
}

std::string option_in(const std::vector<std::string>& arguments, std::string_view option) {
  const std::string with_value = std::string(option) + '=';
  for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
    if (*argument == option && argument + 1 != arguments.end()) return *(argument + 1);
    if (argument->starts_with(with_value)) return argument->substr(with_value.size());
  }
  return {};
}

std::string config_file_in(const std::vector<std::string>& arguments) {
  const std::string file = option_in(arguments, "--config");
  return file.empty() ? option_in(arguments, "-c") : file;
}

std::string diagnose_start(std::string_view command_line) {
  const std::vector<std::string> arguments = split_command_line(command_line);
  const std::string file = config_file_in(arguments);
  auto loaded = load_config(file);
  if (!loaded) return loaded.error().message;
  if (const auto wrong = refuse_log_file(loaded->config.log, file)) return *wrong;
  Overrides overrides{.web_config_file = option_in(arguments, "--web.config.file")};
  for (const char* const option : {"--listen", "--web.listen-address"})
    if (const std::string where = option_in(arguments, option); !where.empty())
      overrides.listen.push_back(where);
  const auto used = with_overrides(*std::move(loaded), overrides);
  if (!used) return used.error();
  if (const auto wrong = protection_problem(used->config)) return *wrong;
  std::string lines;
  std::vector<std::vector<Socket>> sockets;  // one address may block another
  for (const ListenConfig& where : used->config.listen) {
    auto opened = try_listening(where.address, where.port, describe_owners);
    if (opened) {
      sockets.push_back(*std::move(opened));
    } else {
      lines += (lines.empty() ? "" : "\n") + opened.error();
    }
  }
  return lines;
}

}  // namespace winperf
