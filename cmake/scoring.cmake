# libsuffice_score.so: models loaded and asked, in C (the functions of suffice.h that bindings/c/suffice_score.map lists). The C++
# library is inside. The preset scoring builds it by itself, from smaller objects and without the room of readers: what it never
# calls the linker leaves out.
add_library(suffice_scoring SHARED bindings/c/suffice_score.cpp src/suffice/flow/model.cpp src/suffice/flow/row_scorer.cpp
  ${ROOMS_UP_TO_persist})
target_include_directories(suffice_scoring PRIVATE bindings/c)
target_link_libraries(suffice_scoring PRIVATE suffice_options ${SUFFICE_LINKED})
set(score_symbols ${CMAKE_SOURCE_DIR}/bindings/c/suffice_score.map)
target_link_options(suffice_scoring PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed
  -Wl,--version-script=${score_symbols} $<$<NOT:$<CONFIG:Debug>>:-s>)
set_target_properties(suffice_scoring PROPERTIES OUTPUT_NAME suffice_score VERSION ${PROJECT_VERSION} SOVERSION 1 LINK_DEPENDS ${score_symbols}
  INSTALL_RPATH "" CXX_VISIBILITY_PRESET hidden)
configure_file(cmake/suffice_score.pc.in ${CMAKE_BINARY_DIR}/suffice_score.pc @ONLY)
install(TARGETS suffice_scoring LIBRARY DESTINATION lib COMPONENT development)
install(FILES bindings/c/suffice.h DESTINATION include COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/suffice_score.pc DESTINATION lib/pkgconfig COMPONENT development)
