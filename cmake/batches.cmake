# Batches: files of one folder compiled together, since most of a file's time is the headers that its neighbours include too.
#
#   batch_sources(OUT NAME ROOT SIZE SOURCES)
#
# gives in OUT the files to compile for SOURCES: batches NAME_1.cpp, ... of at most SIZE files (two and a half times as many where
# the whole is optimised and built once, rather than edited and tested) in the order of their names, each
# named by its path below the include folder ROOT, so that a compiler's cache knows a batch in any checkout. Files that
# src/suffice/ALONE lists, and all with SUFFICE_UNITY off, are compiled alone. tools/check_layers.py sees that names private to
# a file do not clash.
option(SUFFICE_UNITY "Compile the files of a folder in batches" ON)
file(STRINGS ${CMAKE_SOURCE_DIR}/src/suffice/ALONE SUFFICE_ALONE REGEX "^[a-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/suffice/ALONE)

function(batch_sources out name root size sources)
  if(NOT SUFFICE_UNITY)
    set(${out} ${sources} PARENT_SCOPE)
    return()
  endif()
  set(compiled "")
  set(batched "")
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/src/suffice OUTPUT_VARIABLE file)
    if(file IN_LIST SUFFICE_ALONE)
      list(APPEND compiled ${source})
    else()
      list(APPEND batched ${source})
    endif()
  endforeach()
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    math(EXPR size "${size} * 5 / 2")
  endif()
  # Batches of one folder are about as long as each other: thirteen files at most twelve a batch are seven and six.
  list(LENGTH batched count)
  math(EXPR batches "(${count} + ${size} - 1) / ${size}")
  set(first 0)
  foreach(number RANGE 1 ${batches})
    if(batches EQUAL 0)
      break()
    endif()
    math(EXPR last "${count} * ${number} / ${batches}")
    math(EXPR length "${last} - ${first}")
    list(SUBLIST batched ${first} ${length} members)
    set(first ${last})
    set(lines "")
    foreach(source IN LISTS members)
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${root} OUTPUT_VARIABLE path)
      string(APPEND lines "#include \"${path}\"\n")
    endforeach()
    set(batch ${CMAKE_BINARY_DIR}/batches/${name}_${number}.cpp)
    file(CONFIGURE OUTPUT ${batch} CONTENT "${lines}" @ONLY)  # written only when it changes
    list(APPEND compiled ${batch})
  endforeach()
  set(${out} ${compiled} PARENT_SCOPE)
endfunction()
