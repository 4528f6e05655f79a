#include "exporter/page/page_files.h"

#include <algorithm>
#include <utility>

namespace winperf::page {
namespace {

constexpr std::string_view kIndex = "index.html";

const File* file_called(std::string_view path) {
  const auto found = std::ranges::find(files(), path, &File::path);
  return found == files().end() ? nullptr : &*found;
}

}  // namespace

const File* index() { return file_called(kIndex); }

const File* find(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos || path.substr(0, slash) != version()) return nullptr;
  const std::string_view rest = path.substr(slash + 1);
  return rest == kIndex ? nullptr : file_called(rest);
}

// The build takes files of these kinds alone.
const char* media_type(const File& file) {
  constexpr std::pair<std::string_view, const char*> kTypes[] = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"}};
  const auto* const type =
      std::ranges::find_if(kTypes, [&](const auto& one) { return file.path.ends_with(one.first); });
  return type->second;
}

}  // namespace winperf::page
