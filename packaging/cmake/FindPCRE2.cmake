# PCRE2::8BIT, the 8-bit library. PCRE2's own package file is left out by some packagers and takes its
# arguments differently in others, so the two files that matter are looked for by name.
find_path(PCRE2_INCLUDE_DIR NAMES pcre2.h)
find_library(PCRE2_8BIT_LIBRARY NAMES pcre2-8 pcre2-8-static)
mark_as_advanced(PCRE2_INCLUDE_DIR PCRE2_8BIT_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PCRE2 REQUIRED_VARS PCRE2_8BIT_LIBRARY PCRE2_INCLUDE_DIR)

if(PCRE2_FOUND AND NOT TARGET PCRE2::8BIT)
  add_library(PCRE2::8BIT UNKNOWN IMPORTED)
  set_target_properties(PCRE2::8BIT PROPERTIES
    IMPORTED_LOCATION "${PCRE2_8BIT_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${PCRE2_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS PCRE2_CODE_UNIT_WIDTH=8)
  # Without it pcre2.h declares its functions as imported from a DLL; vcpkg's header knows by itself.
  if(MINGW)
    set_property(TARGET PCRE2::8BIT APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS PCRE2_STATIC)
  endif()
endif()
