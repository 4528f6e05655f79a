# Writes the C++ source OUTPUT with the files of the page (exporter/page/page_files.h), compressed. LIST is a file with their names,
# which may be none. Those below one of ROOTS keep their folders; others are uPlot's, at the top.
#   cmake -D LIST=... -D ROOTS=... -D OUTPUT=... -P embed_page.cmake
#
# In index.html, @LIBRARY@ becomes the tags of uPlot, or nothing in a build without it; @MODULES@ a link for each module, by which a
# browser fetches all of them at once instead of one import after the other; and then @VERSION@ the version, which is a hash of all
# names and contents.
cmake_minimum_required(VERSION 3.25)
file(READ "${LIST}" inputs)

# In the order of the paths that a browser sees: the version must not depend on where this machine keeps the files.
set(pairs "")
foreach(input IN LISTS inputs)
  cmake_path(GET input FILENAME path)
  set(origin library)
  foreach(root IN LISTS ROOTS)
    cmake_path(IS_PREFIX root "${input}" is_below)
    if(is_below)
      cmake_path(RELATIVE_PATH input BASE_DIRECTORY "${root}" OUTPUT_VARIABLE path)
      set(origin ours)
    endif()
  endforeach()
  list(APPEND pairs "${path}|${origin}|${input}")
endforeach()
list(SORT pairs)

set(inputs "")
set(paths "")
set(content "")
set(library "")
set(modules "")
foreach(pair IN LISTS pairs)
  string(REPLACE "|" ";" parts "${pair}")
  list(POP_FRONT parts path origin)
  list(JOIN parts "|" input)
  list(APPEND inputs "${input}")
  list(APPEND paths "${path}")
  file(SHA256 "${input}" hash)
  string(APPEND content "${path} ${hash}\n")
  if(origin STREQUAL "library" AND path MATCHES "\\.css$")
    string(APPEND library "<link rel=\"stylesheet\" href=\"page/@VERSION@/${path}\">\n")
  elseif(origin STREQUAL "library")
    string(APPEND library "<script defer src=\"page/@VERSION@/${path}\"></script>\n")
  elseif(path MATCHES "\\.js$")
    string(APPEND modules "<link rel=\"modulepreload\" href=\"page/@VERSION@/${path}\">\n")
  endif()
endforeach()
string(SHA256 version "${content}")
string(SUBSTRING "${version}" 0 12 version)

set(arrays "")
set(rows "")
set(number 0)
set(packed "${OUTPUT}.gz")
foreach(input path IN ZIP_LISTS inputs paths)
  if(path STREQUAL "index.html")
    file(READ "${input}" text)
    string(REPLACE "@LIBRARY@\n" "${library}" text "${text}")
    string(REPLACE "@MODULES@\n" "${modules}" text "${text}")
    string(REPLACE "@VERSION@" "${version}" text "${text}")
    set(input "${OUTPUT}.index.html")
    file(WRITE "${input}" "${text}")
  endif()
  file(ARCHIVE_CREATE OUTPUT "${packed}" PATHS "${input}" FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
  file(READ "${packed}" hex HEX)
  # Without the time and the system of this build, so that each build of the same files is the same (RFC 1952, section 2.3.1).
  string(REGEX REPLACE "^1f8b0800........(..).." "1f8b080000000000\\1ff" hex "${hex}")
  if(NOT hex MATCHES "^1f8b080000000000..ff")
    message(FATAL_ERROR "${packed} begins with other fields than those that are known")
  endif()
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char kFile${number}[] = {${bytes}};\n")
  string(APPEND rows "    File{\"${path}\", {kFile${number}, sizeof kFile${number}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(REMOVE "${packed}")

file(WRITE "${OUTPUT}" "#include <array>

#include \"exporter/page/page_files.h\"

namespace winperf::page {
namespace {
${arrays}constexpr std::array<File, ${number}> kFiles{
${rows}};
}  // namespace

std::string_view version() { return \"${version}\"; }

std::span<const File> files() { return kFiles; }

}  // namespace winperf::page
")
