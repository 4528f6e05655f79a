#include <expected>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "config/web_config.h"
#include "exporter/auth/password_hash.h"
#include "service/commands/command.h"
#include "service/console/hidden_line.h"

namespace winperf {
namespace {

struct HashPasswordOptions {
  int cost = kUsualCost;
  std::string user;  // empty: the hash alone
};

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // as PowerShell writes it to a pipe

// No longer than that, whatever comes.
std::optional<std::string> piped_line() {
  std::string line;
  char c = 0;
  while (line.size() <= kMostHiddenBytes && std::cin.get(c)) {
    if (c == '\n') return line;
    line += c;
  }
  return line.empty() ? std::nullopt : std::optional(std::move(line));
}

// A line of standard input, in UTF-8 and without its end. If a person types it, `prompt` comes
// first, on standard error, and nothing of the line is shown. The error is a sentence.
std::expected<std::string, std::string> read_hidden_line(const std::string& prompt) {
  const bool typed = is_typed();
  if (typed) std::cerr << prompt << std::flush;
  auto line = typed ? typed_line() : piped_line();
  if (typed) std::cerr << '\n';
  if (!line) return std::unexpected("there is no password on standard input");
  if (line->ends_with('\r')) line->pop_back();
  if (!typed && line->starts_with(kByteOrderMark)) line->erase(0, kByteOrderMark.size());
  if (line->size() > kMostHiddenBytes)
    return std::unexpected("standard input has a line of more than 4 KiB, which is no password");
  return *std::move(line);
}

// A person types it twice, because nothing of it is seen.
std::expected<std::string, std::string> password() {
  auto first = read_hidden_line("Password: ");
  if (!first) return std::unexpected(first.error());
  if (!is_typed()) {
    if (std::cin.peek() != std::char_traits<char>::eof())
      return std::unexpected("standard input has more than the one line of the password");
    return *std::move(first);
  }
  if (read_hidden_line("Again: ") != first)
    return std::unexpected("the two passwords are not the same");
  return *std::move(first);
}

int show_hash(const HashPasswordOptions& options) {
  const auto text = password();
  if (!text) return fail(text.error(), kExitUsage);
  const auto hash = hash_password(*text, options.cost);
  if (!hash) return fail(hash.error(), kExitUsage);
  std::cout << (options.user.empty() ? *hash
                                     : "basic_auth_users:\n  " + *user_line(options.user, *hash))
            << '\n'
            << std::flush;
  return std::cout ? kExitOk : fail("the hash can't be written to standard output");
}

std::string refused_name(const std::string& name) {
  return user_line(name, "")
             ? ""
             : "no client can send this name: write 1 to 255 characters without a colon";
}

}  // namespace

void add_config_hash_password(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<HashPasswordOptions>();
  CLI::App& command = *config_commands(program).add_subcommand(
      "hash-password",
      "hash a password for basic_auth_users; it is typed unseen, or read from standard input");
  command.add_option("--cost", options->cost, "bcrypt's cost: each more doubles the time")
      ->check(CLI::Range(kLowestCost, kHighestCost))
      ->type_name("NUMBER");
  command.add_option("--user", options->user, "show the lines for this user, not the hash alone")
      ->check(refused_name)
      ->type_name("NAME");
  command.callback([options, &run] { run.exit_code = show_hash(*options); });
}

}  // namespace winperf
