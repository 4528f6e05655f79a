// Whole configurations as people have them: each with all messages that its migration gives. Those
// of the reference pages are tried option by option.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "config/config.h"
#include "config/migration/command_words.h"
#include "config/migration/migrate.h"

namespace winperf::migration {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string text_in(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() != ".expected") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

Settings settings_in(const fs::path& file) {
  const std::string text = text_in(file);
  const auto settings = file.extension() == ".txt"
                            ? read_flags(words_of(text.substr(0, text.find('\n'))))
                            : read_file(text, file.filename().string());
  EXPECT_TRUE(settings) << file << settings.error();
  return settings.value_or(Settings());
}

Migrated migration_of(const Settings& settings) {
  auto result = migrate(settings);
  EXPECT_TRUE(result) << result.error();
  return result.value_or(Migrated());
}

// The configuration without comments about what is lost.
std::string configuration_of(const Migrated& result) {
  const std::size_t begin = result.text.find("\n{");
  return result.text.substr(begin, result.text.find("\n}\n") - begin);
}

std::string shown_migration(const Migrated& result) {
  std::string text;
  for (const Message& message : result.messages)
    text += (message.is_loss ? "lost: " : "note: ") + message.text + '\n';
  return text + result.summary + '\n' + configuration_of(result) + "\n}\n";
}

TEST(MigratedConfigurations, HaveTheseMessages) {
  const fs::path folder = fs::path(WINPERF_SOURCE_DIR) / "tests/config/migration/data";
  const auto files = files_in(folder);
  EXPECT_GE(files.size(), 10U);
  for (const fs::path& file : files) {
    const Migrated result = migration_of(settings_in(file));
    EXPECT_TRUE(parse_config(result.text, "result")) << file;
    fs::path expected = file;
    expected += ".expected";
    if (std::getenv("WINPERF_UPDATE_FILES") != nullptr)
      std::ofstream(expected) << shown_migration(result);
    EXPECT_EQ(shown_migration(result), text_in(expected))
        << file
        << "\nrun this test with WINPERF_UPDATE_FILES=1 in the environment and review the change";
  }
}

fs::path reference_folder() {
  const char* const captures = std::getenv("WINPERF_CAPTURES");
  return captures == nullptr ? fs::path()
                             : fs::path(captures) / "../reference/windows-exporter-configs";
}

// Some other value changes the configuration that results.
bool has_an_effect(const Settings& settings, std::size_t index) {
  const std::string before = configuration_of(migration_of(settings));
  for (const char* value : {"x", "/x", ":1", "error", "cpu", "true", "json", "C:\\x"}) {
    Settings changed = settings;
    changed[index].values = {value};
    changed[index].list.reset();
    const auto result = migrate(changed);
    if (result && configuration_of(*result) != before) return true;
  }
  return false;
}

bool is_named(const Migrated& result, const std::string& place) {
  return std::ranges::any_of(result.messages, [&](const Message& message) {
    return message.text.starts_with(place + ": ");
  });
}

// Texts of the objects, apart from the keys that say how to read them.
void expect_leaves(const Node& node, const std::string& key, const Migrated& result) {
  if (node.kind == NodeKind::kScalar && key != "name@object" && key != "type" && node.text != "*") {
    EXPECT_THAT(configuration_of(result), HasSubstr(node.text)) << key;
  }
  for (const Node& child : node.children) {
    const bool names_object = child.key == "name" && child_of(node, "object") != nullptr;
    expect_leaves(child,
                  names_object        ? "name@object"
                  : child.key.empty() ? key
                                      : child.key,
                  result);
  }
}

TEST(ReferenceConfigurations, EachOptionIsTakenOverOrNamed) {
  const fs::path folder = reference_folder();
  if (!fs::is_directory(folder)) {
    std::cout << "skipped 'NO REFERENCE PAGES': " << folder << '\n';
    GTEST_SKIP() << "NO REFERENCE PAGES at " << folder;
  }
  const auto files = files_in(folder);
  EXPECT_GE(files.size(), 8U);
  for (const fs::path& file : files) {
    const Settings settings = settings_in(file);
    const Migrated result = migration_of(settings);
    const auto config = parse_config(result.text, "result");
    ASSERT_TRUE(config) << file << '\n' << describe(config.error().front());
    for (std::size_t i = 0; i < settings.size(); ++i) {
      EXPECT_TRUE(is_named(result, settings[i].place) || has_an_effect(settings, i))
          << settings[i].place << '\n'
          << shown_migration(result);
      if (settings[i].key != "collector.performancecounter.objects") continue;
      const auto objects = read_plain_yaml(settings[i].values.back());
      ASSERT_TRUE(objects);
      expect_leaves(objects->root, "", result);
    }
  }
}

}  // namespace
}  // namespace winperf::migration
