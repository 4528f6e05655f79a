// Makes C++ from the tables of the profiles, when the program is built:
//   compile_tables FOLDER OUTPUT
// FOLDER has a folder of tables for each profile, and one of the help of counters; the sources go
// to the folder OUTPUT. A line that is not of the tables' form (docs/profile-tables.md) ends the
// build with its file and number.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "exporter/profiles/compile/table.h"

namespace winperf::tables {
namespace {

namespace fs = std::filesystem;

// "winperf/disks.table" and what it says, in the order of the names.
std::vector<std::pair<std::string, std::string>> read_files(const fs::path& folder,
                                                            Problems& problems) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".table") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::pair<std::string, std::string>> texts;
  for (const fs::path& file : files) {
    const std::string name = folder.filename().string() + '/' + file.filename().string();
    std::ifstream stream(file, std::ios::binary);
    texts.emplace_back(name, std::string{std::istreambuf_iterator<char>(stream), {}});
    if (!stream) problems.add(name, 1, "the file cannot be read");
  }
  return texts;
}

Profile read_profile(const fs::path& folder, ProfileKind kind, Problems& problems) {
  Profile profile{.name = folder.filename().string(), .kind = kind};
  for (const auto& [name, text] : read_files(folder, problems))
    profile.tables.push_back(read_table(profile, name, text, problems));
  return profile;
}

std::vector<HelpRow> read_help_tables(const fs::path& folder, Problems& problems) {
  std::vector<HelpRow> rows;
  for (const auto& [name, text] : read_files(folder, problems))
    std::ranges::move(read_help(name, text, problems), std::back_inserter(rows));
  return rows;
}

int compile(const fs::path& folder, const fs::path& output) {
  Problems problems;
  const Profile own = read_profile(folder / "winperf", ProfileKind::kOwn, problems);
  const Profile current =
      read_profile(folder / "windows_exporter", ProfileKind::kCurrent, problems);
  const Profile legacy =
      read_profile(folder / "windows_exporter_legacy", ProfileKind::kLegacy, problems);
  const std::pair<const char*, std::string> sources[] = {
      {"blocks.cc", block_source({own, current, legacy}, problems)},
      {"collectors.cc", collector_source(current, legacy, problems)},
      {"fact_metrics.cc", fact_source({own, current, legacy}, problems)},
      {"help_rows.cc", help_source(read_help_tables(folder / "help", problems), problems)}};
  for (const std::string& text : problems.texts()) std::cerr << text << '\n';
  if (!problems.texts().empty()) return 1;
  for (const auto& [name, text] : sources) {
    std::ofstream stream(output / name, std::ios::binary);
    if (stream << text << std::flush) continue;
    std::cerr << (output / name).string() << " cannot be written\n";
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace winperf::tables

int main(int count, char** arguments) {
  if (count == 3) return winperf::tables::compile(arguments[1], arguments[2]);
  std::cerr << "Usage: compile_tables FOLDER OUTPUT\n";
  return 2;
}
