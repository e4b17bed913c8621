# The option table is generated from Options.td.
set(LLVM_TARGET_DEFINITIONS "${dir}/Options.td")
set(TABLEGEN_OUTPUT "")
tablegen(LLVM Options.inc -gen-opt-parser-defs)
add_public_tablegen_target(AoaDriverOptions)
add_dependencies(aoaDriver AoaDriverOptions)
target_include_directories(aoaDriver PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
target_compile_definitions(aoaDriver PRIVATE AOA_VERSION="${PROJECT_VERSION}")
