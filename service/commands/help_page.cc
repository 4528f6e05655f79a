#include "service/commands/help_page.h"

#include <vector>

namespace winperf {
namespace {

constexpr std::size_t kHelpColumn = 30;

// A name and what it is. A name that is too long has its description in the next line.
std::string help_row(const std::string& name, const std::string& description) {
  std::string row = "  " + name;
  if (description.empty()) return row + '\n';
  if (row.size() >= kHelpColumn)
    row += '\n' + std::string(kHelpColumn, ' ');
  else
    row.resize(kHelpColumn, ' ');
  return row + description + '\n';
}

std::string help_section(const std::string& title, const std::string& rows) {
  return rows.empty() ? std::string() : '\n' + title + ":\n" + rows;
}

std::vector<const CLI::App*> listed_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) {
    return !command->get_name().empty() && !command->get_group().empty();
  });
}

}  // namespace

std::string HelpPage::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  const auto positionals =
      app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  const auto options =
      app->get_options([](const CLI::Option* option) { return option->nonpositional(); });
  std::string page = app->get_description() + "\nUsage: " + name;
  std::string rows;
  if (!options.empty()) page += " [OPTIONS]";
  for (const CLI::Option* option : positionals) {
    page += ' ' + make_option_usage(option);
    rows += help_row(make_option_name(option, true) + make_option_opts(option),
                     make_option_desc(option));
  }
  const std::vector<const CLI::App*> commands = listed_commands(*app);
  if (!commands.empty())
    page += app->get_require_subcommand_min() == 0 ? " [SUBCOMMAND]" : " SUBCOMMAND";
  page += '\n' + help_section("Positionals", rows);
  rows.clear();
  for (const CLI::Option* option : options)
    if (!option->get_group().empty())
      rows += help_row(make_option_name(option, false) + make_option_opts(option),
                       make_option_desc(option));
  page += help_section("Options", rows);
  rows.clear();
  for (const CLI::App* command : commands)
    rows += help_row(command->get_display_name(true), command->get_description());
  page += help_section("Subcommands", rows);
  if (const std::string footer = app->get_footer(); !footer.empty()) page += '\n' + footer + '\n';
  return page;
}

}  // namespace winperf
