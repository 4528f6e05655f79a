#include "tests/simulator/server/parse.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "tests/simulator/server/counter_text.h"
#include "tests/simulator/server/movement.h"
#include "tests/simulator/server/movement_text.h"

namespace winperf::simulator {
namespace {

constexpr CounterType kObjectClockType{0x00010100};

// A GUID that is always the same for a name, with the bits of one made of a hash (version 8).
Guid guid_of(const std::string& name) {
  Guid guid;
  std::uint64_t seed = seed_of(name);
  for (std::size_t i = 0; i < Guid::kBytes; ++i) {
    if (i == 8) seed = seed_of(name + " again");
    guid.bytes[i] = static_cast<std::uint8_t>(seed >> (8 * (i % 8)));
  }
  guid.bytes[7] = static_cast<std::uint8_t>((guid.bytes[7] & 0x0F) | 0x80);
  guid.bytes[8] = static_cast<std::uint8_t>((guid.bytes[8] & 0x3F) | 0x80);
  return guid;
}

Guid guid_in(const std::vector<std::string>& cells, const std::string& name) {
  if (cells.size() < 2) return guid_of(name);
  const auto guid = parse_guid(cells[1]);
  if (!guid) throw Misunderstood{'"' + cells[1] + "\" is not a GUID"};
  return *guid;
}

ServerTable table_in(const std::vector<std::string>& cells) {
  ServerTable table{.name = cells[0], .columns = {cells.begin() + 1, cells.end()}, .rows = {}};
  table.pid = table.find("pid");
  table.started = table.find("started");
  table.restarts = table.find("restarts");
  table.lasts = table.find("lasts");
  return table;
}

void add_row(ServerTable& table, const std::vector<std::string>& cells) {
  if (cells.size() != table.columns.size() + 1)
    throw Misunderstood{"a row of \"" + table.name + "\" has " +
                        std::to_string(table.columns.size() + 1) + " columns, not " +
                        std::to_string(cells.size())};
  ServerTable::Row row{.name = cells[0], .texts = {cells.begin() + 1, cells.end()}, .numbers = {}};
  const auto namesakes = std::ranges::count(table.rows, row.name, &ServerTable::Row::name);
  row.seed = seed_of(row.name) + static_cast<std::uint64_t>(namesakes);
  for (const std::string& text : row.texts) row.numbers.push_back(number_or_none(text).value_or(0));
  table.rows.push_back(std::move(row));
}

ServerObject::Total total_in(const std::vector<std::string>& cells) {
  using Means = ServerObject::Total::Means;
  ServerObject::Total total{.name = cells[0]};
  if (cells.size() == 1) return total;
  if (cells[1] == "mean times") {
    total.means = Means::kTimes;
  } else if (cells[1] == "mean all") {
    total.means = Means::kAll;
  } else {
    throw Misunderstood{"a total has the \"mean times\" or the \"mean all\""};
  }
  return total;
}

// Elapsed times of V2 countersets need counters with the time, and how fast it passes.
void add_clock(ServerObject& object) {
  const auto is_elapsed = [](const ServerCounter& counter) {
    return counter.movement.motion == Motion::kStarted;
  };
  if (std::ranges::none_of(object.counters, is_elapsed)) return;
  std::uint32_t id = 0;
  for (const ServerCounter& counter : object.counters) id = std::max(id, counter.number);
  for (const auto& [name, motion] :
       {std::pair{"Time", Motion::kTime}, std::pair{"Frequency", Motion::kFrequency}})
    object.counters.push_back({.name = name,
                               .number = ++id,
                               .type = kObjectClockType,
                               .bytes = 8,
                               .movement = {.motion = motion},
                               .is_hidden = true});
}

// No counter is made of itself.
void check_sums(const ServerObject& object) {
  for (std::size_t i = 0; i < object.counters.size(); ++i) {
    std::vector<bool> seen(object.counters.size());
    std::vector<std::size_t> rest{i};
    while (!rest.empty()) {
      const ServerCounter& counter = object.counters[rest.back()];
      rest.pop_back();
      for (const Movement::Term& term : counter.movement.terms) {
        if (term.counter == i)
          throw Misunderstood{"the counter \"" + object.counters[i].name + "\" is made of itself"};
        if (!term.counter || seen[*term.counter]) continue;
        seen[*term.counter] = true;
        rest.push_back(*term.counter);
      }
    }
  }
}

class Parser {
 public:
  void read(const ServerText& text);
  ServerData finish() { return std::move(data_); }
  std::string place() const { return file_ + ':' + std::to_string(line_); }

 private:
  struct Repeated {
    std::vector<std::string> names;
    std::vector<std::vector<std::string>> words;
    std::vector<std::pair<int, std::string>> lines;
  };
  // What can be understood when all counters of the object are known.
  struct Later {
    int line = 0;
    std::function<void(ServerObject&)> finish;
  };

  void read_line(std::string_view line);
  void repeat(const Repeated& repeated);
  void obey(const std::string& verb, const std::vector<std::string>& cells);
  void begin(const std::string& verb, const std::vector<std::string>& cells);
  void add_object(const std::vector<std::string>& cells);
  void choose_instances(const std::vector<std::string>& cells);
  void add_counter_of(const std::vector<std::string>& cells);
  void add_rest(const std::vector<std::string>& cells);
  void end_object();
  ServerObject& object();

  ServerData data_;
  std::string file_;
  int line_ = 0;
  std::optional<Repeated> repeated_;
  bool in_object_ = false;
  std::vector<Later> later_;
};

void Parser::read(const ServerText& text) {
  file_ = text.file;
  line_ = 0;
  for (const std::string& line : split(text.text, "\n")) {
    ++line_;
    if (repeated_ && line != "end") {
      if (line.starts_with("with ")) {
        repeated_->words.push_back(split(line.substr(5), "|"));
      } else {
        repeated_->lines.emplace_back(line_, line);
      }
    } else if (repeated_) {
      repeat(*std::exchange(repeated_, std::nullopt));
    } else {
      read_line(line);
    }
  }
  if (repeated_) throw Misunderstood{"\"each\" without \"end\""};
  end_object();
}

void Parser::repeat(const Repeated& repeated) {
  const int end = line_;
  for (const std::vector<std::string>& words : repeated.words) {
    if (words.size() != repeated.names.size())
      throw Misunderstood{"a \"with\" has another number of words than its \"each\""};
    for (const auto& [number, text] : repeated.lines) {
      std::string line = text;
      for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string name = '{' + repeated.names[i] + '}';
        for (std::size_t at = 0; (at = line.find(name, at)) != std::string::npos;
             at += words[i].size())
          line.replace(at, name.size(), words[i]);
      }
      line_ = number;
      read_line(line);
    }
  }
  line_ = end;
}

void Parser::read_line(std::string_view line) {
  if (line.empty() || line.starts_with('#')) return;
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string verb(line.substr(0, end));
  if (verb == "each") {
    repeated_ = Repeated{.names = split(trimmed(line.substr(end)), " "), .words = {}, .lines = {}};
  } else {
    obey(verb, split(trimmed(line.substr(end)), "|"));
  }
}

void Parser::obey(const std::string& verb, const std::vector<std::string>& cells) {
  if (verb == "counter") {
    add_counter_of(cells);
  } else if (verb == "row") {
    if (data_.tables.empty() || in_object_) throw Misunderstood{"\"row\" without a table"};
    add_row(data_.tables.back(), cells);
  } else if (verb == "instances") {
    choose_instances(cells);
  } else if (verb == "like") {
    object().like = cells[0];
  } else if (verb == "total") {
    object().totals.push_back(total_in(cells));
  } else if (verb == "rest") {
    add_rest(cells);
  } else {
    end_object();
    begin(verb, cells);
  }
}

void Parser::begin(const std::string& verb, const std::vector<std::string>& cells) {
  if (verb == "object") {
    add_object(cells);
  } else if (verb == "table") {
    data_.tables.push_back(table_in(cells));
  } else if (verb == "service") {
    data_.providers.push_back({.name = cells[0]});
  } else if (verb == "provider") {
    data_.providers.push_back(
        {.name = cells[0], .is_v2 = true, .guid = guid_in(cells, "provider " + cells[0])});
  } else {
    throw Misunderstood{"there is no statement \"" + verb + '"'};
  }
}

ServerObject& Parser::object() {
  if (!in_object_) throw Misunderstood{"this belongs to an object"};
  return data_.providers.back().objects.back();
}

void Parser::add_object(const std::vector<std::string>& cells) {
  if (data_.providers.empty()) throw Misunderstood{"an object belongs to a service or provider"};
  ServerProvider& provider = data_.providers.back();
  ServerObject object{.name = cells[0]};
  if (provider.is_v2) {
    object.guid = guid_in(cells, object.name);
  } else {
    object.number = take_number(object.name).value_or(0);
  }
  object.like = object.name;
  provider.objects.push_back(std::move(object));
  in_object_ = true;
}

void Parser::choose_instances(const std::vector<std::string>& cells) {
  ServerObject& chooser = object();
  const auto found = std::ranges::find(data_.tables, cells[0], &ServerTable::name);
  if (found == data_.tables.end()) throw Misunderstood{"there is no table \"" + cells[0] + '"'};
  chooser.table = static_cast<std::size_t>(found - data_.tables.begin());
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i].starts_with("with ")) {
      chooser.with = found->find(cells[i].substr(5));
      if (!chooser.with) throw Misunderstood{"the table has no column \"" + cells[i] + '"'};
    } else if (cells[i].starts_with("named ")) {
      chooser.pattern = cells[i].substr(6);
    } else if (cells[i] == "grouped") {
      chooser.is_grouped = true;
    } else {
      throw Misunderstood{"instances are chosen \"with\" a column, \"named\", and \"grouped\""};
    }
  }
}

void Parser::add_counter_of(const std::vector<std::string>& cells) {
  ServerObject& owner = object();
  const ServerTable* const table = owner.table ? &data_.tables[*owner.table] : nullptr;
  for (const UnfinishedSum& sum : add_counter(owner, cells, table, data_.providers.back().is_v2))
    later_.push_back({line_, [sum](ServerObject& complete) {
                        find_counters(complete.counters[sum.counter].movement, sum.text, complete);
                      }});
}

void Parser::add_rest(const std::vector<std::string>& cells) {
  if (cells.size() != 4) throw Misunderstood{"\"rest\" needs four columns"};
  object();
  later_.push_back({line_, [cells](ServerObject& complete) {
                      complete.rest = {.instance = cells[0],
                                       .counter = counter_named(complete, cells[1]),
                                       .amount = number_in(cells[2]),
                                       .of_others = counter_named(complete, cells[3])};
                    }});
}

void Parser::end_object() {
  if (!in_object_) return;
  const int line = line_;
  for (const Later& later : std::exchange(later_, {})) {
    line_ = later.line;
    later.finish(object());
  }
  check_sums(object());
  if (data_.providers.back().is_v2) add_clock(object());
  line_ = line;
  in_object_ = false;
}

}  // namespace

std::expected<ServerData, std::string> parse_server(std::span<const ServerText> texts) {
  Parser parser;
  try {
    for (const ServerText& text : texts) parser.read(text);
  } catch (const Misunderstood& misunderstood) {
    return std::unexpected(parser.place() + ": " + misunderstood.what);
  }
  return parser.finish();
}

}  // namespace winperf::simulator
