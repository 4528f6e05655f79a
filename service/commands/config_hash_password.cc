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

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // PowerShell writes it to a pipe

// Limits how much is read.
std::optional<std::string> piped_line() {
  std::string line;
  char c = 0;
  while (line.size() <= kMostHiddenBytes && std::cin.get(c)) {
    if (c == '\n') return line;
    line += c;
  }
  return line.empty() ? std::nullopt : std::optional(std::move(line));
}

// A line of standard input, in UTF-8 and without its end. If it is typed, `prompt` is printed to
// standard error and the input is hidden. The error is a sentence.
std::expected<std::string, std::string> read_hidden_line(const std::string& prompt) {
  const bool typed = is_typed();
  if (typed) std::cerr << prompt << std::flush;
  auto line = typed ? typed_line() : piped_line();
  if (typed) std::cerr << '\n';
  if (!line) return std::unexpected("no password on standard input");
  if (line->ends_with('\r')) line->pop_back();
  if (!typed && line->starts_with(kByteOrderMark)) line->erase(0, kByteOrderMark.size());
  if (line->size() > kMostHiddenBytes)
    return std::unexpected("the password on standard input is longer than 4 KiB");
  return *std::move(line);
}

// Typed twice, because the input is hidden.
std::expected<std::string, std::string> password() {
  auto first = read_hidden_line("Password: ");
  if (!first) return std::unexpected(first.error());
  if (!is_typed()) {
    if (std::cin.peek() != std::char_traits<char>::eof())
      return std::unexpected(
          "standard input has more than one line; it must contain only the password");
    return *std::move(first);
  }
  if (read_hidden_line("Again: ") != first) return std::unexpected("the passwords do not match");
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
  return std::cout ? kExitOk : fail("cannot write the hash to standard output");
}

std::string refused_name(const std::string& name) {
  return user_line(name, "")
             ? ""
             : "clients cannot send this user name; write 1 to 255 characters without a colon";
}

}  // namespace

void add_config_hash_password(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<HashPasswordOptions>();
  CLI::App& command = *config_commands(program).add_subcommand(
      "hash-password",
      "Hash a password for basic_auth_users, typed at a hidden prompt or read from standard input");
  command.add_option("--cost", options->cost, "bcrypt cost; each increment doubles the time")
      ->check(CLI::Range(kLowestCost, kHighestCost))
      ->type_name("NUMBER");
  command
      .add_option("--user", options->user,
                  "print the basic_auth_users entry for this user instead of only the hash")
      ->check(refused_name)
      ->type_name("NAME");
  command.callback([options, &run] { run.exit_code = show_hash(*options); });
}

}  // namespace winperf
