# `make install`: headers, the library, the command, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

set(package_dir lib/cmake/suffice)
set(include_dir include)
set(library_dir lib)
set(SUFFICE_HAS_STEMMER FALSE)
set(SUFFICE_STEMMER_ARCHIVE "")
if(STEMMER_ARCHIVE)
  set(SUFFICE_HAS_STEMMER TRUE)
  set(SUFFICE_STEMMER_ARCHIVE ${STEMMER_ARCHIVE})
endif()
install(TARGETS suffice ARCHIVE DESTINATION lib)
install(DIRECTORY src/suffice DESTINATION include FILES_MATCHING PATTERN "*.hpp")
if(TARGET suffice_cli)
  install(TARGETS suffice_cli RUNTIME DESTINATION bin)
  # Manual pages and completions are what the command says of itself.
  install(CODE "set(suffice \"$<TARGET_FILE:suffice_cli>\")")
  install(SCRIPT cmake/install_manual.cmake)
endif()

configure_package_config_file(cmake/sufficeConfig.cmake.in ${CMAKE_BINARY_DIR}/sufficeConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS include_dir library_dir)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/sufficeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/sufficeConfig.cmake ${CMAKE_BINARY_DIR}/sufficeConfigVersion.cmake
  DESTINATION ${package_dir})

configure_file(cmake/suffice.pc.in ${CMAKE_BINARY_DIR}/suffice.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/suffice.pc DESTINATION lib/pkgconfig)
