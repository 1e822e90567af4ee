# Fuzzers, built by clang (preset fuzz): tests/fuzz/NAME_fuzz.cpp becomes fuzz_NAME. g++ is the judge of warnings, not clang.
target_compile_options(suffice_options INTERFACE -Wno-error -fsanitize=fuzzer-no-link)
target_link_options(suffice_options INTERFACE -fsanitize=fuzzer-no-link)

# Each input runs this code, so it is optimised. Reporting every comparison took two fifths of the time of a model file,
# whose words its seeds have; only the reader of delimited files, which looks for single bytes, does it.
foreach(room IN LISTS SUFFICE_ROOMS)
  if(room MATCHES "^(base|read|persist)$")
    target_compile_options(suffice_${room} PRIVATE -O2)
  endif()
  if(TARGET suffice_${room} AND NOT room STREQUAL read)
    target_compile_options(suffice_${room} PRIVATE -fno-sanitize-coverage=trace-cmp)
  endif()
endforeach()
set_source_files_properties(tests/fuzz/model_fuzz.cpp PROPERTIES COMPILE_OPTIONS -fno-sanitize-coverage=trace-cmp)

# What a fuzzer exercises, where that is less than everything; a smaller build is a quicker one.
set(FUZZED_ROOM_csv read)
set(FUZZED_ROOM_model persist)

add_custom_target(fuzzers)
file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/*_fuzz.cpp)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  string(REGEX REPLACE "_fuzz$" "" name ${name})
  set(room flow)
  if(DEFINED FUZZED_ROOM_${name})
    set(room ${FUZZED_ROOM_${name}})
  endif()
  add_executable(fuzz_${name} ${source} ${ROOMS_UP_TO_${room}})
  target_link_libraries(fuzz_${name} PRIVATE suffice_options ${SUFFICE_LINKED})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzzers fuzz_${name})
endforeach()
