# The built-in macros, embedded.
set(prelude_file "${CMAKE_CURRENT_BINARY_DIR}/Prelude.inc")
add_custom_command(OUTPUT "${prelude_file}"
  COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/utils/embed_bytes.py" "${prelude_file}" "${dir}/Prelude.aoa"
  DEPENDS "${PROJECT_SOURCE_DIR}/utils/embed_bytes.py" "${dir}/Prelude.aoa" VERBATIM)
target_sources(aoaExpand PRIVATE "${prelude_file}")
target_include_directories(aoaExpand PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
