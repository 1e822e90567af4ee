# The libraries of the system that everything is linked with, in SUFFICE_LINKED.
if(SUFFICE_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
find_package(Threads REQUIRED)
find_library(OPENBLAS_ARCHIVE NAMES libopenblas.a PATH_SUFFIXES openblas-serial REQUIRED)
find_path(HWY_HEADERS hwy/highway.h REQUIRED)  # of Highway only headers are used, see kernel/targets.cpp
find_package(ZLIB REQUIRED)
find_library(ZSTD_ARCHIVE NAMES libzstd.a zstd REQUIRED)
set(SUFFICE_LINKED ${OPENBLAS_ARCHIVE} ZLIB::ZLIB ${ZSTD_ARCHIVE} Threads::Threads ${CMAKE_DL_LIBS})
find_library(STEMMER_ARCHIVE NAMES libstemmer.a)  # optional: word stems
if(STEMMER_ARCHIVE)
  list(APPEND SUFFICE_LINKED ${STEMMER_ARCHIVE})
endif()
set(SUFFICE_LAPACK_UNUSED lapack_eigen)  # Eigen serves WebAssembly
