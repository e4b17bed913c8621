# The option table is generated from Options.td.
set(LLVM_TARGET_DEFINITIONS "${dir}/Options.td")
set(TABLEGEN_OUTPUT "")
list(TRANSFORM LLVM_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE tablegen_includes)
tablegen(LLVM Options.inc -gen-opt-parser-defs ${tablegen_includes})
add_public_tablegen_target(AoaDriverOptions)
add_dependencies(aoaDriver AoaDriverOptions)
target_include_directories(aoaDriver PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
target_compile_definitions(aoaDriver PRIVATE AOA_VERSION="${PROJECT_VERSION}")
