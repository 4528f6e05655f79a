// The files of the page at "/", which are part of the executable: modules, style sheets and
// pictures, packed and compressed by the build (CMakeLists.txt, packaging/cmake/embed_page.cmake).
// Nothing here is made at run time. Thread rule: pure functions.
#pragma once

#include <span>
#include <string_view>

namespace winperf::page {

struct File {
  std::string_view path;  // below this folder, such as main.js
  std::string_view gzip;  // its content
};

// Where the files are served: page/VERSION/PATH. Another content has another version, so that a
// browser may keep what it has.
std::string_view version();

// Of this version; none in a build without the page (WINPERF_PAGE).
std::span<const File> files();

// The document at "/", which names the version; null in a build without the page.
const File* index();

// What `path` is after page/; null if it isn't in this version. The index isn't there: its links
// are those of "/".
const File* find(std::string_view path);

// Content-Type, by the name.
const char* media_type(const File& file);

}  // namespace winperf::page
