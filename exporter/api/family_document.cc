#include "exporter/api/documents.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "exporter/json/json_text.h"
#include "exporter/mapping/family.h"
#include "exporter/text/page_format.h"

namespace winperf::api {
namespace {

// Of a comment or a label.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size())
      out += text[i];
    else
      out += text[++i] == 'n' ? '\n' : text[i];
  }
  return out;
}

// Up to the separator, which is removed, too.
std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

// Up to the quote that ends a label's value.
std::string_view take_quoted(std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
  end = std::min(end, rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

// `rest` begins after the brace, and afterwards after the other one.
void append_labels(std::string& out, std::string_view& rest) {
  bool is_first = true;
  while (!rest.empty() && rest.front() != '}') {
    const std::string_view name = take_until(rest, '=');
    if (rest.starts_with('"')) rest.remove_prefix(1);
    if (!is_first) out += ',';
    is_first = false;
    json::append_string(out, name);
    json::append_field(out, ":", unescaped(take_quoted(rest)));
    if (rest.starts_with(',')) rest.remove_prefix(1);
  }
  if (!rest.empty()) rest.remove_prefix(1);
}

void append_number_text(std::string& out, std::string_view number) {
  const bool is_plain = !number.empty() && (number.back() >= '0' && number.back() <= '9');
  if (is_plain)
    out += number.front() == '+' ? number.substr(1) : number;
  else
    json::append_string(out, number);
}

class Families {
 public:
  void add(std::string_view line) {
    if (line.starts_with("# HELP ")) {
      line.remove_prefix(7);
      help_name_ = take_until(line, ' ');
      help_ = unescaped(line);
    } else if (line.starts_with("# TYPE ")) {
      line.remove_prefix(7);
      const std::string_view name = take_until(line, ' ');
      begin(name, line);
    } else if (!line.empty() && line.front() != '#') {
      add_series(line);
    }
  }

  std::string document() && {
    end();
    return "{\"families\":[" + out_ + "]}\n";
  }

 private:
  void end() {
    if (!name_.empty()) out_ += "]}";
    name_.clear();
  }

  void begin(std::string_view name, std::string_view type) {
    end();
    if (!out_.empty()) out_ += ',';
    name_ = name;
    has_series_ = false;
    json::append_field(out_, "{\"name\":", name);
    json::append_field(out_, ",\"type\":", type);
    const std::string_view unit = unit_of(family_of(name, type));
    json::append_field(out_, ",\"unit\":", unit.empty() ? std::nullopt : std::optional(unit));
    json::append_field(out_, ",\"help\":", help_name_ == name ? help_ : std::string());
    out_ += ",\"series\":[";
  }

  void add_series(std::string_view line) {
    const std::size_t name_end = line.find_first_of("{ ");
    const std::string_view name = line.substr(0, name_end);
    // A family without comments is one of its own.
    if (name_.empty() || !name.starts_with(name_)) begin(name, "untyped");
    line.remove_prefix(std::min(name.size(), line.size()));
    if (std::exchange(has_series_, true)) out_ += ',';
    out_ += '{';
    if (name != name_) {
      json::append_field(out_, "\"name\":", name);
      out_ += ',';
    }
    out_ += "\"labels\":{";
    if (line.starts_with('{')) {
      line.remove_prefix(1);
      append_labels(out_, line);
    }
    out_ += "},\"value\":";
    line = trimmed(line);
    append_number_text(out_, take_until(line, ' '));
    out_ += '}';
  }

  std::string out_;
  std::string name_;  // of the family that has begun
  std::string help_name_;
  std::string help_;
  bool has_series_ = false;
};

}  // namespace

std::string label_object(std::string_view labels) {
  std::string out = "{";
  append_labels(out, labels);
  return out + '}';
}

std::string family_document(std::string_view page) {
  Families families;
  while (!page.empty()) families.add(take_until(page, '\n'));
  return std::move(families).document();
}

}  // namespace winperf::api
