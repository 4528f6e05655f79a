# winperf_add_messages(<target> <folder> <texts>.mc [<more>.rc ...])
#
# Adds an object library with event log messages, which the message compiler and then the resource compiler translate. It is
# a separate library because the resource compiler rejects the C++ compiler's options. <folder> receives <texts>.h, the header
# with the message ids. The .mc file must set LanguageNames to (English=0x409:<texts>_en).
function(winperf_add_messages target folder texts)
  if(MSVC)
    set(message_compiler mc)
  else()
    string(REPLACE windres windmc message_compiler "${CMAKE_RC_COMPILER}")
  endif()
  get_filename_component(name "${texts}" NAME_WE)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${folder}/${name}.rc" "${folder}/${name}.h" "${folder}/${name}_en.bin"
    COMMAND "${message_compiler}" -h "${folder}" -r "${folder}" "${CMAKE_CURRENT_SOURCE_DIR}/${texts}"
    MAIN_DEPENDENCY "${texts}"
    VERBATIM)
  add_library(${target} OBJECT "${folder}/${name}.rc" ${ARGN})
  target_include_directories(${target} PUBLIC "${folder}")
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
