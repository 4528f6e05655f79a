// What a table says, before it becomes C++. Texts are as they stand in the table; numbers, too,
// because the compiler reads them. Thread rule: values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace winperf::tables {

// What ProfileRow has.
struct Row {
  std::size_t line = 0;
  std::string metric;
  bool is_counter = false;
  std::string counter;
  char operation = '\0';
  std::string other;
  std::string value = "AsRead";  // of ProfileValue, without its k
  std::string factor = "1";
  std::string offset = "0";
  std::string state = "0";
  std::string labels;
  std::string note;
};

struct Object {
  std::string name;
  std::string labels;
};

// What ProfileBlock has.
struct Block {
  std::size_t line = 0;
  std::vector<Object> objects;
  std::vector<std::string> instances;
  std::string only;
  std::vector<std::string> skipped;
  bool process_id = false;
  std::string value_label;
  std::string value_counter;
  std::vector<Row> rows;
};

// What the collector reads: objects by their names (alternatives are separated by |), and topics of
// facts. `part` is its word in the collector's option "enabled", the others those of the options
// that select what is read.
struct Read {
  std::size_t line = 0;
  std::string name;
  std::string include;
  std::string exclude;
  std::string prefix;
  std::string part;
  std::string note;
  bool is_home = false;  // of a topic: this collector's metrics are those about it
};

// What the collector serves and this program doesn't.
struct Missing {
  std::string what;
  std::string part;
  bool is_on = true;  // without being asked for
};

// A collector that older versions had for all of it, or for one part.
struct Older {
  std::string name;
  std::string part;
};

struct Table {
  std::string file;  // windows_exporter/cpu.table
  std::string collector;
  bool is_default = false;
  bool reports_parts = false;
  std::vector<Read> objects;
  std::vector<Read> topics;
  std::vector<Missing> missing;
  std::vector<Older> older;
  std::vector<Block> blocks;
};

// What is wrong, each as FILE:LINE: TEXT.
class Problems {
 public:
  void add(const std::string& file, std::size_t line, const std::string& text) {
    texts_.push_back(file + ':' + std::to_string(line) + ": " + text);
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
};

}  // namespace winperf::tables
