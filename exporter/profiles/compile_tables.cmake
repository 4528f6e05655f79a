# Makes the C++ source OUTPUT from the tables in the folder TABLES. It defines FUNCTION of exporter/profiles/profile.h. A
# line that is not of the format ends the build with its file and number.
#   cmake -D TABLES=... -D NAMES=cpu.table,memory.table -D OUTPUT=... -D FUNCTION=... -P compile_tables.cmake
#
# A table is about one collector of the other exporter. A line that begins with # is a comment. The first line says whose
# metrics these are; the others come in blocks, each about one counterset or several with the same counters:
#
#   collector cpu
#
#   object SQLServer:Locks | mssql_instance="MSSQLSERVER"   the counterset's English name; after | labels of all its series
#   object MSSQL${mssql_instance}:Locks                     {label}: that part of the name is a label
#   instance {process}#{}       which part of an instance's name becomes which label (name_template.h); of several lines
#   instance {process}          the first one that fits counts. An instance that fits none has no series
#   only first                  instead: only the first instance counts, or that of this name; it has no label of its own
#   skip Services               an instance that is left out; so are totals
#   process_id                  each series has a label process_id
#   part locks                  what the other exporter calls this part of the collector, if it reports on each
#   value_label LABEL = COUNTER each series has a label with the value of a counter
#
# Then its rows: metric | type | counter | value | labels | note. What is empty at the end may be left out.
#   type     counter or gauge
#   counter  its English name; A (or) B: the first one that there is; A (+) B, A (-) B: sum and difference; A (:) B: the
#            upper and the lower 32 bits of one number; - : none
#   value    nothing: timers of 100 ns and elapsed times in seconds, other numbers as they are. raw: the number as it is.
#            seconds: ticks of the counter's clock. base: the second number. rest: that less the first one. ratio: the first one divided by
#            it. start: when an elapsed time began.
#            These may be followed by * NUMBER or / NUMBER, then + NUMBER or - NUMBER.
#            state N: 1 where the number is N, else 0. instances: how many there are. A NUMBER: just that
#   labels   mode="idle",origin="ldap"
#   note     what differs from the other exporter, for docs/windows-exporter-names.md

cmake_minimum_required(VERSION 3.25)

string(REPLACE "," ";" tables "${NAMES}")
set(number "[0-9]+[.]?[0-9]*")
set(label_list "[A-Za-z_][A-Za-z0-9_]*=\"[^\"\\]*\"(,[A-Za-z_][A-Za-z0-9_]*=\"[^\"\\]*\")*")
set(source "")
set(blocks "")
set(block 0)
set(rows 0)

function(fail message)
  message(FATAL_ERROR "${table}:${line_number}: ${message}")
endfunction()

# The macros below take names of variables: CMake would read backslashes in the text of an argument once more.

# quote(LITERAL TEXT): the text as a C++ literal.
macro(quote variable text)
  string(REPLACE "\\" "\\\\" ${variable} "${${text}}")
  string(REPLACE "\"" "\\\"" ${variable} "${${variable}}")
  set(${variable} "\"${${variable}}\"")
endmacro()

# array(TYPE NAME ITEMS): the definition of an array, and `span` for its use. An empty one is no array.
macro(array type name items)
  set(span "{}")
  if(NOT ${items} STREQUAL "")
    string(APPEND source "constexpr ${type} ${name}${block}[] = {${${items}}};\n")
    set(span "${name}${block}")
  endif()
endmacro()

macro(begin_block)
  set(objects "")
  set(instances "")
  set(skipped "")
  set(only "")
  set(process_id false)
  set(part "")
  set(value_label "")
  set(value_counter "")
  set(block_rows "")
endmacro()

macro(end_block)
  if(NOT objects STREQUAL "")
    if(block_rows STREQUAL "")
      fail("the block before this line has no rows")
    endif()
    array(ProfileObject kObjects objects)
    set(object_span "${span}")
    array(std::string_view kInstances instances)
    set(instance_span "${span}")
    array(std::string_view kSkipped skipped)
    set(skipped_span "${span}")
    array(ProfileRow kRows block_rows)
    quote(only_text only)
    quote(part_text part)
    quote(value_label_text value_label)
    quote(value_counter_text value_counter)
    string(APPEND blocks "    {\"${collector}\", ${object_span}, ${instance_span}, ${only_text}, ${skipped_span}, "
                         "${process_id}, ${value_label_text}, ${value_counter_text}, ${part_text}, ${span}},\n")
    math(EXPR block "${block} + 1")
  endif()
  begin_block()
endmacro()

macro(read_object)
  if(NOT argument MATCHES "^([^|]*[^| ]) *([|] *(${label_list}))?$")
    fail("an object is a name, or a name | label=\"value\"")
  endif()
  set(name "${CMAKE_MATCH_1}")
  set(labels "${CMAKE_MATCH_3}")
  quote(name name)
  quote(labels labels)
  if(NOT block_rows STREQUAL "")
    end_block()
  elseif(NOT "${instances}${only}${skipped}${part}${value_label}" STREQUAL "" OR process_id)
    fail("the object before this line has no rows")
  endif()
  string(APPEND objects "{${name}, ${labels}}, ")
endmacro()

macro(read_template)
  string(REGEX REPLACE "{([a-z_]+(:words|:rdp|:first|:number)?)?}" "" rest "${argument}")
  if(rest MATCHES "[{}]" OR argument MATCHES "}{")
    fail("a part of a name is {}, {label}, {label:words}, {label:rdp}, {label:first} or {label:number}, with text between two of them")
  endif()
  if(argument MATCHES "{([a-z_]+(:words|:rdp)?)?}.*:(first|number)}")
    fail("parts with :first or :number come before all others")
  endif()
  quote(item argument)
  string(APPEND instances "${item}, ")
endmacro()

# Sets kind, factor, offset and state.
macro(read_value)
  set(kind kAsRead)
  set(factor 1)
  set(offset 0)
  set(state 0)
  set(rest "${value}")
  if(rest MATCHES "^state ([0-9]+)$")
    set(kind kState)
    set(state ${CMAKE_MATCH_1})
    set(rest "")
  elseif(rest STREQUAL "instances")
    set(kind kInstances)
    set(rest "")
  elseif(rest MATCHES "^-?${number}$")
    set(kind kConstant)
    set(offset ${rest})
    set(rest "")
  elseif(rest MATCHES "^(raw|seconds|base|rest|ratio|start)( |$)")
    string(LENGTH "${CMAKE_MATCH_1}" length)
    string(SUBSTRING "${rest}" ${length} -1 rest)
    string(SUBSTRING "${CMAKE_MATCH_1}" 0 1 initial)
    string(TOUPPER "${initial}" initial)
    string(SUBSTRING "${CMAKE_MATCH_1}" 1 -1 kind)
    set(kind "k${initial}${kind}")
  endif()
  if(rest MATCHES "/ [0.]+( |$)")
    fail("nothing is divided by 0")
  elseif(kind STREQUAL "kStart" AND NOT rest STREQUAL "")
    fail("a point in time has neither a factor nor an offset")
  elseif(NOT rest MATCHES "^ *(([*/]) (${number}))? *(([-+]) (${number}))?$")
    fail("'${value}' is not a value")
  endif()
  if(CMAKE_MATCH_2 STREQUAL "*")
    set(factor ${CMAKE_MATCH_3})
  elseif(CMAKE_MATCH_2 STREQUAL "/")
    set(factor "1.0 / ${CMAKE_MATCH_3}")
  endif()
  if(CMAKE_MATCH_5)
    set(offset "${CMAKE_MATCH_5}${CMAKE_MATCH_6}")
  endif()
endmacro()

# take_cell(VARIABLE): the text before the next | of `rest`, without blanks around it.
macro(take_cell variable)
  string(FIND "${rest_of_row}" "|" bar)
  if(bar EQUAL -1)
    set(${variable} "${rest_of_row}")
    set(rest_of_row "")
  else()
    string(SUBSTRING "${rest_of_row}" 0 ${bar} ${variable})
    math(EXPR bar "${bar} + 1")
    string(SUBSTRING "${rest_of_row}" ${bar} -1 rest_of_row)
  endif()
  string(STRIP "${${variable}}" ${variable})
endmacro()

macro(read_row)
  if(objects STREQUAL "")
    fail("a row comes after the object that it is about")
  endif()
  set(rest_of_row "${line}")
  foreach(cell metric type counter value labels note)
    take_cell(${cell})
  endforeach()
  if(NOT rest_of_row STREQUAL "")
    fail("a row has at most six columns")
  endif()
  if(NOT metric MATCHES "^windows_[A-Za-z0-9_]+$")
    fail("'${metric}' is not the name of a metric")
  endif()
  if(NOT type MATCHES "^(counter|gauge)$")
    fail("the type is counter or gauge, not '${type}'")
  endif()
  if(DEFINED type_of_${metric} AND NOT type_of_${metric} STREQUAL type)
    fail("${metric} is a ${type_of_${metric}} in another row")
  endif()
  set(type_of_${metric} ${type})
  if(NOT labels STREQUAL "" AND NOT labels MATCHES "^${label_list}$")
    fail("labels are written label=\"value\", with commas between them, not ${labels}")
  endif()
  string(MD5 series "${block} ${metric} ${labels}")
  if(DEFINED line_of_${series})
    fail("line ${line_of_${series}} has the same series")
  endif()
  set(line_of_${series} ${line_number})
  set(is_counter false)
  if(type STREQUAL "counter")
    set(is_counter true)
  endif()
  set(operation "\\0")
  set(other "")
  set(first "${counter}")
  if(counter MATCHES "^(.+) [(]([-+:])[)] (.+)$")
    set(first "${CMAKE_MATCH_1}")
    set(operation "${CMAKE_MATCH_2}")
    set(other "${CMAKE_MATCH_3}")
  endif()
  read_value()
  if(kind MATCHES "^(kInstances|kConstant)$")
    if(NOT counter STREQUAL "-")
      fail("this value needs no counter: write -")
    endif()
    set(first "")
  elseif(counter STREQUAL "" OR counter STREQUAL "-")
    fail("the counter is missing")
  endif()
  quote(first first)
  quote(other other)
  quote(labels labels)
  quote(note note)
  string(APPEND block_rows "\n    {\"${metric}\", ${is_counter}, ${first}, '${operation}', ${other}, "
                           "ProfileValue::${kind}, ${factor}, ${offset}, ${state}, ${labels}, ${note}},")
  math(EXPR rows "${rows} + 1")
endmacro()

macro(read_line)
  if(line MATCHES "^collector ([a-z_]+)$" AND NOT collector STREQUAL "")
    fail("a table is about one collector")
  elseif(line MATCHES "^collector ([a-z_]+)$")
    set(collector "${CMAKE_MATCH_1}")
  elseif(collector STREQUAL "")
    fail("the first line is: collector NAME")
  elseif(line MATCHES "^object (.*)$")
    set(argument "${CMAKE_MATCH_1}")
    read_object()
  elseif(line MATCHES "^[^ ]+ *[|]")
    read_row()
  elseif(objects STREQUAL "" OR NOT block_rows STREQUAL "")
    fail("this belongs between an object and its rows: ${line}")
  elseif(line MATCHES "^instance (.+)$")
    set(argument "${CMAKE_MATCH_1}")
    read_template()
  elseif(line MATCHES "^only (.+)$")
    set(only "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^skip (.+)$")
    set(argument "${CMAKE_MATCH_1}")
    quote(item argument)
    string(APPEND skipped "${item}, ")
  elseif(line MATCHES "^part ([a-z_]+)$")
    set(part "${CMAKE_MATCH_1}")
  elseif(line STREQUAL "process_id")
    set(process_id true)
  elseif(line MATCHES "^value_label ([a-z_]+) = (.+)$")
    set(value_label "${CMAKE_MATCH_1}")
    set(value_counter "${CMAKE_MATCH_2}")
  else()
    fail("'${line}' is neither a statement nor a row")
  endif()
  if(NOT only STREQUAL "" AND NOT instances STREQUAL "")
    fail("a block has either 'instance' or 'only'")
  endif()
endmacro()

get_filename_component(profile "${TABLES}" NAME)
foreach(name IN LISTS tables)
  set(table "${profile}/${name}")
  file(READ "${TABLES}/${name}" text)
  set(line_number 0)
  set(collector "")
  begin_block()
  while(NOT text STREQUAL "")
    math(EXPR line_number "${line_number} + 1")
    string(FIND "${text}" "\n" end)
    if(end EQUAL -1)
      fail("the last line does not end")
    endif()
    string(SUBSTRING "${text}" 0 ${end} line)
    math(EXPR end "${end} + 1")
    string(SUBSTRING "${text}" ${end} -1 text)
    string(REGEX REPLACE "[ \r]+$" "" line "${line}")
    if(NOT line STREQUAL "" AND NOT line MATCHES "^#")
      read_line()
    endif()
  endwhile()
  end_block()
endforeach()
if(rows EQUAL 0)
  message(FATAL_ERROR "${TABLES} has no rows")
endif()

file(WRITE "${OUTPUT}" "// Made from ${rows} rows of tables; see compile_tables.cmake.
#include \"exporter/profiles/profile.h\"

namespace winperf {
namespace {

${source}
constexpr ProfileBlock kBlocks[] = {
${blocks}};

}  // namespace

std::span<const ProfileBlock> ${FUNCTION}() { return kBlocks; }

}  // namespace winperf
")
