# Warnings are errors. Flags for all targets of the project.

add_compile_options(-Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual -fno-char8_t)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 finds both in LLVM's headers and in std::string where there is nothing.
  add_compile_options(-Wshadow=local -Wno-maybe-uninitialized -Wno-restrict)
endif()
if(AOA_WERROR)
  add_compile_options(-Werror)
endif()

if(AOA_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "AOA_FUZZERS needs clang: libFuzzer is a part of it")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(AOA_SANITIZE)
  add_compile_options(-fsanitize=${AOA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${AOA_SANITIZE})
endif()
