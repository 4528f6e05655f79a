#include "exporter/profiles/compile/cpp.h"

namespace winperf::tables {

std::string quoted(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

std::string constant(std::string_view word) {
  std::string name = "k";
  bool begins = true;
  for (const char c : word) {
    if (c != '_') name += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '_';
  }
  return name;
}

Array array_of(const std::string& type, const std::string& name, const std::string& items) {
  if (items.empty()) return {"", "{}"};
  return {"constexpr " + type + ' ' + name + "[] = {" + items + "};\n", name};
}

std::string source_of(const std::string& header, const std::string& constants,
                      const std::string& functions) {
  return "// Made from tables; see exporter/profiles/compile.\n#include \"" + header +
         "\"\n\nnamespace winperf {\nnamespace {\n\n" + constants + "\n}  // namespace\n\n" +
         functions + "\n}  // namespace winperf\n";
}

}  // namespace winperf::tables
