// What --help prints of a command, laid out the same with each version of CLI11, because
// docs/cli.md shows it and scripts may read it: 2.6 has other headings than 2.4, wraps lines at 65
// characters and aligns long options. How an option and its argument are written is CLI11's. Thread
// rule: pure functions.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace winperf {

class HelpPage : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

}  // namespace winperf
