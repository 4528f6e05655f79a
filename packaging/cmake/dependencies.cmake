# Finds the third-party libraries and never downloads any. docs/building.md describes where they come from.
set(WINPERF_DEPS "" CACHE STRING
  "Platform whose libraries packaging/deps/build_deps.sh provides: native or mingw; empty to leave it to find_package")

if(WINPERF_DEPS)
  set(build_deps "${PROJECT_SOURCE_DIR}/packaging/deps/build_deps.sh")
  execute_process(COMMAND "${build_deps}" "${WINPERF_DEPS}" --print-prefix
    OUTPUT_VARIABLE prefixes OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT prefixes)
    message(FATAL_ERROR "The libraries are not built yet. Run: ${build_deps} ${WINPERF_DEPS} --with-tests")
  endif()
  list(PREPEND CMAKE_PREFIX_PATH ${prefixes})
  if(CMAKE_CROSSCOMPILING)
    list(PREPEND CMAKE_FIND_ROOT_PATH ${prefixes})
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/packaging/deps/recipe.conf")
endif()

# winperf_find(<package> ...): find_package, but without remembering the prefix of an earlier recipe.
macro(winperf_find package)
  if(WINPERF_DEPS)
    unset(${package}_DIR CACHE)
  endif()
  find_package(${package} ${ARGN} REQUIRED)
endmacro()

if(WINPERF_DEPS)
  unset(PCRE2_INCLUDE_DIR CACHE)
  unset(PCRE2_8BIT_LIBRARY_RELEASE CACHE)
  unset(PCRE2_8BIT_LIBRARY_DEBUG CACHE)
endif()
# With mingw, prefers the static library to the import library of zlib1.dll.
set(ZLIB_USE_STATIC_LIBS ${MINGW})

winperf_find(Threads)
winperf_find(fmt CONFIG)
winperf_find(spdlog CONFIG)
winperf_find(nlohmann_json CONFIG)
winperf_find(prometheus-cpp CONFIG)
winperf_find(httplib CONFIG)
winperf_find(yaml-cpp CONFIG)
winperf_find(CLI11 CONFIG)
winperf_find(MbedTLS CONFIG)
winperf_find(PCRE2)
winperf_find(ZLIB)
# vcpkg has no port of it for Windows. A build without it refuses passwords.
if(WINPERF_DEPS)
  winperf_find(xcrypt_bcrypt CONFIG)
else()
  find_package(xcrypt_bcrypt CONFIG)
endif()
if(WINPERF_TESTS)
  winperf_find(GTest CONFIG)
endif()
