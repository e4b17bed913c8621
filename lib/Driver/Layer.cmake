# The option table is generated from Options.td.
set(LLVM_TARGET_DEFINITIONS "${dir}/Options.td")
set(TABLEGEN_OUTPUT "")
list(TRANSFORM LLVM_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE tablegen_includes)
tablegen(LLVM Options.inc -gen-opt-parser-defs ${tablegen_includes})
add_public_tablegen_target(AoaDriverOptions)
add_dependencies(aoaDriver AoaDriverOptions)
target_include_directories(aoaDriver PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
target_compile_definitions(aoaDriver PRIVATE AOA_VERSION="${PROJECT_VERSION}")

# The pages of `aoac explain`, embedded.
file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/diagnostics/*.md")
set(pages_file "${CMAKE_CURRENT_BINARY_DIR}/DiagnosticPages.inc")
add_custom_command(OUTPUT "${pages_file}"
  COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/utils/embed_pages.py" "${pages_file}" ${pages}
  DEPENDS "${PROJECT_SOURCE_DIR}/utils/embed_pages.py" ${pages} VERBATIM)
target_sources(aoaDriver PRIVATE "${pages_file}")
