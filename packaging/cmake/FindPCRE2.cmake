# Defines PCRE2::8BIT, the 8-bit library. Some packagers leave out PCRE2's own CMake package file, and its arguments vary
# between versions, so this module looks for the header and the library by name. The names ending in "d" are for MSVC's debug
# builds, which must not be mixed with others.
find_path(PCRE2_INCLUDE_DIR NAMES pcre2.h)
find_library(PCRE2_8BIT_LIBRARY_RELEASE NAMES pcre2-8 pcre2-8-static)
find_library(PCRE2_8BIT_LIBRARY_DEBUG NAMES pcre2-8d pcre2-8-staticd)
mark_as_advanced(PCRE2_INCLUDE_DIR)

include(SelectLibraryConfigurations)
select_library_configurations(PCRE2_8BIT)  # sets PCRE2_8BIT_LIBRARY
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PCRE2 REQUIRED_VARS PCRE2_8BIT_LIBRARY PCRE2_INCLUDE_DIR)

if(PCRE2_FOUND AND NOT TARGET PCRE2::8BIT)
  add_library(PCRE2::8BIT INTERFACE IMPORTED)
  target_link_libraries(PCRE2::8BIT INTERFACE ${PCRE2_8BIT_LIBRARY})
  target_include_directories(PCRE2::8BIT INTERFACE "${PCRE2_INCLUDE_DIR}")
  target_compile_definitions(PCRE2::8BIT INTERFACE PCRE2_CODE_UNIT_WIDTH=8)
  # Without this, pcre2.h declares its functions as imported from a DLL. vcpkg's header needs no definition.
  if(MINGW)
    target_compile_definitions(PCRE2::8BIT INTERFACE PCRE2_STATIC)
  endif()
endif()
