# winperf_add_messages(<target> <folder> <texts>.mc [<more>.rc ...])
#
# An object library with the texts of an event log: message compiler, then resource compiler. A library of its own, because
# the resource compiler does not take the C++ compiler's options. The header with the messages' ids, <texts>.h, is in
# <folder>; the texts' LanguageNames have to be (English=0x409:<texts>_en).
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
