#include "service/commands/usage_error.h"

#include <string_view>

#include "collectors/base/system_text.h"
#include "collectors/base/wording.h"

namespace winperf {
namespace {

// Takes the end off, if the text has it.
bool ends_with_and_loses(std::string& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.resize(text.size() - end.size());
  return true;
}

std::string sentence_of(const CLI::ParseError& error) {
  std::string text = exception_text(error);
  if (error.get_name() == "RequiredError") {
    if (text == "A subcommand is required") return "a command is missing";
    if (ends_with_and_loses(text, " is required")) return in_quotes(text) + " is missing";
  }
  if (error.get_name() == "ArgumentMismatch") {
    // "--interval: 1 required DURATION missing"
    constexpr std::string_view kRequired = ": 1 required ";
    const std::size_t at = text.find(kRequired);
    if (at != std::string::npos && ends_with_and_loses(text, " missing"))
      return in_quotes(text.substr(0, at)) +
             " requires a value: " + text.substr(at + kRequired.size());
  }
  if (error.get_name() == "ConversionError") {
    constexpr std::string_view kBegin = "Could not convert: ";
    const std::size_t equals = text.find(" = ");
    if (text.starts_with(kBegin) && equals != std::string::npos)
      return in_quotes(text.substr(kBegin.size(), equals - kBegin.size())) +
             " must be a number, not " + in_quotes(text.substr(equals + 3));
  }
  if (error.get_name() == "ExcludesError") {
    constexpr std::string_view kExcludes = " excludes ";
    if (const std::size_t at = text.find(kExcludes); at != std::string::npos)
      return text.substr(0, at) + " and " + text.substr(at + kExcludes.size()) +
             " cannot be used together";
  }
  return text;
}

}  // namespace

std::string called(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return (parent == nullptr ? "" : called(*parent) + ' ') + app.get_name();
}

std::string usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  const std::string sentence = sentence_of(error);
  return sentence + (sentence.ends_with('?') ? " see " : "; see ") +
         in_quotes(called(*command) + " --help");
}

}  // namespace winperf
