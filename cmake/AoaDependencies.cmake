# What the project builds on. Everything comes from Debian 12 packages; utils/install-packages lists them.

find_package(LLVM 19.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH "${LLVM_CMAKE_DIR}")
# `llvm-tblgen` on PATH may belong to another LLVM.
find_program(LLVM_TABLEGEN_EXE llvm-tblgen HINTS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH REQUIRED)
include(AddLLVM)
include(TableGen)

# Tells CMake of LLVM's headers as a system directory: their warnings are not ours.
add_library(aoa_llvm INTERFACE)
target_include_directories(aoa_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(aoa_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(aoa_llvm INTERFACE ${aoa_llvm_definitions})
llvm_map_components_to_libnames(aoa_llvm_libs Support Option)
target_link_libraries(aoa_llvm INTERFACE ${aoa_llvm_libs})
# The pass manager. It refers to most of LLVM's IR, which nothing calls: without those sections the program is half as
# large and starts 0.4 ms sooner.
add_library(aoa_llvm_core INTERFACE)
llvm_map_components_to_libnames(aoa_llvm_core_libs Core)
target_link_libraries(aoa_llvm_core INTERFACE aoa_llvm ${aoa_llvm_core_libs})
if(NOT AOA_SANITIZE)
  target_link_options(aoa_llvm_core INTERFACE -Wl,--gc-sections)
endif()

# What `aoac test` judges outputs by.
add_library(aoa_filecheck INTERFACE)
llvm_map_components_to_libnames(aoa_filecheck_libs FileCheck)
target_link_libraries(aoa_filecheck INTERFACE aoa_llvm ${aoa_filecheck_libs})

find_program(ANTLR4_TOOL antlr4 REQUIRED)
find_path(ANTLR4_INCLUDE antlr4-runtime.h PATH_SUFFIXES antlr4-runtime REQUIRED)
find_library(ANTLR4_LIBRARY antlr4-runtime REQUIRED)
add_library(aoa_antlr INTERFACE)
target_include_directories(aoa_antlr SYSTEM INTERFACE "${ANTLR4_INCLUDE}")
target_link_libraries(aoa_antlr INTERFACE "${ANTLR4_LIBRARY}")

find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
add_library(aoa_xxhash INTERFACE)
target_link_libraries(aoa_xxhash INTERFACE "${XXHASH_LIBRARY}")
add_library(aoa_json INTERFACE)
target_link_libraries(aoa_json INTERFACE nlohmann_json::nlohmann_json)

find_package(GTest REQUIRED)
