// Makes C++ from the tables of the profiles, when the program is built:
//   compile_tables FOLDER OUTPUT
// FOLDER has a folder of tables for each profile; the sources go to the folder OUTPUT. A line that
// is not of the tables' form (table_reader.h) ends the build with its file and number.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "exporter/profiles/compile/block_source.h"
#include "exporter/profiles/compile/checks.h"
#include "exporter/profiles/compile/collector_source.h"
#include "exporter/profiles/compile/table_reader.h"

namespace winperf::tables {
namespace {

namespace fs = std::filesystem;

// In the order of their names.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".table") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<Table> read_profile(const fs::path& folder, Problems& problems) {
  std::vector<Table> tables;
  for (const fs::path& file : files_in(folder)) {
    const std::string name = folder.filename().string() + '/' + file.filename().string();
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) problems.add(name, 1, "the file can't be read");
    tables.push_back(read_table(name, text, problems));
  }
  check_rows(tables, problems);
  const auto has_rows = [](const Table& table) { return !table.blocks.empty(); };
  if (std::ranges::none_of(tables, has_rows))
    problems.add(folder.filename().string(), 1, "the folder has no tables with rows");
  return tables;
}

struct Source {
  fs::path file;
  std::string text;
};

// Whether all are written.
bool write(const std::vector<Source>& sources) {
  for (const Source& source : sources) {
    std::ofstream stream(source.file, std::ios::binary);
    stream << source.text << std::flush;
    if (stream) continue;
    std::cerr << source.file.string() << " can't be written\n";
    return false;
  }
  return true;
}

int compile(const fs::path& folder, const fs::path& output) {
  Problems problems;
  const std::vector<Table> current = read_profile(folder / "windows_exporter", problems);
  const std::vector<Table> legacy = read_profile(folder / "windows_exporter_legacy", problems);
  const std::vector<Source> sources{
      {output / "windows_exporter.cc", block_source(current, "windows_exporter_blocks")},
      {output / "windows_exporter_legacy.cc",
       block_source(legacy, "windows_exporter_legacy_blocks")},
      {output / "collectors.cc", collector_source(current, legacy, problems)}};
  for (const std::string& text : problems.texts()) std::cerr << text << '\n';
  return problems.texts().empty() && write(sources) ? 0 : 1;
}

}  // namespace
}  // namespace winperf::tables

int main(int count, char** arguments) {
  if (count == 3) return winperf::tables::compile(arguments[1], arguments[2]);
  std::cerr << "Usage: compile_tables FOLDER OUTPUT\n";
  return 2;
}
