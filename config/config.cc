#include "config/config.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/base/wording.h"
#include "config/check.h"
#include "config/document.h"

namespace winperf {
namespace {

// More errors than a person corrects in one go.
constexpr std::size_t kMaxErrors = 100;

ConfigErrors placed(const std::vector<TextError>& errors, std::string_view text,
                    std::string_view file_name) {
  ConfigErrors result;
  for (const TextError& error : errors) {
    if (result.size() == kMaxErrors) {
      const auto rest = std::to_string(errors.size() - kMaxErrors);
      result.push_back({std::string(file_name), 0, 0,
                        rest + " more errors; correct the first " + std::to_string(kMaxErrors)});
      break;
    }
    const TextPosition place = position_of(text, error.offset);
    result.push_back({std::string(file_name), place.line, place.column, error.message});
  }
  return result;
}

// Why a file can't be read, and the remedy.
std::string advice_on(const FileFailure& failure) {
  if (failure.problem == FileProblem::kAbsent) return "no such file; check the path";
  if (failure.problem == FileProblem::kTooLarge) return kFileTooLarge;
  return (failure.problem == FileProblem::kNotAFile ? "" : "cannot be read: ") + failure.reason;
}

// Relative paths start at the folder.
void start_at(const std::filesystem::path& folder, WebConfig& web) {
  for (PemSource* const source : {&web.tls.certificate, &web.tls.key, &web.tls.client_ca})
    if (!source->file.empty()) source->file = path_text(folder / path_of(source->file));
}

std::expected<LoadedConfig, ConfigErrors> parse(std::string_view text, std::string_view file_name) {
  text = without_byte_order_mark(text);
  if (const auto error = check_encoding(text))
    return std::unexpected(placed({*error}, text, file_name));
  const auto document = read_document(text);
  if (!document) return std::unexpected(placed({document.error()}, text, file_name));
  auto config = check_config(*document, text, file_name);
  if (!config) return std::unexpected(placed(config.error(), text, file_name));
  return LoadedConfig{.config = *std::move(config),
                      .is_blank = document->root.kind == NodeKind::kNull,
                      .settings = settings_of(*document, text)};
}

}  // namespace

std::optional<std::string> metrics_path_problem(const std::string& path) {
  constexpr std::size_t kMostBytes = 200;
#define ROUTE(path, ...) path,
  constexpr std::string_view kRoutes[] = {
#include "config/routes.inc"
  };
  const auto is_usual = [](char c) {
    return is_letter_or_digit(c) || std::string_view("/._~-").contains(c);
  };
  if (!path.starts_with('/') || path.size() > kMostBytes || !std::ranges::all_of(path, is_usual))
    return "must be a path of letters, digits and /._~-; write, for example, /metrics";
  const bool is_taken =
      path != MetricsConfig().path && std::ranges::find(kRoutes, path) != std::end(kRoutes);
  if (is_taken || path.starts_with("/-/") || path.starts_with("/api/") ||
      path.starts_with("/page/"))
    return "is used by another page; write, for example, /metrics";
  return std::nullopt;
}

std::string describe(const ConfigError& error) {
  std::string text = error.file;
  if (error.line != 0)
    text += ':' + std::to_string(error.line) + ':' + std::to_string(error.column);
  return text + ": " + error.message;
}

std::string describe(const ConfigErrors& errors) {
  return joined(errors, "\n", [](const ConfigError& error) { return describe(error); });
}

std::expected<Config, ConfigErrors> parse_config(std::string_view text,
                                                 std::string_view file_name) {
  auto parsed = parse(text, file_name);
  if (!parsed) return std::unexpected(std::move(parsed).error());
  return std::move(parsed->config);
}

std::expected<std::string, ConfigErrors> read_config_file(const std::filesystem::path& path) {
  const auto bytes = read_whole_file(path, kMaxConfigBytes);
  if (!bytes)
    return std::unexpected(ConfigErrors{{path_text(path), 0, 0, advice_on(bytes.error())}});
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::expected<LoadedConfig, ConfigErrors> load_config_file(const std::filesystem::path& path,
                                                           const ReadFile& read) {
  const auto text = read(path);
  if (!text) return std::unexpected(text.error());
  auto loaded = parse(*text, path_text(path));
  if (!loaded) return loaded;
  for (ListenConfig& where : loaded->config.listen) {
    start_at(path.parent_path(), where.web);
    if (!where.web_file.empty())
      where.web_file = path_text(path.parent_path() / path_of(where.web_file));
  }
  for (FactConfig& fact : loaded->config.facts)
    for (std::string& folder : fact.folders)
      // Absolute, because a worker with another current folder reads them.
      folder = path_text(std::filesystem::absolute(path).parent_path() / path_of(folder));
  return read_web_files(*std::move(loaded), read);
}

std::expected<LoadedConfig, ConfigErrors> read_web_files(LoadedConfig loaded,
                                                         const ReadFile& read) {
  for (ListenConfig& where : loaded.config.listen) {
    if (where.web_file.empty()) continue;
    // Several addresses may share a file.
    if (!loaded.web.contains(where.web_file)) {
      auto web = load_web_config(path_of(where.web_file), read);
      if (!web) return std::unexpected(std::move(web).error());
      loaded.web.emplace(where.web_file, *std::move(web));
    }
    where.web = loaded.web.at(where.web_file);
  }
  return loaded;
}

std::expected<WebConfig, ConfigErrors> parse_web_config(std::string_view text,
                                                        std::string_view file_name) {
  text = without_byte_order_mark(text);
  if (const auto error = check_encoding(text))
    return std::unexpected(placed({*error}, text, file_name));
  const auto document = read_plain_yaml(text);
  if (!document) return std::unexpected(placed({document.error()}, text, file_name));
  auto config = check_web_config(*document, text);
  if (!config) return std::unexpected(placed(config.error(), text, file_name));
  return *std::move(config);
}

std::expected<WebConfig, ConfigErrors> load_web_config(const std::filesystem::path& path,
                                                       const ReadFile& read) {
  const auto text = read(path);
  if (!text) return std::unexpected(text.error());
  auto web = parse_web_config(*text, path_text(path));
  if (web) start_at(path.parent_path(), *web);
  return web;
}

}  // namespace winperf
