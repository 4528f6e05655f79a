#include "config/config.h"

#include <fstream>

#include "config/checker.h"
#include "config/document.h"
#include "config/encoding.h"

namespace winperf {
namespace {

// More than anybody corrects at once.
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

std::unexpected<ConfigErrors> cannot_read(const std::string& file_name, const char* what) {
  return std::unexpected(ConfigErrors{{file_name, 0, 0, what}});
}

// UTF-8 on every platform.
std::string name_of(const std::filesystem::path& path) {
  const std::u8string name = path.u8string();
  return {name.begin(), name.end()};
}

}  // namespace

Config default_config() {
  Config config;
  config.countersets = default_countersets(config.interval);
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
  Checker checker(text);
  checker.check(*document);
  if (!checker.errors().empty()) {
    return std::unexpected(placed(checker.errors(), text, file_name));
  }
  return checker.config();
}

std::expected<std::string, ConfigErrors> read_config_file(const std::filesystem::path& path) {
  const std::string file_name = name_of(path);
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return cannot_read(file_name, "no such file: check the path");
  }
  if (status.type() == std::filesystem::file_type::directory) {
    return cannot_read(file_name, "this is a folder: name the file in it");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text(kMaxConfigBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad()) {
    return cannot_read(file_name, "cannot be read: check that this account may read it");
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

std::expected<Config, ConfigErrors> load_config_file(const std::filesystem::path& path) {
  const auto text = read_config_file(path);
  if (!text) return std::unexpected(text.error());
  return parse_config(*text, name_of(path));
}

}  // namespace winperf
