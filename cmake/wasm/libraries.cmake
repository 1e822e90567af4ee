# What the native build takes from the system, compiled for WebAssembly: libc++ with exceptions, zlib, zstd, stemmers; Highway 1.2
# (the first with doubles in wasm vectors) and Eigen as headers. Sets SUFFICE_LINKED.
enable_language(C)
set(fetched ${CMAKE_BINARY_DIR}/sources)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/sources.txt lines REGEX "^[a-z]")
foreach(line IN LISTS lines)
  string(REPLACE " " ";" parts ${line})
  list(GET parts 0 path)
  list(GET parts 1 hash)
  list(GET parts 2 folder)
  if(NOT EXISTS ${fetched}/${folder})
    if(NOT DEFINED mirror)  # the one that apt uses
      execute_process(COMMAND sh -c "apt-get indextargets --format '$(REPO_URI)' | head -1" OUTPUT_VARIABLE mirror OUTPUT_STRIP_TRAILING_WHITESPACE)
      string(REGEX REPLACE "/$" "" mirror "${mirror}")
    endif()
    get_filename_component(archive ${path} NAME)
    if(NOT EXISTS $ENV{HOME}/.cache/suffice/${archive})
      file(DOWNLOAD ${mirror}/pool/main/${path} ${fetched}/${archive} STATUS status INACTIVITY_TIMEOUT 60)
      file(SHA256 ${fetched}/${archive} found)
      if(NOT found STREQUAL hash)
        message(FATAL_ERROR "${archive} could not be had from apt's mirror, or is not the one that was pinned: ${status}")
      endif()
      file(COPY ${fetched}/${archive} DESTINATION $ENV{HOME}/.cache/suffice)
    endif()
    file(SHA256 $ENV{HOME}/.cache/suffice/${archive} found)
    if(NOT found STREQUAL hash)
      message(FATAL_ERROR "$ENV{HOME}/.cache/suffice/${archive} is not the archive that was pinned; delete it and try again")
    endif()
    file(ARCHIVE_EXTRACT INPUT $ENV{HOME}/.cache/suffice/${archive} DESTINATION ${fetched})
  endif()
endforeach()

# Header-only packages one by one: /usr/include holds glibc's headers too.
set(headers ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${headers})
foreach(name nlohmann boost xxhash.h xxh3.h zstd.h zstd_errors.h libstemmer.h)
  file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
endforeach()
file(CREATE_LINK ${fetched}/highway-1.2.0/hwy ${headers}/hwy SYMBOLIC)
file(CREATE_LINK ${fetched}/eigen-3.4.0/Eigen ${headers}/Eigen SYMBOLIC)
foreach(name zlib.h zconf.h)
  file(CREATE_LINK ${fetched}/zlib-1.2.13.dfsg/${name} ${headers}/${name} SYMBOLIC)
endforeach()

# libc++, libc++abi and libunwind from the sources that ziglang carries.
set(lib ${WASM_ZIG}/lib)
file(GLOB cxx ${lib}/libcxx/src/*.cpp ${lib}/libcxx/src/filesystem/*.cpp ${lib}/libcxx/src/ryu/*.cpp)
list(FILTER cxx EXCLUDE REGEX "/(new|random_shuffle|strstream|regex)\\.cpp|int128_builtins|/(experimental_|tz|tzdb)")
foreach(name abort_message cxa_aux_runtime cxa_default_handlers cxa_demangle cxa_exception cxa_exception_storage cxa_guard
        cxa_handlers cxa_personality cxa_vector cxa_virtual fallback_malloc private_typeinfo stdlib_exception stdlib_stdexcept
        stdlib_typeinfo stdlib_new_delete cxa_thread_atexit)
  list(APPEND cxx ${lib}/libcxxabi/src/${name}.cpp)
endforeach()
add_library(wasm_cxx STATIC ${cxx} ${lib}/libunwind/src/Unwind-wasm.c ${CMAKE_CURRENT_LIST_DIR}/tag.c)
target_compile_options(wasm_cxx PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-include ${CMAKE_CURRENT_LIST_DIR}/linux.h>
                       $<$<COMPILE_LANGUAGE:C>:-fwasm-exceptions>)
set_source_files_properties(${lib}/libcxxabi/src/cxa_default_handlers.cpp PROPERTIES COMPILE_DEFINITIONS
                            LIBCXXABI_NON_DEMANGLING_TERMINATE)  # or each module carries a demangler
set_target_properties(wasm_cxx PROPERTIES CXX_STANDARD 23)
target_compile_definitions(wasm_cxx PRIVATE _LIBCPP_BUILDING_LIBRARY _LIBCXXABI_BUILDING_LIBRARY LIBCXX_BUILDING_LIBCXXABI
                           LIBC_NAMESPACE=__llvm_libc _LIBUNWIND_HIDE_SYMBOLS _LIBUNWIND_HAS_NO_THREADS)
target_include_directories(wasm_cxx PRIVATE ${lib}/libcxxabi/include ${lib}/libcxx/src ${lib}/libunwind/include
                           ${lib}/libunwind/src ${lib}/libcxxabi/src ${lib}/libcxx/libc)

# zlib, zstd for reading, stemmers of UTF-8 (whose C their own compiler writes, on this machine). All stemmers together would be
# 80 kB of a packed page; these are the languages most asked for.
set(snowball ${fetched}/snowball-2.2.0)
set(languages "^(#|$|(dutch|english|french|german|italian|porter|portuguese|russian|spanish)[ \t])")
if(NOT EXISTS ${snowball}/src_c/stem_UTF_8_english.c)
  execute_process(WORKING_DIRECTORY ${snowball} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET COMMAND sh -c
    "grep -E '${languages}' libstemmer/modules.txt >few && mv few libstemmer/modules.txt && make -s libstemmer/modules_utf8.h libstemmer/libstemmer.c libstemmer/libstemmer_utf8.c snowball && make -s $(awk '!/^#/ && $2 ~ /UTF_8/ { print \"src_c/stem_UTF_8_\" $1 \".c\" }' libstemmer/modules.txt)")
  if(failed)
    message(FATAL_ERROR "The stemmers in ${snowball} could not be made")
  endif()
endif()
foreach(name adler32 compress crc32 deflate inffast inflate inftrees trees zutil)
  list(APPEND c ${fetched}/zlib-1.2.13.dfsg/${name}.c)
endforeach()
set(zstd ${fetched}/zstd-1.5.4/lib)
foreach(name debug entropy_common error_private fse_decompress xxhash zstd_common)
  list(APPEND c ${zstd}/common/${name}.c)
endforeach()
file(GLOB unpack ${zstd}/decompress/*.c)
file(GLOB stemmers ${snowball}/src_c/stem_UTF_8_*.c)
add_library(wasm_c STATIC ${c} ${unpack} ${stemmers} ${snowball}/runtime/api.c ${snowball}/runtime/utilities.c
            ${snowball}/libstemmer/libstemmer_utf8.c)
target_compile_definitions(wasm_c PRIVATE ZSTD_DISABLE_ASM XXH_NAMESPACE=ZSTD_)
target_include_directories(wasm_c PRIVATE ${fetched}/zlib-1.2.13.dfsg ${zstd} ${snowball}/include ${snowball}/runtime)

set(STEMMER_ARCHIVE wasm_c)
set(SUFFICE_LINKED wasm_c wasm_cxx)
target_compile_options(suffice_options INTERFACE -include ${CMAKE_CURRENT_LIST_DIR}/linux.h)
target_include_directories(suffice_options INTERFACE ${headers})
