# The libraries of the system that everything is linked with, in SUFFICE_LINKED.
if(SUFFICE_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
find_package(Threads REQUIRED)
find_path(EIGEN_HEADERS Eigen/Core PATH_SUFFIXES eigen3 REQUIRED)  # header-only, see kernel/linear_algebra-inl.hpp
find_path(HWY_HEADERS hwy/highway.h REQUIRED)  # of Highway only headers are used, see kernel/targets.cpp
set(SUFFICE_LINKED Threads::Threads ${CMAKE_DL_LIBS})
if(SUFFICE_SCORING)
  return()
endif()
find_package(ZLIB REQUIRED)
find_library(ZSTD_ARCHIVE NAMES libzstd.a zstd REQUIRED)
list(PREPEND SUFFICE_LINKED ZLIB::ZLIB ${ZSTD_ARCHIVE})
find_library(STEMMER_ARCHIVE NAMES libstemmer.a)  # optional: word stems
if(STEMMER_ARCHIVE)
  list(APPEND SUFFICE_LINKED ${STEMMER_ARCHIVE})
endif()
