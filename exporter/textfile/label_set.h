// The labels of a sample in the text format. Thread rule: any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/textfile/line_cursor.h"

namespace winperf {

using TextfileLabels = std::vector<std::pair<std::string_view, std::string>>;

// From "{" to "}". Sorted by name, each once; the names are parts of the line. Errors: a sentence.
[[nodiscard]] std::expected<TextfileLabels, std::string> take_labels(LineCursor& cursor);

// As they are written on a page, without braces, and without the label `except` and empty ones.
std::string label_text(const TextfileLabels& labels, std::string_view except);

}  // namespace winperf
