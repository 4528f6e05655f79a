#include "exporter/profiles/compile/checks.h"

#include <map>
#include <utility>

namespace winperf::tables {
namespace {

// A metric has one type, wherever it stands.
void check_type(const Table& table, const Row& row, std::map<std::string, bool>& is_counter,
                Problems& problems) {
  const bool known = is_counter.try_emplace(row.metric, row.is_counter).first->second;
  if (known != row.is_counter)
    problems.add(table.file, row.line,
                 row.metric + " is a " + (known ? "counter" : "gauge") + " in another row");
}

}  // namespace

void check_rows(const std::vector<Table>& tables, Problems& problems) {
  std::map<std::string, bool> is_counter;
  for (const Table& table : tables)
    for (const Block& block : table.blocks) {
      std::map<std::pair<std::string, std::string>, std::size_t> lines;  // by metric and labels
      for (const Row& row : block.rows) {
        check_type(table, row, is_counter, problems);
        const auto [known, is_new] = lines.try_emplace({row.metric, row.labels}, row.line);
        if (!is_new)
          problems.add(table.file, row.line,
                       "line " + std::to_string(known->second) + " has the same series");
      }
    }
}

}  // namespace winperf::tables
