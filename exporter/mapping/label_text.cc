#include "exporter/mapping/label_text.h"

#include "collectors/base/utf8.h"

namespace winperf {

void append_escaped(std::string& out, std::string_view text, bool quotes) {
  while (!text.empty()) {
    const Utf8Step step = next_character(text);
    const char c = text.front();
    if (!step.valid) {
      out += kReplacementCharacter;
    } else if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (quotes && c == '"') {
      out += "\\\"";
    } else {
      out += text.substr(0, step.bytes);
    }
    text.remove_prefix(step.bytes);
  }
}

void append_label(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += "=\"";
  append_escaped(out, value, true);
  out += '"';
}

}  // namespace winperf
