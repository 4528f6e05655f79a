#include "config/config.h"

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "config/checker.h"
#include "config/document.h"
#include "config/encoding.h"

namespace winperf {
namespace {

// More than anyone corrects at once.
constexpr std::size_t kMaxErrors = 100;

ConfigErrors placed(const std::vector<TextError>& errors, std::string_view text,
                    std::string_view file_name) {
  ConfigErrors result;
  for (const TextError& error : errors) {
    if (result.size() == kMaxErrors) {
      const auto rest = std::to_string(errors.size() - kMaxErrors);
      result.push_back({std::string(file_name), 0, 0,
                        rest + " more errors: correct the first " + std::to_string(kMaxErrors)});
      break;
    }
    const TextPosition place = position_of(text, error.offset);
    result.push_back({std::string(file_name), place.line, place.column, error.message});
  }
  return result;
}

// Why a file can't be read, and what to do about that.
std::string advice_on(const FileFailure& failure) {
  switch (failure.problem) {
    case FileProblem::kAbsent:
      return "no such file: check the path";
    case FileProblem::kTooLarge:
      return kFileTooLarge;
    case FileProblem::kNotAFile:
      return failure.reason;
    case FileProblem::kSystem:
      break;
  }
  return "cannot be read: " + failure.reason;
}

}  // namespace

std::string describe(const ConfigError& error) {
  std::string text = error.file;
  if (error.line != 0) {
    text += ':' + std::to_string(error.line) + ':' + std::to_string(error.column);
  }
  return text + ": " + error.message;
}

Config default_config() {
  Config config;
  config.countersets = default_countersets(config);
  return config;
}

std::expected<Config, ConfigErrors> parse_config(std::string_view text,
                                                 std::string_view file_name) {
  text = without_byte_order_mark(text);
  if (const auto error = check_encoding(text)) {
    return std::unexpected(placed({*error}, text, file_name));
  }
  const auto document = read_document(text);
  if (!document) return std::unexpected(placed({document.error()}, text, file_name));
  Checker checker(text, file_name);
  checker.check(*document);
  if (!checker.errors().empty()) {
    return std::unexpected(placed(checker.errors(), text, file_name));
  }
  return checker.config();
}

std::expected<std::string, ConfigErrors> read_config_file(const std::filesystem::path& path) {
  const auto bytes = read_whole_file(path, kMaxConfigBytes);
  if (!bytes)
    return std::unexpected(ConfigErrors{{path_text(path), 0, 0, advice_on(bytes.error())}});
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::expected<Config, ConfigErrors> load_config_file(const std::filesystem::path& path) {
  const auto text = read_config_file(path);
  if (!text) return std::unexpected(text.error());
  return parse_config(*text, path_text(path));
}

}  // namespace winperf
